/**
 * PostgreSQL killed at random moments under writes: what was confirmed is there when it is back, what was refused is not.
 *
 * The server's default is a commit that does not wait for the disk, so that a store which left it at that would lose
 * what it confirmed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore, StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/index.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';
import { accepting, initialise, submission } from './support/accepting.ts';

const ROUNDS = Number(process.env['STORE_KILLS'] ?? 6);
/** A kill comes this many confirmed groups after the last, at most. */
const GROUPS_BEFORE_KILL_MAX = 40;
const ROUND_MS_MAX = 30_000;

const outcomes = { confirmed: [] as string[], refused: [] as string[], unknown: [] as string[] };

const run = POSTGRES_MISSING === undefined ? test : test.skip;
let cluster: PostgresCluster | undefined;
let stores: Store[] = [];

beforeAll(async () => {
  if (POSTGRES_MISSING !== undefined) return;
  cluster = await PostgresCluster.start(['synchronous_commit=off']);
  const url = await cluster.database();
  stores = await Promise.all([1, 2].map(() => openPostgresStore({ url })));
  for (const store of stores) await initialise(store);
}, CLUSTER_TIMEOUT_MS);

afterAll(async () => {
  for (const store of stores) await store.close();
  await cluster?.stop();
}, CLUSTER_TIMEOUT_MS);

/** Writes until the server is gone; `confirmed` is told of every group that is durable. */
async function writeUntilKilled(store: Store, sender: number, confirmed: () => void): Promise<void> {
  for (;;) {
    const wanted = nextSubmission(sender);
    const hash = wanted.txHash;
    try {
      const { accepted } = await acceptGroup(accepting(store), [wanted]);
      expect(accepted).toHaveLength(1);
      outcomes.confirmed.push(hash);
      confirmed();
    } catch (error) {
      if (error instanceof StoreOutcomeUnknownError) outcomes.unknown.push(hash);
      else if (error instanceof StoreUnavailableError) outcomes.refused.push(hash);
      else throw error;
      return;
    }
  }
}

/** A nonce is used once, whatever became of it. */
const nonces = new Map<number, number>();
function nextSubmission(sender: number): ReturnType<typeof submission> {
  const nonce = nonces.get(sender) ?? 0;
  nonces.set(sender, nonce + 1);
  return submission(sender, nonce);
}

run(
  `PostgreSQL may be killed at any moment${POSTGRES_MISSING === undefined ? '' : `: ${POSTGRES_MISSING}`}`,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      let left = 1 + Math.floor(Math.random() * GROUPS_BEFORE_KILL_MAX);
      let killed: Promise<void> | undefined;
      const confirmed = (): void => {
        left -= 1;
        // Not at the moment of a confirmation, but at any moment between two.
        if (left === 0)
          killed = new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 5)).then(() => cluster?.kill9());
      };
      await Promise.all(stores.flatMap((store, i) => [0, 1].map((j) => writeUntilKilled(store, i * 2 + j, confirmed))));
      await killed;
      await cluster?.restart();

      // Under the lock, and so behind everything that was still under way.
      const there = await (stores[0] as Store).write(async (tx) => {
        const shards = await tx.shards();
        const rows = await tx.pendingTransfers();
        for (const { id, lastSeq } of shards) {
          const seqs = rows.map(({ seq }) => seq).filter((seq) => seq % shards.length === id);
          if (seqs.length > 0) expect(Math.max(...seqs)).toBe(lastSeq);
        }
        expect(shards.reduce((sum, { pending }) => sum + pending, 0)).toBe(rows.length);
        return new Set(rows.map(({ hash }) => hash));
      });
      expect(outcomes.confirmed.filter((hash) => !there.has(hash))).toEqual([]);
      expect(outcomes.refused.filter((hash) => there.has(hash))).toEqual([]);
    }
    expect(outcomes.confirmed.length).toBeGreaterThan(ROUNDS);
    expect(outcomes.refused.length + outcomes.unknown.length).toBe(ROUNDS * 4);
  },
  ROUNDS * ROUND_MS_MAX,
);
