/** Transfers by batches from several accounts, each batch sent again until all of it is acknowledged, whatever happens to the server meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH_TRANSFERS_MAX } from '../../server/gateway/limits.ts';
import type { Chain } from '../e2e/support/chain.ts';
import type { Server } from '../e2e/support/server.ts';

/** A nonce may be 1,023 ahead, and 8 accounts stay below the 10,000 pending of an owner. */
const ACCOUNTS = 8;
const RETRY_MS = 50;

/** @returns the hashes that were acknowledged. */
export async function loadChain(chain: Chain<Server>, transfers: number): Promise<Set<string>> {
  const hashes = new Set<string>();
  const each = Math.ceil(transfers / ACCOUNTS);
  await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, account) =>
      loadFrom(chain, account, Math.min(each, transfers - account * each), hashes),
    ),
  );
  return hashes;
}

async function loadFrom(chain: Chain<Server>, account: number, transfers: number, hashes: Set<string>): Promise<void> {
  for (let first = 0; first < transfers; first += BATCH_TRANSFERS_MAX) {
    const bodies = Array.from({ length: Math.min(BATCH_TRANSFERS_MAX, transfers - first) }, (_, at) =>
      chain.signed(account, ACCOUNTS, 1n, first + at),
    );
    for (let left = bodies; left.length > 0;) {
      left = await sendBatch(chain, left);
      if (left.length > 0) await sleep(RETRY_MS);
    }
    for (const { txHash } of bodies) hashes.add(txHash);
    await settled(chain, account, first + bodies.length);
  }
}

/** @returns what was not acknowledged and has to be sent again. */
async function sendBatch<Body extends object>(chain: Chain<Server>, transactions: readonly Body[]): Promise<Body[]> {
  const answer = await fetch(`${chain.server.baseUrl}/transactions/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chain.dev.token}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ transactions }),
  }).then(
    async (response) => ({
      status: response.status,
      body: (await response.json()) as { results: { outcome: string }[] },
    }),
    () => undefined,
  );
  if (answer === undefined || answer.status === 503 || answer.status === 429) return [...transactions];
  if (answer.status !== 200)
    throw new Error(`a batch was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
  return transactions.filter((_, at) => !['accepted', 'replayed'].includes(answer.body.results[at]?.outcome ?? ''));
}

async function settled(chain: Chain<Server>, account: number, nonce: number): Promise<void> {
  const { address } = chain.account(account);
  for (;;) {
    const answer = await chain.get(`/accounts/${address}`).catch(() => undefined);
    if (answer?.status === 200 && answer.body.nonce >= nonce) return;
    await sleep(RETRY_MS);
  }
}
