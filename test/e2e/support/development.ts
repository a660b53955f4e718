import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { DevelopmentAccount } from '../../../server/app/dev-accounts.ts';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import { encodeAddress, encodeTransaction, publicKeyOfSeed, signTransaction, txHash, type Transfer, type Unsigned } from '../../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../app/support.ts';
import { call, freePort, READY_MS_MAX, Server, type Answer } from './server.ts';
import type { SignedBody } from './signer.ts';

/** What the tests ask of the process, or the processes, behind a chain. */
export type ChainServer = Pick<Server, 'baseUrl' | 'dataDir' | 'output'> & {
  /** Variables with which `txledger token` reaches the same store. */
  readonly storeVariables: Record<string, string>;
};

/** Signs for itself: a development account, or one that a test made. */
export type Sender = Pick<DevelopmentAccount, 'address' | 'seed'>;

/** A running development chain and the few calls that the tests make again and again. */
export interface Chain<Behind extends ChainServer = ChainServer> {
  server: Behind;
  dev: DevelopmentFile;
  account(index: number): DevelopmentAccount;
  /** With the development token. */
  get(path: string): Promise<Answer>;
  submit(body: object, headers?: Record<string, string>): Promise<Answer>;
  cancel(hash: string, headers?: Record<string, string>): Promise<Answer>;
  nextNonce(address: string): Promise<number>;
  balances(): Promise<string[]>;
  /** Every transaction, joined from pages. */
  list(query?: string): Promise<{ txHash: string; status: string; [member: string]: unknown }[]>;
  signed(from: number | Sender, to: number, amount: bigint, nonce: number, chainId?: string): SignedBody;
  /** A new account with so much money from account 0, at nonce 0 whatever the chain has seen before. */
  funded(amount: bigint): Promise<Sender>;
}

const PAGE = 1000;

export function chainOf<Behind extends ChainServer>(server: Behind, dev: DevelopmentFile): Chain<Behind> {
  const { token } = dev;
  const account = (index: number): DevelopmentAccount => {
    const found = dev.accounts[index];
    if (!found) throw new RangeError(`there is no development account ${index}`);
    return found;
  };
  const get = (route: string): Promise<Answer> => call(server.baseUrl + route, { token });
  const submit: Chain['submit'] = (body, headers = {}) =>
    call(`${server.baseUrl}/transactions`, {
      method: 'POST',
      token,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const nextNonce: Chain['nextNonce'] = async (address) => (await get(`/accounts/${address}`)).body.nextNonce;
  return {
    server,
    dev,
    account,
    get,
    submit,
    cancel: (hash, headers = {}) => call(`${server.baseUrl}/transactions/${hash}`, { method: 'DELETE', token, headers }),
    nextNonce,
    balances: () => Promise.all(dev.accounts.map(async ({ address }) => (await get(`/accounts/${address}`)).body.balance)),
    list: async (query = '') => {
      const all = [];
      let cursor = '';
      do {
        const { body } = await get(`/transactions?limit=${PAGE}${query}${cursor}`);
        all.push(...body.transactions);
        cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
      } while (cursor !== '');
      return all;
    },
    signed: (from, to, amount, nonce, chainId = dev.chainId) =>
      signedBody(typeof from === 'number' ? account(from) : from, { chainId, to: account(to).address, amount, nonce }),
    funded: async (amount) => {
      const seed = randomBytes(32);
      const sender = { address: encodeAddress(publicKeyOfSeed(seed), 'txlt'), seed: seed.toString('hex') };
      const bank = account(0);
      const transfer = { chainId: dev.chainId, to: sender.address, amount, nonce: await nextNonce(bank.address) };
      const { status } = await submit(signedBody(bank, transfer), { prefer: 'wait=30' });
      if (status !== 201) throw new Error(`a new account could not be given money: ${status}`);
      return sender;
    },
  };
}

export function signedBody(sender: Sender, to: Pick<Transfer, 'chainId' | 'to' | 'amount' | 'nonce'>): SignedBody {
  const unsigned: Unsigned<Transfer> = { kind: 'transfer', from: sender.address, ...to };
  const transfer = signTransaction(unsigned, Buffer.from(sender.seed, 'hex'));
  const { from, amount, nonce, signature } = transfer;
  return { from, to: to.to, amount: String(amount), nonce, signature, txHash: txHash(encodeTransaction(transfer)) };
}

/**
 * A chain that runs already, for tests that are put to one that they did not start: RUNNING_CHAIN is its data folder,
 * RUNNING_CHAIN_URL the door to use, and RUNNING_CHAIN_STORE its DATABASE_URL.
 */
const { RUNNING_CHAIN, RUNNING_CHAIN_URL, RUNNING_CHAIN_STORE } = process.env;

/** Whether the tests run against a chain that somebody else started. */
export const isRunningChain = RUNNING_CHAIN !== undefined;

async function runningChain(dataDir: string): Promise<Chain> {
  const dev = JSON.parse(await readFile(path.join(dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  const storeVariables: Record<string, string> = RUNNING_CHAIN_STORE === undefined ? {} : { DATABASE_URL: RUNNING_CHAIN_STORE, ENGINE: 'cometbft' };
  return chainOf({ baseUrl: RUNNING_CHAIN_URL ?? dev.baseUrl, dataDir, output: '', storeVariables: { DATA_DIR: dataDir, ...storeVariables } }, dev);
}

/** Starts a development chain before the tests of a file, or takes the one that runs, and ends what it started after them. @returns where to find it. */
export function withDevelopmentChain(variables: Record<string, string> = {}): () => Chain {
  const started = withOwnChain(variables, isRunningChain);
  let running: Chain | undefined;
  beforeAll(async () => {
    if (RUNNING_CHAIN !== undefined) running = await runningChain(RUNNING_CHAIN);
  });
  return () => running ?? started();
}

/** Starts a development chain of its own before the tests of a file and ends it after them: the tests may kill and restart it. */
export function withOwnChain(variables: Record<string, string> = {}, unneeded = false): () => Chain<Server> {
  let chain: Chain<Server> | undefined;
  beforeAll(async () => {
    if (unneeded) return;
    const server = new Server({ dataDir: await temporaryFolder('e2e'), port: await freePort(), variables });
    await server.start();
    chain = chainOf(server, await server.development());
  }, READY_MS_MAX);
  afterAll(async () => {
    await chain?.server.stop('SIGKILL');
    await removeTemporaryFolders();
  });
  return () => {
    if (!chain) throw new Error('the chain is not running');
    return chain;
  };
}
