/** What is asked of a ledger, in this order in each round. Writes come first, so that the reads find a history. */
import { closedLoop } from '../load/closed-loop.ts';
import type { LoadResult } from '../load/load-result.ts';
import { openLoop } from '../load/open-loop.ts';
import type { LedgerSession, Posts } from '../sides/session.ts';
import { PAYERS, type SetName } from '../transfers/payers.ts';

export interface Sizes {
  transfers: number;
  reads: number;
}

/** A scenario made ready on one server: the load itself, and what has to be put right after it. */
export interface Ready {
  load(): Promise<LoadResult>;
  /** So many of the same, unmeasured: a baseline is warmed up with what it is measured with, too. */
  warmUp?: (count: number) => Promise<unknown>;
  repair?: Posts['repair'];
  operationsPerRequest?: number;
  /** Loads that run beside the measured one, by the scenario under which they are reported. */
  beside?: () => Record<string, LoadResult>;
}

export interface Scenario {
  name: string;
  title: string;
  /** How many transfers of which set one phase sends. */
  takes: Partial<Record<SetName, number>>;
  /** What raw Express answers beside it. */
  baseline?: 'POST' | ReadName;
  /** @param maximumPerS the rate of `post-128` of the same server in the same round. @returns undefined where the server cannot do it. */
  ready(session: LedgerSession, maximumPerS: number | undefined): Ready | undefined;
}

export type ReadName = 'list10' | 'byId' | 'account' | 'list100';
export const READ_NAMES: readonly ReadName[] = ['list10', 'byId', 'account', 'list100'];
const READ_TITLES: Record<ReadName, string> = {
  list10: 'GET list of 10',
  byId: 'GET by id',
  account: 'GET account',
  list100: 'GET list of 100',
};
export const CONNECTIONS = 32;
const OPEN_LOOP_CONNECTIONS = 256;
const OPEN_LOOP_PERCENT = [50, 70, 90];
const IDS_MAX = 2000;

/** The paths of a read: many ids and accounts, so that no single row is the one that is always in a cache. */
export function readPaths({ sets, sent, asked }: LedgerSession): Record<ReadName, string[]> {
  const count = Math.min(IDS_MAX, sent.known);
  const step = Math.max(1, Math.floor(sent.known / count));
  const chosen = Array.from({ length: count }, (_, at) => at * step);
  for (const index of chosen) asked.add(index);
  return {
    list10: ['/transactions?limit=10'],
    list100: ['/transactions?limit=100'],
    byId: chosen.map((index) => `/transactions/${sets.known.hash(index)}`),
    account: PAYERS.known.map(({ address }) => `/accounts/${address}`),
  };
}

/** The paths of so many ids, or fewer, that were never asked for, from the newest on. They count as asked for from here on. */
function firstPaths({ sets, sent, asked }: LedgerSession, count: number): string[] {
  const paths: string[] = [];
  for (let index = sent.known - 1; index >= 0 && paths.length < count; index -= 1) {
    if (asked.has(index)) continue;
    asked.add(index);
    paths.push(`/transactions/${sets.known.hash(index)}`);
  }
  return paths;
}

function posts(name: string, title: string, connections: number, count: number, set: SetName = 'known'): Scenario {
  const ready = (session: LedgerSession): Ready => {
    const { work, repair } = session.posts(set, count, connections);
    return { load: () => closedLoop(work), repair };
  };
  return { name, title, takes: { [set]: count }, ready };
}

function batches(size: number, transfers: number, connections: number): Scenario {
  const count = Math.max(connections, Math.ceil(transfers / size));
  const ready = (session: LedgerSession): Ready | undefined => {
    if (!session.hasBatch) return undefined;
    const { work, repair } = session.batches(count, size, connections);
    return { load: () => closedLoop(work), repair, operationsPerRequest: size };
  };
  return {
    name: `batch-${size}`,
    title: `batches of ${size}, ${connections} connections`,
    takes: { known: count * size },
    ready,
  };
}

