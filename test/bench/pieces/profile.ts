/** Profiles that `node --cpu-prof` writes, one for each thread of a process: what a thread did between two moments. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { groupOf } from '../measure/processor.ts';
import { type Frame, pieceOf } from './piece.ts';

/** As V8 writes it (Chrome DevTools Protocol, Profiler.Profile). Times are microseconds of the monotonic clock. */
export interface CpuProfile {
  nodes: { id: number; callFrame: Frame }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** Microseconds of the monotonic clock, from one to the other. */
export interface Span {
  fromUs: number;
  toUs: number;
}

/** Linux keeps so many characters of a thread's name. */
const THREAD_NAME_CHARS = 15;
const PROFILE = /^CPU\.\d+\.\d+\.\d+\.(\d+)\.\d+\.cpuprofile$/;
/** The entry of a thread, or the job of one that only works. */
const WORKER = /\/threads\/(?:jobs\/([\w-]+)|(?!job\.)([\w-]+)\.worker)\.ts$/;

/** The moment, on the clock of the profiles. */
export const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n);

/** Each piece's share of the samples of a span in which the thread did not wait. */
export function sharesOf(profile: CpuProfile, { fromUs, toUs }: Span): Record<string, number> {
  const pieces = new Map(profile.nodes.map(({ id, callFrame }) => [id, pieceOf(callFrame)]));
  const used: Record<string, number> = {};
  let atUs = profile.startTime;
  let allUs = 0;
  for (const [index, id] of profile.samples.entries()) {
    const tookUs = profile.timeDeltas[index] as number;
    atUs += tookUs;
    const piece = pieces.get(id);
    if (atUs < fromUs || atUs > toUs || piece === undefined) continue;
    used[piece] = (used[piece] ?? 0) + tookUs;
    allUs += tookUs;
  }
  return Object.fromEntries(Object.entries(used).map(([piece, us]) => [piece, us / allUs]));
}

function workerOf(url: string): string | undefined {
  const [, job, entry] = WORKER.exec(url) ?? [];
  return job ?? entry;
}

/** The group of the thread that wrote it, as `measure/processor.ts` groups them. */
function threadOf({ nodes }: CpuProfile, id: string): string {
  const worker =
    id === '0' ? undefined : nodes.map(({ callFrame }) => workerOf(callFrame.url)).find((name) => name !== undefined);
  return worker === undefined ? 'main' : groupOf(`txledger-${worker}`.slice(0, THREAD_NAME_CHARS));
}

/** By thread group. Of several threads of one group, the first. */
export function readProfiles(folder: string): Map<string, CpuProfile> {
  const found = new Map<string, CpuProfile>();
  for (const name of readdirSync(folder).toSorted()) {
    const id = PROFILE.exec(name)?.[1];
    if (id === undefined) continue;
    const profile = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as CpuProfile;
    const thread = threadOf(profile, id);
    if (!found.has(thread)) found.set(thread, profile);
  }
  return found;
}
