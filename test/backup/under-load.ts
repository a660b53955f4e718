/** Transfers from 32 connections at a development server, and which of them were acknowledged when. */
import { randomBytes } from 'node:crypto';
import { type Chain, signedBody, type Sender } from '../e2e/support/chain.ts';
import type { Server } from '../e2e/support/server.ts';
import { encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';

export const CONNECTIONS = 32;
const FUNDS = 1_000_000n;

export interface Load {
  /** Hashes, in the order in which they were acknowledged. */
  readonly acknowledged: readonly string[];
  /** Resolves when no connection sends any more; rejects with what one of them met. */
  stop(): Promise<void>;
}

async function post(chain: Chain<Server>, where: string, body: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${chain.server.baseUrl}${where}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chain.dev.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Each connection has an account of its own, opened before the load begins. */
export async function startLoad(chain: Chain<Server>): Promise<Load> {
  const { chainId } = chain.dev;
  const senders = Array.from({ length: CONNECTIONS }, (): Sender => {
    const seed = randomBytes(32);
    return { seed: seed.toString('hex'), address: encodeAddress(publicKeyOfSeed(seed), 'txlt') };
  });
  const bank = chain.account(0);
  const first = await chain.nextNonce(bank.address);
  const transactions = senders.map(({ address }, index) =>
    signedBody(bank, { chainId, to: address, amount: FUNDS, nonce: first + index }),
  );
  await post(chain, '/transactions/batch', { transactions });
  while ((await chain.get(`/accounts/${bank.address}`)).body.nonce < first + CONNECTIONS) continue;

  const acknowledged: string[] = [];
  const state = { isStopped: false };
  const send = async (sender: Sender, to: string): Promise<void> => {
    for (let nonce = 0; !state.isStopped;) {
      const body = signedBody(sender, {
        chainId,
        to,
        amount: 1n,
        nonce,
        ...(nonce % 5 === 0 && { reference: `order-${nonce}` }),
      });
      const { status } = await post(chain, '/transactions', body);
      if (status !== 202 && status !== 200 && status !== 429) throw new Error(`a transfer was answered ${status}`);
      if (status === 429) continue;
      acknowledged.push(body.txHash);
      nonce += 1;
    }
  };
  const sending = Promise.all(
    senders.map((sender, index) => send(sender, (senders[(index + 1) % CONNECTIONS] as Sender).address)),
  );
  sending.catch(() => undefined);
  return {
    acknowledged,
    stop: async () => {
      state.isStopped = true;
      await sending;
    },
  };
}
