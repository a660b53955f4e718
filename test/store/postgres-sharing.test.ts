/** Leases and announcements between the gateways on one PostgreSQL database. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreChange, StoreSharing } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { LISTEN_ANSWER_MS_MAX, LISTEN_PROBE_MS } from '../../server/store/postgres/limits.ts';
import { Proxy } from './support/proxy.ts';
import { onPostgres } from './support/stores.ts';
import { countOn } from './support/accepted-rows.ts';

const TTL_MS = 400;
const LONG_MS = 3_600_000;
const POLL_MS = 20;
const SLACK_MS = 5000;

/** What a listener was told, and a way to wait for more. */
function hearing(store: Store): {
  heard: StoreChange[];
  until(enough: (heard: StoreChange[]) => boolean): Promise<void>;
  stop(): void;
} {
  const heard: StoreChange[] = [];
  let changed = (): void => undefined;
  const stop = sharingOf(store).watch((change) => {
    heard.push(change);
    changed();
  });
  const until = async (enough: (heard: StoreChange[]) => boolean): Promise<void> => {
    while (!enough(heard)) await new Promise<void>((resolve) => (changed = resolve));
  };
  return { heard, until, stop };
}

function sharingOf(store: Store): StoreSharing {
  if (store.sharing === undefined) throw new Error('the store is not shared');
  return store.sharing;
}

const missed = (heard: StoreChange[]): number => heard.filter(({ kind }) => kind === 'missed').length;

