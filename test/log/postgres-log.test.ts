/**
 * The log in PostgreSQL, on real servers with a standby and over connections that break: what is acknowledged is there once, behind what its process had
 * applied, and nothing that was only found is taken for durable (protocol.md, rules 27, 28, 30).
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Appended, ENTRY_FORMAT, firstEntry, type LogPlace, LogSteppedBackError } from '../../server/log/log.ts';
import { PostgresLog } from '../../server/log/postgres/log.ts';
import { PARTITION_ENTRIES } from '../../server/log/postgres/schema.ts';
import { SqliteLog } from '../../server/log/sqlite-log.ts';
import { Proxy } from '../store/support/proxy.ts';
import { onPostgres, runOn } from '../store/support/stores.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';

const CHAIN = { chainId: 'log-test', genesisHash: 'AB'.repeat(32) };
const ALL = Number.MAX_SAFE_INTEGER;
/** Short, so that a test of what has no answer ends soon; long enough for an answer of a busy machine. */
const ANSWER_MS = 1500;
const SETTLE_MS = 300;
const TRIES_MAX = 60;
const PAUSE_MS = 20;
const FIRST: LogPlace = { seq: 0, hash: firstEntry(CHAIN).hash };
const RACED = 150;
const KILLS = 4;

const entry = (text: string): Buffer => Buffer.concat([Buffer.of(ENTRY_FORMAT), Buffer.from(text)]);
const textOf = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).subarray(1).toString();

let open: PostgresLog[] = [];
let proxies: Proxy[] = [];
const opened = async (url: string, base?: LogPlace): Promise<PostgresLog> => {
  const log = await PostgresLog.open({
    url,
    chain: CHAIN,
    answerMs: ANSWER_MS,
    settleMs: SETTLE_MS,
    ...(base && { base }),
  });
  open.push(log);
  return log;
};
afterEach(async () => {
  for (const log of open) log.close();
  for (const proxy of proxies) await proxy.close();
  open = [];
  proxies = [];
});

async function texts(log: PostgresLog, after = FIRST): Promise<string[] | undefined> {
  const all: string[] = [];
  for (let place = after; ;) {
    const found = await log.tail(place, ALL);
    if (found === undefined) return undefined;
    if (found.length === 0) return all;
    all.push(...found.map(textOf));
    place = found.at(-1) as LogPlace;
  }
}

function durable(appended: Appended): LogPlace {
  if (appended.outcome !== 'durable') throw new Error(`an append was ${JSON.stringify(appended)}`);
  return appended.place;
}
const append = async (log: PostgresLog, behind: LogPlace, text: string): Promise<LogPlace> =>
  durable(await log.append(behind, entry(text)));

/** Until there is an outcome. */
async function known(log: PostgresLog, behind: LogPlace, text: string): Promise<Appended> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const appended = await log.append(behind, entry(text));
    if (appended.outcome === 'durable' || appended.outcome === 'taken') return appended;
    await sleep(PAUSE_MS);
  }
  throw new Error(`no outcome of ${text} after ${TRIES_MAX} tries`);
}

