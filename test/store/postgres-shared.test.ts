/** Several gateways on one PostgreSQL database: one winner for a nonce, one order of all transfers, no reader ahead of it. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import type { Store, TransferList } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { accepting, initialise, submission } from './support/accepting.ts';
import { onPostgres } from './support/stores.ts';
import { shardOf } from '../../server/store/shards.ts';
import { devAddress } from '../ledger/support.ts';
import { pendingCount } from './support/accepted-rows.ts';

const SENDERS = 10;
const GROUPS = 6;
const GROUP_SIZE = 3;
const PAGE = 7;

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
      if (wanted.amount === winner?.wanted.amount)
        expect(judgement).toMatchObject({ kind: 'replayed', transfer: { hash: winner.wanted.txHash } });
      else
        expect(judgement).toMatchObject({
          kind: 'refused',
          refusal: { code: 'nonce_conflict', txHash: winner?.wanted.txHash },
        });
    }
    const { transfers } = await storeOf(0).read((tx) => tx.listTransfers({ limit: 10 }));
    expect(transfers.map(({ hash }) => hash)).toEqual([winner?.wanted.txHash]);
    expect(await storeOf(1).read(pendingCount)).toBe(1);
  });

  test('give pages that have every transfer once that was acknowledged before the first, while all shards go on', async () => {
    const acknowledged: { hash: string; seq: number }[] = [];
    const work = { over: false };
    const faults: object[] = [];
    const walks = stores.map(async (store) => {
      let walked = 0;
      for (; !work.over || walked === 0; walked++) {
        const before = [...acknowledged];
        const found: { hash: string; seq: number }[] = [];
        for (let next: number | undefined = Number.MAX_SAFE_INTEGER; next !== undefined;) {
          const page: TransferList = await store.read((tx) => tx.listTransfers({ limit: PAGE, before: next! }));
          found.push(...page.transfers);
          next = page.nextBefore;
        }
        const seqs = found.map(({ seq }) => seq);
        const hashes = new Set(found.map(({ hash }) => hash));
        const missing = before.filter(({ hash }) => !hashes.has(hash));
        if (
          hashes.size !== found.length ||
          missing.length > 0 ||
          seqs.some((seq, i) => i > 0 && seq >= (seqs[i - 1] as number))
        )
          faults.push({ seqs, missing });
      }
      return walked;
    });
    const shards = storeOf(0).shards;
    await Promise.all(
      Array.from({ length: SENDERS }, async (_, from) => {
        for (let group = 0; group < GROUPS; group++) {
          const sent = Array.from({ length: GROUP_SIZE }, (__, j) => submission(from, group * GROUP_SIZE + j));
          const last = Math.max(0, ...acknowledged.map(({ seq }) => seq));
          const { accepted } = await acceptGroup(accepting(storeOf(from + group)), sent);
          const seqs = accepted.map(({ transfer }) => transfer.seq);
          expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
          expect(seqs.map((seq) => seq % shards)).toEqual(seqs.map(() => shardOf(devAddress(from), shards)));
          // What was acknowledged before it was sent is older.
          expect(seqs[0]).toBeGreaterThan(last);
          acknowledged.push(...accepted.map(({ transfer }) => transfer));
        }
      }),
    );
    work.over = true;
    for (const walked of await Promise.all(walks)) expect(walked).toBeGreaterThan(1);
    expect(faults).toEqual([]);
    expect(new Set(acknowledged.map(({ seq }) => seq)).size).toBe(SENDERS * GROUPS * GROUP_SIZE);
  });

  test('show at once at one what was accepted at the other', async () => {
    const wanted = submission(0, 0);
    await acceptGroup(accepting(storeOf(0)), [wanted]);
    expect(await storeOf(1).read((tx) => tx.transferByHash(wanted.txHash))).toMatchObject({
      hash: wanted.txHash,
      status: 'pending',
    });
    const { judgements } = await acceptGroup(accepting(storeOf(1)), [wanted]);
    expect(judgements).toMatchObject([{ kind: 'replayed' }]);
  });

  test('apply a block once', async () => {
    const to = { chainId: 'txledger-test-1', height: 1, hash: 'A'.repeat(64), blockTimeMs: 2, uptimeMs: 3 };
    const applied = await Promise.all(
      Array.from({ length: 10 }, (_, i) => storeOf(i).write((tx) => tx.advanceFollower(to, ''))),
    );
    expect(applied.filter(Boolean)).toHaveLength(1);
  });
});
