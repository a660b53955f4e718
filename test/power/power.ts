/** Cuts the power of recorded lives again and again, and judges each disk that is left. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { chance } from '../client/chaos/chance.ts';
import type { Program } from '../e2e/support/server.ts';
import { type Claim, claimsOf } from './claims.ts';
import { type Cut, CUT_MEANINGS, CUTS, Disk, writeDisk } from './disk.ts';
import { judgeDisk, Told } from './judge.ts';
import { lifeFolder, livesIn } from './lives.ts';
import { readRecords, type LogRecord } from './recording.ts';

/** Disks that are judged at the same time: a start is mostly work of one processor. */
const BESIDE_EACH_OTHER = 2;
/** Verification takes as long as all the rest, and what it finds is not the cut's alone. */
const VERIFIED_EACH = 6;
/** Of the cuts: so many fall right behind something that was said, which must be durable by then; the others fall anywhere. */
const BEHIND_CLAIM_SHARE = 0.6;
/** How often each kind of cut is made, in the order of CUTS. */
const WEIGHTS: Readonly<Record<Cut, number>> = { lose: 3, prefix: 2, files: 1, pages: 3, sectors: 3, keep: 0.3 };

export interface PowerOptions {
  /** Of the lives. */
  folder: string;
  states: number;
  seed: number;
  program: Program;
  /** Nothing more is judged behind a fault. */
  isFirstEnough: boolean;
  tell: (line: string) => void;
}

interface Life {
  records: LogRecord[];
  claims: Claim[];
}

interface State {
  /** From 1. */
  number: number;
  life: number;
  /** Records before the cut. */
  records: number;
  cut: Cut;
}

/** @returns what is wrong; disks with a fault stay in the folder, as they were before anything was started on them. */
export async function cutThePower({
  folder,
  states,
  seed,
  program,
  isFirstEnough,
  tell,
}: PowerOptions): Promise<string[]> {
  const lives = Array.from({ length: livesIn(folder) }, (_, index): Life => {
    const records = readRecords(path.join(lifeFolder(folder, index + 1), 'log'));
    return { records, claims: claimsOf(records) };
  });
  const count = (of: (life: Life) => number): number => lives.reduce((sum, life) => sum + of(life), 0);
  const syncs = count(({ records }) => records.filter(({ kind }) => kind === 'synced').length);
  const said = count(({ claims }) => claims.length);
  tell(`recorded: ${count(({ records }) => records.length)} records, ${syncs} syncs, ${said} things said to clients`);

  const faults: string[] = [];
  const made = disksOf(folder, lives, planned(lives, states, seed), seed);
  let judged = 0;
  const judgeAll = async (): Promise<void> => {
    for (const { state, disk, told } of made) {
      if (isFirstEnough && faults.length > 0) return;
      const at = path.join(folder, `disk-${state.number}`);
      writeDisk(at, disk);
      const found = await judgeDisk(at, told, program, state.number % VERIFIED_EACH === 0);
      judged += 1;
      rmSync(at, { recursive: true, force: true });
      if (found.length > 0) {
        writeDisk(at, disk);
        faults.push(
          `disk ${state.number} (life ${state.life}, cut behind record ${state.records}: ${CUT_MEANINGS[state.cut]}; ${at}; judged as ${judged}.): ${found.join('; ')}`,
        );
      }
      if (judged % 10 === 0) tell(`${judged} of ${states} disks judged, ${faults.length} with a fault`);
    }
  };
  await Promise.all(Array.from({ length: BESIDE_EACH_OTHER }, judgeAll));
  return faults;
}

/** In the order of lives and records, so that each recording is followed once. */
function planned(lives: readonly Life[], states: number, seed: number): State[] {
  const random = chance(seed);
  const sum = CUTS.reduce((all, cut) => all + WEIGHTS[cut], 0);
  const kindOf = (): Cut => {
    let left = random() * sum;
    return CUTS.find((cut) => (left -= WEIGHTS[cut]) < 0) ?? 'lose';
  };
  const places = (of: (life: Life) => Iterable<number>): { life: number; at: number }[] =>
    lives.flatMap((life, index) => [...of(life)].map((at) => ({ life: index + 1, at })));
  const said = places(({ claims }) => new Set(claims.map(({ at }) => at)));
  const all = places(({ records }) => records.keys());
  return Array.from({ length: states }, (): Omit<State, 'number'> => {
    const from = random() < BEHIND_CLAIM_SHARE && said.length > 0 ? said : all;
    const { life, at } = from[Math.floor(random() * from.length)] as (typeof all)[number];
    return { life, records: at + 1, cut: kindOf() };
  })
    .sort((a, b) => a.life - b.life || a.records - b.records)
    .map((state, index) => ({ number: index + 1, ...state }));
}

function* disksOf(
  folder: string,
  lives: readonly Life[],
  states: readonly State[],
  seed: number,
): Generator<{ state: State; disk: Map<string, Buffer>; told: Told }> {
  const before: Claim[] = [];
  for (const [index, { records, claims }] of lives.entries()) {
    const disk = new Disk(path.join(lifeFolder(folder, index + 1), 'base'));
    let followed = 0;
    for (const state of states.filter(({ life }) => life === index + 1)) {
      for (; followed < state.records; followed += 1) disk.follow(records[followed] as LogRecord);
      const told = new Told();
      for (const claim of before) told.add(claim);
      for (const claim of claims) if (claim.at < state.records) told.add(claim);
      yield { state, disk: disk.after(state.cut, chance(seed + state.number)), told };
    }
    before.push(...claims);
  }
}