onPostgres('the log in PostgreSQL', (cluster) => {
  let url: string;
  beforeEach(async () => {
    url = await cluster().database();
  });

  test('entries are there in order, for every process, with the hashes that a log in a file has', async () => {
    const [one, other] = [await opened(url), await opened(url)];
    expect(await one.head()).toEqual(FIRST);
    const words = Array.from({ length: 30 }, (_, at) => `entry ${at} ${'x'.repeat(at * 100)}`);
    const inFile = SqliteLog.open({ path: ':memory:', chain: CHAIN });
    let place = FIRST;
    for (const word of words) {
      place = await append(one, place, word);
      inFile.append(inFile.head(), entry(word));
      expect(await other.head()).toEqual(place);
    }
    expect(Buffer.from(inFile.head().hash).equals(place.hash)).toBe(true);
    inFile.close();
    expect(await texts(other)).toEqual(words);
    expect(await (await opened(url)).head()).toEqual(place);
    const [{ storage }] = await runOn(
      url,
      "select attstorage as storage from pg_attribute where attrelid = 'log_0'::regclass and attname = 'bytes'",
    );
    expect(storage).toBe('e');
  });

  test('nothing is appended behind a place that is not the last entry, or that another history has', async () => {
    const log = await opened(url);
    const first = await append(log, FIRST, 'first');
    const second = await append(log, first, 'second');
    for (const behind of [first, { seq: 7, hash: second.hash }, { seq: second.seq, hash: first.hash }])
      expect(await log.append(behind, entry('no'))).toEqual({ outcome: 'taken' });
    expect(await texts(log)).toEqual(['first', 'second']);
  });

  test('of processes that append at once one has each place, and the others apply what it wrote and try again', async () => {
    const logs = await Promise.all([1, 2, 3].map(() => opened(url)));
    const applied = await Promise.all(
      logs.map(async (log, process) => {
        let head = FIRST;
        const all: string[] = [];
        for (let at = 0; at < RACED;) {
          const text = `${process}/${at}`;
          const appended = await known(log, head, text);
          if (appended.outcome === 'durable') {
            head = appended.place;
            all.push(text);
            at += 1;
          } else
            for (const found of (await log.tail(head, ALL)) ?? []) {
              head = found;
              all.push(textOf(found));
            }
        }
        return all;
      }),
    );
    const all = (await texts(logs[0] as PostgresLog)) ?? [];
    expect(all).toHaveLength(3 * RACED);
    expect(new Set(all).size).toBe(3 * RACED);
    for (const [process, seen] of applied.entries()) {
      // A process has applied a beginning of the log, in its order.
      expect(all.slice(0, seen.length)).toEqual(seen);
      expect(all.filter((text) => text.startsWith(`${process}/`))).toEqual(
        Array.from({ length: RACED }, (_, at) => `${process}/${at}`),
      );
    }
  });

  test('a tail ends at its bound and has one entry at least; one from before the base is not there', async () => {
    const log = await opened(url);
    let place = FIRST;
    const places: LogPlace[] = [];
    for (const letter of ['a', 'b', 'c']) places.push((place = await append(log, place, letter.repeat(100))));
    expect((await log.tail(FIRST, 1))?.length).toBe(1);
    expect((await log.tail(FIRST, 202))?.length).toBe(2);
    expect(await log.tail(places[2] as LogPlace, ALL)).toEqual([]);
    expect(await texts(log, places[1])).toEqual(['c'.repeat(100)]);
  });

  test('a log begins behind the base that it is given, and drops whole partitions of old entries', async () => {
    const base: LogPlace = { seq: PARTITION_ENTRIES - 3, hash: createHash('sha256').update('base').digest() };
    const log = await opened(url, base);
    expect(await log.head()).toEqual(base);
    const places: LogPlace[] = [base];
    for (const text of ['a', 'b', 'c', 'd', 'e']) places.push(await append(log, places.at(-1) as LogPlace, text));
    expect(await texts(log, base)).toEqual(['a', 'b', 'c', 'd', 'e']);
    // The last one of the first partition.
    const end = places[2] as LogPlace;
    expect(await log.prune(end.seq)).toBe(0);
    expect(await log.prune(end.seq + 1)).toBe(1);
    expect(await log.tail(base, ALL)).toBeUndefined();
    expect(await texts(log, end)).toEqual(['c', 'd', 'e']);
    expect(await log.append(base, entry('late'))).toEqual({ outcome: 'taken' });
    expect(await log.append(end, entry('late'))).toEqual({ outcome: 'taken' });
    await append(log, places.at(-1) as LogPlace, 'f');
    expect(await texts(await opened(url), places[4])).toEqual(['e', 'f']);
  });

  test('the log of another chain, a later version, a changed and a missing entry are refused by a sentence', async () => {
    const log = await opened(url);
    let place = FIRST;
    for (const text of ['a', 'b', 'c']) place = await append(log, place, text);
    const other = PostgresLog.open({ url, chain: { ...CHAIN, chainId: 'other' } });
    await expect(other).rejects.toThrow(/has the log of chain log-test with genesis .*, and this gateway is of other/);
    await runOn(url, `update log set bytes = '\\x01ff' where seq = 2`);
    await expect(log.tail(FIRST, ALL)).rejects.toThrow(/the hash of entry 2 is not that of its bytes/);
    await runOn(url, 'delete from log where seq = 2');
    await expect(log.tail(FIRST, ALL)).rejects.toThrow(/has entry 3 behind entry 1: entries are missing/);
    await runOn(url, 'update log_state set version = 2');
    await expect(PostgresLog.open({ url, chain: CHAIN })).rejects.toThrow(/version 2, and this program knows 1/);
  });

  test.each([
    ['its answer is lost', (proxy: Proxy) => proxy.loseAnswers()],
    ['it does not arrive', (proxy: Proxy) => proxy.forget()],
  ])('an append of which %s is unknown, and is there once when it was asked for again', async (_, fault) => {
    const direct = await opened(url);
    const through = await Proxy.before(url);
    proxies.push(through.proxy);
    const log = await opened(through.url);
    const first = await append(log, FIRST, 'first');
    fault(through.proxy);
    expect(await log.append(first, entry('second'))).toMatchObject({ outcome: 'unknown' });
    // Another one has to wait: which of the two comes first would not be known.
    await expect(log.append(first, entry('third'))).rejects.toThrow(TypeError);
    expect((await known(log, first, 'second')).outcome).toBe('durable');
    expect(await texts(direct)).toEqual(['first', 'second']);
  });

  test('an append whose place another process took while its outcome was unknown is taken', async () => {
    const direct = await opened(url);
    const through = await Proxy.before(url);
    proxies.push(through.proxy);
    const log = await opened(through.url);
    const first = await append(log, FIRST, 'first');
    through.proxy.forget();
    expect(await log.append(first, entry('mine'))).toMatchObject({ outcome: 'unknown' });
    await append(direct, first, 'theirs');
    expect(await known(log, first, 'mine')).toEqual({ outcome: 'taken' });
    expect(await texts(log)).toEqual(['first', 'theirs']);
  });

  test('a question and a confirmation over a way that is cut without a sign have no answer, and the next ones another way', async () => {
    const through = await Proxy.before(url);
    proxies.push(through.proxy);
    const log = await opened(through.url);
    const first = await append(log, FIRST, 'first');
    await log.head();
    through.proxy.forget();
    await expect(log.head()).rejects.toThrow(/did not answer within/);
    await expect(log.confirm(first)).rejects.toThrow(/did not answer within/);
    expect(await log.head()).toEqual(first);
    expect(await log.confirm(first)).toBe(true);
  });

  test('without a server an append is held, as long as it was not sent; questions say that there is no answer', async () => {
    const through = await Proxy.before(url);
    const log = await opened(through.url);
    const first = await append(log, FIRST, 'first');
    await through.proxy.close();
    // The first one finds the connection broken while it is sent, or has to make a new one.
    expect(['held', 'unknown']).toContain((await log.append(first, entry('second'))).outcome);
    await expect(log.head()).rejects.toThrow(/PostgreSQL at/);
    expect(await texts(await opened(url))).toEqual(['first']);
  });
});