function open(percent: number, count: number): Scenario {
  const ready = (session: LedgerSession, maximumPerS: number | undefined): Ready | undefined => {
    if (maximumPerS === undefined) return undefined;
    const { work, repair } = session.posts('known', count, OPEN_LOOP_CONNECTIONS);
    return { load: () => openLoop(work, (maximumPerS * percent) / 100), repair };
  };
  return {
    name: `open-${percent}`,
    title: `POST, open loop at ${percent} % of the maximum`,
    takes: { known: count },
    ready,
  };
}

function read(kind: ReadName, count: number): Scenario {
  const ready = (session: LedgerSession): Ready => {
    const paths = readPaths(session)[kind];
    const reading = (requests: number): Promise<LoadResult> => closedLoop(session.reads(paths, requests, CONNECTIONS));
    return { load: () => reading(count), warmUp: reading };
  };
  return { name: kind, title: `${READ_TITLES[kind]}, ${CONNECTIONS} connections`, takes: {}, baseline: kind, ready };
}

/** Each id once, after reads of others: what a server keeps of what was read before helps nothing here. */
function firstReads(count: number): Scenario {
  const ready = (session: LedgerSession): Ready => {
    const others = readPaths(session).byId;
    const paths = firstPaths(session, count);
    return {
      load: () => closedLoop(session.reads(paths, paths.length, CONNECTIONS)),
      warmUp: (requests) => closedLoop(session.reads(others, requests, CONNECTIONS)),
    };
  };
  return {
    name: 'byId-first',
    title: `GET by id, each for the first time, ${CONNECTIONS} connections`,
    takes: {},
    baseline: 'byId',
    ready,
  };
}

/** Reads over one connection each while 32 others write. */
function readsWhileWriting(count: number): Scenario {
  const ready = (session: LedgerSession): Ready => {
    const paths = readPaths(session);
    const { work, repair } = session.posts('known', count, CONNECTIONS);
    const beside: Record<string, LoadResult> = {};
    const load = async (): Promise<LoadResult> => {
      let writing = true;
      const reading = READ_NAMES.map(async (kind) => {
        beside[`${kind}-while-writing`] = await closedLoop(session.reads(paths[kind], count, 1), () => !writing);
      });
      const written = await closedLoop(work);
      writing = false;
      await Promise.all(reading);
      return written;
    };
    return { load, repair, beside: () => beside };
  };
  return {
    name: 'writes-while-reading',
    title: 'POST, 32 connections, beside 4 that read',
    takes: { known: count },
    ready,
  };
}

/** One connection is slow and needs few; receivers never seen and the open loop need fewer than the rest. */
const share = (count: number, part: number): number => Math.max(100, Math.round(count / part));

export function scenarios({ transfers, reads }: Sizes): Scenario[] {
  return [
    { ...posts('post-1', 'POST, 1 connection', 1, share(transfers, 8)), baseline: 'POST' },
    { ...posts('post-32', 'POST, 32 connections', CONNECTIONS, transfers), baseline: 'POST' },
    posts('post-128', 'POST, 128 connections', 128, transfers),
    ...OPEN_LOOP_PERCENT.map((percent) => open(percent, share(transfers, 2))),
    posts('post-fresh', 'POST, receivers never seen, 32 connections', CONNECTIONS, share(transfers, 4), 'fresh'),
    batches(100, 2 * transfers, 8),
    batches(1000, 2 * transfers, 4),
    ...READ_NAMES.map((kind) => read(kind, reads)),
    firstReads(reads),
    readsWhileWriting(share(transfers, 2)),
  ];
}

/** Titles of the reads beside writes, which have no phase of their own. */
export const BESIDE_TITLES: Record<string, string> = Object.fromEntries(
  READ_NAMES.map((kind) => [`${kind}-while-writing`, `${READ_TITLES[kind]} while 32 connections write`]),
);
