import { randomBytes } from 'node:crypto';
import type { DevelopmentAccount } from '../../../server/app/dev-accounts.ts';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import {
  encodeAddress,
  encodeTransaction,
  paymentMembers,
  publicKeyOfSeed,
  signTransaction,
  txHash,
  type Transfer,
  type Unsigned,
} from '../../../server/ledger/index.ts';
import { call, type Answer, type Server } from './server.ts';
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
    cancel: (hash, headers = {}) =>
      call(`${server.baseUrl}/transactions/${hash}`, { method: 'DELETE', token, headers }),
    nextNonce,
    balances: () =>
      Promise.all(dev.accounts.map(async ({ address }) => (await get(`/accounts/${address}`)).body.balance)),
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

export function signedBody(
  sender: Sender,
  to: Pick<Transfer, 'chainId' | 'to' | 'amount' | 'nonce' | 'reference' | 'validUntil'>,
): SignedBody {
  const unsigned: Unsigned<Transfer> = { kind: 'transfer', from: sender.address, ...to };
  const transfer = signTransaction(unsigned, Buffer.from(sender.seed, 'hex'));
  const { from, amount, nonce, signature } = transfer;
  return {
    from,
    to: to.to,
    amount: String(amount),
    nonce,
    ...paymentMembers(transfer),
    signature,
    txHash: txHash(encodeTransaction(transfer)),
  };
}