const withServers = POSTGRES_MISSING === undefined ? describe : describe.skip;
withServers('a log whose server is killed, and one with a standby', () => {
  let primary: PostgresCluster;
  let standby: PostgresCluster | undefined;
  beforeAll(async () => {
    primary = await PostgresCluster.start(['synchronous_commit=off', 'wal_keep_size=64']);
  }, CLUSTER_TIMEOUT_MS);
  afterAll(async () => {
    await standby?.stop();
    await primary.stop();
  }, CLUSTER_TIMEOUT_MS);

  test(
    'what was acknowledged is there once after each kill, and nothing else but what has no outcome',
    async () => {
      const url = await primary.database();
      const log = await opened(url);
      let head = FIRST;
      const acknowledged: string[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        const ended = new Promise<void>((resolve) =>
          setTimeout(() => void primary.kill9().then(resolve), 40 + 60 * kill),
        );
        for (let at = 0; ; at += 1) {
          const text = `${kill}/${at}`;
          const appended = await log.append(head, entry(text));
          if (appended.outcome === 'durable') {
            head = appended.place;
            acknowledged.push(text);
            continue;
          }
          expect(['unknown', 'held']).toContain(appended.outcome);
          await ended;
          await primary.restart();
          head = durable(await known(log, head, text));
          acknowledged.push(text);
          break;
        }
      }
      expect(await texts(log)).toEqual(acknowledged);
    },
    CLUSTER_TIMEOUT_MS,
  );

  test(
    'with a synchronous standby that is away nothing is durable: not by a wait, not by a session that was ended, not by what is found',
    async () => {
      const url = await primary.database();
      standby = await PostgresCluster.copyOf(primary, ['cluster_name=standby'], { standby: true });
      const log = await opened(url);
      const first = await append(log, FIRST, 'first');
      await primary.query("alter system set synchronous_standby_names = '*'");
      await primary.query('select pg_reload_conf()');
      await standby.shutdown();

      expect(await log.append(first, entry('second'))).toMatchObject({ outcome: 'unknown' });
      const reader = await opened(url);
      expect(await texts(reader)).toEqual(['first']);
      // An administrator ends the session that waits: its entry is seen from now on, and the standby does not have it.
      await primary.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and query like 'insert into log%'",
      );
      expect(await seen(reader, 'second')).toBe(true);
      expect(await log.append(first, entry('second'))).toMatchObject({ outcome: 'unknown' });
      const [, second] = (await reader.tail(FIRST, ALL)) ?? [];
      await expect(reader.confirm(second as LogPlace)).rejects.toThrow(/did not answer within/);

      await standby.restart();
      expect((await known(log, first, 'second')).outcome).toBe('durable');
      expect(await reader.confirm(second as LogPlace)).toBe(true);
      expect(await reader.confirm({ seq: 2, hash: first.hash })).toBe(false);
      expect(await texts(reader)).toEqual(['first', 'second']);
    },
    CLUSTER_TIMEOUT_MS,
  );

  test(
    'after the promotion of a standby that lacks entries their reader is told what the log has, and may append them again',
    async () => {
      await primary.query("alter system set synchronous_standby_names = ''");
      await primary.query('select pg_reload_conf()');
      const url = await primary.database();
      const both = url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${primary.port},127.0.0.1:${standby!.port}`);
      const log = await opened(both);
      const first = await append(log, FIRST, 'first');
      await caughtUp(primary, standby as PostgresCluster);
      // Its receiver stops, so it lacks what comes now.
      await standby!.query("alter system set primary_conninfo = ''");
      await standby!.query('select pg_reload_conf()');
      await until(async () => (await standby!.query('select 1 from pg_stat_wal_receiver')).length === 0);
      const second = await append(log, first, 'second');
      const third = await append(log, second, 'third');
      await primary.kill9();
      await standby!.promote();

      const lost = await steppedBack(log, third);
      expect(lost.head).toEqual(first);
      // Nothing new before those that hold what it lacks had time to append it again; that itself waits for nothing.
      expect(log.settlesInMs()).toBeGreaterThan(0);
      expect(await log.append(first, entry('another'))).toMatchObject({ outcome: 'held' });
      expect(durable(await log.appendAgain(first, entry('second')))).toEqual(second);
      expect(durable(await log.appendAgain(first, entry('second')))).toEqual(second);
      expect(durable(await log.appendAgain(second, entry('third')))).toEqual(third);
      expect(await log.appendAgain(first, entry('another'))).toEqual({ outcome: 'taken' });
      expect((await known(log, third, 'fourth')).outcome).toBe('durable');
      expect(await texts(log)).toEqual(['first', 'second', 'third', 'fourth']);
    },
    CLUSTER_TIMEOUT_MS,
  );
});

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(PAUSE_MS);
}

async function seen(log: PostgresLog, text: string): Promise<boolean> {
  await until(async () => (await texts(log))?.includes(text) === true);
  return true;
}

async function caughtUp(primary: PostgresCluster, standby: PostgresCluster): Promise<void> {
  const [{ lsn }] = await primary.query('select pg_current_wal_lsn()::text as lsn');
  await until(async () => {
    const [{ there }] = await standby.query(`select pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn as there`);
    return there === true;
  });
}

/** While the primary is looked for a question has no answer. */
async function steppedBack(log: PostgresLog, after: LogPlace): Promise<LogSteppedBackError> {
  for (;;) {
    try {
      await log.tail(after, ALL);
      throw new Error('the log has what its standby lacked');
    } catch (error) {
      if (error instanceof LogSteppedBackError) return error;
      if ((error as Error).name !== 'LogUnavailableError') throw error;
    }
  }
}
