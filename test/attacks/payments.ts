/** What an honest client does meanwhile: payments from the development accounts, until every one has been executed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { chainOf } from '../e2e/support/chain.ts';
import type { Target } from './target.ts';

const IN_FLIGHT_MAX = 20;
const POLL_MS = 50;

export interface Payments {
  count: number;
  /** Hands them in. @returns how many were executed within the time. */
  pay(msMax: number): Promise<number>;
}

/** Signs so many payments of each development account: the signing must not be taken for slowness of the server. */
export async function signPayments(target: Target, perAccount: number): Promise<Payments> {
  const dev = JSON.parse(readFileSync(path.join(target.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  const chain = chainOf({ baseUrl: target.baseUrl, dataDir: target.dataDir, output: '', storeVariables: {} }, dev);
  const first = await Promise.all(dev.accounts.map(({ address }) => chain.nextNonce(address)));
  const texts = Array.from({ length: perAccount }, (_, nonce) =>
    dev.accounts.map((_, at) =>
      JSON.stringify(chain.signed(at, (at + 1) % dev.accounts.length, 1n, (first[at] ?? 0) + nonce)),
    ),
  ).flat();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${dev.token}` };
  const executed = async (): Promise<number> => {
    const nonces = await Promise.all(
      dev.accounts.map(async ({ address }) => (await chain.get(`/accounts/${address}`)).body.nonce as number),
    );
    return nonces.reduce((sum, nonce, at) => sum + nonce - (first[at] ?? 0), 0);
  };
  const pay = async (msMax: number): Promise<number> => {
    for (let at = 0; at < texts.length; at += IN_FLIGHT_MAX) {
      await Promise.all(
        texts.slice(at, at + IN_FLIGHT_MAX).map(async (body) => {
          const answer = await fetch(`${target.baseUrl}/transactions`, { method: 'POST', headers, body });
          await answer.arrayBuffer();
          if (answer.status !== 202) throw new Error(`a payment was answered ${answer.status}`);
        }),
      );
    }
    for (const endMs = performance.now() + msMax; performance.now() < endMs; await sleep(POLL_MS)) {
      if ((await executed()) === texts.length) return texts.length;
    }
    return await executed();
  };
  return { count: texts.length, pay };
}
