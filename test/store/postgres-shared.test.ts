/** Several gateways on one PostgreSQL database: one winner for a nonce, one order of all transfers, no reader ahead of it. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { accepting, initialise, submission } from './support/accepting.ts';
import { onPostgres } from './support/stores.ts';

const GROUPS = 40;
const GROUP_SIZE = 3;

onPostgres('stores that share a database', (cluster) => {
  let stores: Store[];
  beforeEach(async () => {
    const url = await cluster().database();
    stores = await Promise.all([1, 2].map(() => openPostgresStore({ url })));
    // Both at once: the second finds the chain there.
    await Promise.all(stores.map(initialise));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });
  const storeOf = (i: number): Store => stores[i % stores.length] as Store;

  test('of 50 racing writers for one nonce exactly one wins, and the others are told who', async () => {
    const racers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        // Every tenth asks for the payment of the first.
        const wanted = submission(0, 0, i % 10 === 0 ? 1n : BigInt(i + 1));
        const { judgements } = await acceptGroup(accepting(storeOf(i)), [wanted]);
        return { wanted, judgement: judgements[0] };
      }),
    );
    const winners = racers.filter(({ judgement }) => judgement?.kind === 'accepted');
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    for (const { wanted, judgement } of racers) {
      if (judgement?.kind === 'accepted') continue;
      if (wanted.amount === winner?.wanted.amount) expect(judgement).toMatchObject({ kind: 'replayed', transfer: { hash: winner.wanted.txHash } });
      else expect(judgement).toMatchObject({ kind: 'refused', refusal: { code: 'nonce_conflict', txHash: winner?.wanted.txHash } });
    }
    const { transfers } = await storeOf(0).read((tx) => tx.listTransfers({ limit: 10 }));
    expect(transfers.map(({ hash }) => hash)).toEqual([winner?.wanted.txHash]);
    expect(await storeOf(1).read((tx) => tx.counters())).toMatchObject({ nextSeq: 2, pending: 1 });
  });

  test('hand out seqs without a hole, in the order of the commits, and no reader sees a later one before an earlier', async () => {
    const commits: number[][] = [];
    const work = { over: false };
    const holes: number[][] = [];
    const readers = stores.map(async (store) => {
      let reads = 0;
      for (; !work.over; reads++) {
        const { transfers } = await store.read((tx) => tx.listTransfers({ limit: 1000 }));
        const seqs = transfers.map(({ seq }) => seq).reverse();
        if (seqs.some((seq, index) => seq !== index + 1)) holes.push(seqs);
      }
      return reads;
    });
    await Promise.all(
      Array.from({ length: GROUPS }, async (_, i) => {
        const group = Array.from({ length: GROUP_SIZE }, (__, j) => submission(i % 10, Math.floor(i / 10) * GROUP_SIZE + j));
        const { accepted } = await acceptGroup(accepting(storeOf(i)), group);
        commits.push(accepted.map(({ transfer }) => transfer.seq));
      }),
    );
    work.over = true;
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(1);
    expect(holes).toEqual([]);
    expect(commits.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: GROUPS * GROUP_SIZE }, (_, i) => i + 1));
    // Each group's are neighbours: nobody came between.
    for (const [first = 0, ...others] of commits) expect(others).toEqual(others.map((_, i) => first + i + 1));
  });

  test('show at once at one what was accepted at the other', async () => {
    const wanted = submission(0, 0);
    await acceptGroup(accepting(storeOf(0)), [wanted]);
    expect(await storeOf(1).read((tx) => tx.transferByHash(wanted.txHash))).toMatchObject({ seq: 1, status: 'pending' });
    const { judgements } = await acceptGroup(accepting(storeOf(1)), [wanted]);
    expect(judgements).toMatchObject([{ kind: 'replayed' }]);
  });

  test('apply a block once', async () => {
    const to = { chainId: 'txledger-test-1', height: 1, hash: 'A'.repeat(64), blockTimeMs: 2, uptimeMs: 3 };
    const applied = await Promise.all(Array.from({ length: 10 }, (_, i) => storeOf(i).write((tx) => tx.advanceFollower(to, ''))));
    expect(applied.filter(Boolean)).toHaveLength(1);
  });
});
