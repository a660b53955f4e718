import { afterAll, beforeAll } from '@jest/globals';
import type { DevelopmentAccount } from '../../../server/app/dev-accounts.ts';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import { encodeTransaction, signTransaction, txHash, type Transfer, type Unsigned } from '../../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../app/support.ts';
import { call, freePort, READY_MS_MAX, Server, type Answer } from './server.ts';
import type { SignedBody } from './signer.ts';

/** A running development chain and the few calls that the tests make again and again. */
export interface Chain {
  server: Server;
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
  signed(from: number, to: number, amount: bigint, nonce: number, chainId?: string): SignedBody;
}

const PAGE = 1000;

export function chainOf(server: Server, dev: DevelopmentFile): Chain {
  const { token } = dev;
  const account = (index: number): DevelopmentAccount => {
    const found = dev.accounts[index];
    if (!found) throw new RangeError(`there is no development account ${index}`);
    return found;
  };
  const get = (path: string): Promise<Answer> => call(server.baseUrl + path, { token });
  return {
    server,
    dev,
    account,
    get,
    submit: (body, headers = {}) =>
      call(`${server.baseUrl}/transactions`, {
        method: 'POST',
        token,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    cancel: (hash, headers = {}) => call(`${server.baseUrl}/transactions/${hash}`, { method: 'DELETE', token, headers }),
    nextNonce: async (address) => (await get(`/accounts/${address}`)).body.nextNonce,
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
    signed: (from, to, amount, nonce, chainId = dev.chainId) => {
      const unsigned: Unsigned<Transfer> = { kind: 'transfer', chainId, from: account(from).address, to: account(to).address, amount, nonce };
      const transfer = signTransaction(unsigned, Buffer.from(account(from).seed, 'hex'));
      const { signature } = transfer;
      return { from: unsigned.from, to: unsigned.to, amount: String(amount), nonce, signature, txHash: txHash(encodeTransaction(transfer)) };
    },
  };
}

/** Starts a development chain before the tests of a file and ends it after them. @returns where to find it. */
export function withDevelopmentChain(variables: Record<string, string> = {}): () => Chain {
  let chain: Chain | undefined;
  beforeAll(async () => {
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