onPostgres('gateways that share a database', (cluster) => {
  let a: Store;
  let b: Store;
  let c: Store;
  beforeEach(async () => {
    const url = await cluster().storeDatabase();
    [a, b, c] = (await Promise.all([1, 2, 3].map(() => openPostgresStore({ url })))) as [Store, Store, Store];
  });
  afterEach(async () => {
    for (const store of [a, b, c]) await store.close();
  });

  describe('a lease', () => {
    const hold = (store: Store, holder: string, ttlMs: number, name = 'work') =>
      sharingOf(store).holdLease(name, holder, ttlMs);

    test('is taken from a holder that does not do the work, who then loses it', async () => {
      expect(await hold(a, 'a', LONG_MS)).toBe(true);
      expect(await sharingOf(b).holdLease('work', 'b', LONG_MS, true)).toBe(true);
      expect(await hold(a, 'a', LONG_MS)).toBe(false);
      expect(await hold(b, 'b', LONG_MS)).toBe(true);
    });

    test('has one holder at a time, who renews it; another name is another lease', async () => {
      const taken = await Promise.all(['a', 'b', 'c'].map((holder, i) => hold([a, b, c][i] as Store, holder, LONG_MS)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const holder = ['a', 'b', 'c'][taken.indexOf(true)] as string;
      expect(await hold(b, holder, LONG_MS)).toBe(true);
      expect(await hold(b, 'somebody', LONG_MS)).toBe(false);
      expect(await hold(b, 'somebody', LONG_MS, 'other work')).toBe(true);
    });

    test('of a holder that fell silent goes to the next when its time is over, and not before', async () => {
      const startMs = performance.now();
      expect(await hold(a, 'a', TTL_MS)).toBe(true);
      while (!(await hold(b, 'b', LONG_MS))) await sleep(POLL_MS);
      expect(performance.now() - startMs).toBeGreaterThanOrEqual(TTL_MS);
      // Back from its pause, the former holder learns that it is none, and takes nothing from the new one.
      expect(await hold(a, 'a', TTL_MS)).toBe(false);
      await sharingOf(a).dropLease('work', 'a');
      expect(await hold(a, 'a', TTL_MS)).toBe(false);
      expect(await hold(b, 'b', LONG_MS)).toBe(true);
    });

    test('of a holder whose session has ended goes to the next at once', async () => {
      await hearing(a).until((heard) => missed(heard) === 1);
      expect(await hold(a, 'a', LONG_MS)).toBe(true);
      expect(await hold(b, 'b', LONG_MS)).toBe(false);
      expect(await hold(a, 'a', LONG_MS)).toBe(true);
      // As the server sees a process that was killed.
      await cluster().query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
      const startMs = performance.now();
      while (!(await hold(b, 'b', LONG_MS)) && performance.now() - startMs < SLACK_MS) await sleep(POLL_MS);
      expect(await hold(b, 'b', LONG_MS)).toBe(true);
      expect(await hold(a, 'a', LONG_MS)).toBe(false);
    });

    test('that its holder drops is free at once', async () => {
      expect(await hold(a, 'a', LONG_MS)).toBe(true);
      await sharingOf(a).dropLease('work', 'a');
      expect(await hold(b, 'b', LONG_MS)).toBe(true);
    });

    test('is renewed while a writer is at work', async () => {
      await a.write(async (tx) => {
        await tx.shards();
        expect(await hold(b, 'b', LONG_MS)).toBe(true);
      });
    });

    test('cannot be had while the server is away: that is said, not guessed', async () => {
      await cluster().shutdown();
      await expect(hold(a, 'a', LONG_MS)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      await cluster().restart();
      expect(await hold(a, 'a', LONG_MS)).toBe(true);
    });
  });

  describe('an announcement', () => {
    /** Takes the next seq and tells of it. */
    const announceNext = (store: Store) =>
      store.write(async (tx) => {
        await tx.announce({ kind: 'applied', height: await countOn(tx) });
      });

    test('reaches the other gateways in the order of the commits, and not its sender', async () => {
      const [atA, atB] = [hearing(a), hearing(b)];
      for (const ear of [atA, atB]) await ear.until((heard) => missed(heard) === 1);
      await Promise.all(Array.from({ length: 40 }, (_, i) => announceNext(i % 2 === 0 ? a : c)));
      await announceNext(c);
      const last = (heard: StoreChange[]) => heard.some((change) => change.kind === 'applied' && change.height === 41);
      for (const ear of [atA, atB]) await ear.until(last);
      const heights = (heard: StoreChange[]) =>
        heard.flatMap((change) => (change.kind === 'applied' ? change.height : []));
      expect(heights(atB.heard)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
      expect(heights(atA.heard)).toHaveLength(21);
      expect(heights(atA.heard)).toEqual(heights(atA.heard).toSorted((x, y) => x - y));
    });

    test('of a transaction that failed is never heard, and one listener less is told nothing', async () => {
      const [atB, stopped] = [hearing(b), hearing(b)];
      await atB.until((heard) => missed(heard) === 1);
      stopped.stop();
      const fails = a.write(async (tx) => {
        await tx.announce({ kind: 'accepted' });
        throw new Error('changed my mind');
      });
      await expect(fails).rejects.toThrow('changed my mind');
      await a.write((tx) => tx.announce({ kind: 'applied', height: 7 }));
      await atB.until((heard) => heard.length === 2);
      expect(atB.heard).toEqual([{ kind: 'missed' }, { kind: 'applied', height: 7 }]);
      expect(stopped.heard).toEqual([{ kind: 'missed' }]);
    });

    test('of many cancels arrives whole, in pieces', async () => {
      const atB = hearing(b);
      await atB.until((heard) => missed(heard) === 1);
      const seqs = Array.from({ length: 1000 }, (_, i) => Number.MAX_SAFE_INTEGER - i);
      await a.write((tx) => tx.announce({ kind: 'cancel_requested', seqs }));
      const told = (heard: StoreChange[]) =>
        heard.flatMap((change) => (change.kind === 'cancel_requested' ? change.seqs : []));
      await atB.until((heard) => told(heard).length >= seqs.length);
      expect(told(atB.heard)).toEqual(seqs);
      expect(atB.heard.length).toBeGreaterThan(2);
    });

    test('may have been missed whenever the connection was away, which is told each time', async () => {
      const atB = hearing(b);
      await atB.until((heard) => missed(heard) === 1);
      await cluster().query("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'");
      await atB.until((heard) => missed(heard) === 2);
      await cluster().kill9();
      await cluster().restart();
      await atB.until((heard) => missed(heard) === 3);
      await announceNext(a);
      await atB.until((heard) => heard.at(-1)?.kind === 'applied');
    });

    test('is not waited for on a connection whose other end vanished', async () => {
      const { proxy, url } = await Proxy.before(await cluster().storeDatabase());
      const remote = await openPostgresStore({ url });
      try {
        const ear = hearing(remote);
        await ear.until((heard) => missed(heard) === 1);
        proxy.freeze();
        await proxy.joined(LISTEN_PROBE_MS + LISTEN_ANSWER_MS_MAX + SLACK_MS);
        proxy.thaw();
        await ear.until((heard) => missed(heard) === 2);
      } finally {
        await remote.close();
        await proxy.close();
      }
    });
  });
});
