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
/** Of the cuts: so many fall right behind something that was said, which must be durable by then, */
const BEHIND_CLAIM_SHARE = 0.5;
/** and so many behind a write or a new name of one of the files below, which is rare: a witness every 5 s, a checkpoint. */
const BEHIND_FILE_SHARE = 0.25;
/** The files that hold what cannot be made again, by their parts, as the table names them. */
const KEPT_FILES = {
  'log.db': /^log\.db(-wal)?$/,
  'chain.db': /^chain\.db(-wal)?$/,
  witness: /^log_witness\.json/,
} as const;
/** Of those the ones that are written now and then, and not with each answer. */
const RARELY_WRITTEN = /^(log\.db|chain\.db|log_witness\.json.*)$/;
/** How often each kind of cut is made, in the order of CUTS. */
const WEIGHTS: Readonly<Record<Cut, number>> = { lose: 3, prefix: 2, files: 1, pages: 3, sectors: 3, keep: 0.3 };

export interface PowerOptions {
  /** Of the lives. */
  folder: string;
  states: number;
  /** Judged alone, of these states; unset: all. */
  numbers?: readonly number[] | undefined;
  seed: number;
  program: Program;
  /** Nothing more is judged behind a fault. */
  isFirstEnough: boolean;
  tell: (line: string) => void;
}

interface Life {
  records: LogRecord[];
  claims: Claim[];
  /** Records that change a file which is rarely written. */
  rare: number[];
}

/** How many disks a kind of cut has left, on how many of them it decided about a file, and how many have a fault. */
type Row = Record<'disks' | keyof typeof KEPT_FILES | 'faults', number>;

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
  numbers,
  seed,
  program,
  isFirstEnough,
  tell,
}: PowerOptions): Promise<string[]> {
  const lives = Array.from({ length: livesIn(folder) }, (_, index): Life => {
    const records = readRecords(path.join(lifeFolder(folder, index + 1), 'log'));
    return { records, claims: claimsOf(records), rare: rareIn(records) };
  });
  const count = (of: (life: Life) => number): number => lives.reduce((sum, life) => sum + of(life), 0);
  const syncs = count(({ records }) => records.filter(({ kind }) => kind === 'synced').length);
  const said = count(({ claims }) => claims.length);
  tell(`recorded: ${count(({ records }) => records.length)} records, ${syncs} syncs, ${said} things said to clients`);

  const faults: string[] = [];
  const made = disksOf(
    folder,
    lives,
    planned(lives, states, seed).filter(({ number }) => numbers?.includes(number) ?? true),
    seed,
  );
  let judged = 0;
  const rows = new Map(CUTS.map((cut): [Cut, Row] => [cut, newRow()]));
  const judgeAll = async (): Promise<void> => {
    for (const { state, disk, open, told } of made) {
      if (isFirstEnough && faults.length > 0) return;
      const at = path.join(folder, `disk-${state.number}`);
      writeDisk(at, disk);
      const found = await judgeDisk(at, told, program, state.number % VERIFIED_EACH === 0);
      judged += 1;
      const row = rows.get(state.cut) as Row;
      row.disks += 1;
      row.faults += found.length > 0 ? 1 : 0;
      for (const file of open) row[file] += 1;
      rmSync(at, { recursive: true, force: true });
      if (found.length > 0) {
        writeDisk(at, disk);
        faults.push(
          `disk ${state.number} (life ${state.life}, cut behind record ${state.records}: ${CUT_MEANINGS[state.cut]}; ${at}; judged as ${judged}.): ${found.join('; ')}`,
        );
      }
      if (judged % 10 === 0)
        tell(`${judged} of ${numbers?.length ?? states} disks judged, ${faults.length} with a fault`);
    }
  };
  await Promise.all(Array.from({ length: BESIDE_EACH_OTHER }, judgeAll));
  tell(`disks by cut, and on how many of them it decided about a file:\n${tableOf(rows)}`);
  return faults;
}

const newRow = (): Row => ({ disks: 0, 'log.db': 0, 'chain.db': 0, witness: 0, faults: 0 });

function tableOf(rows: ReadonlyMap<Cut, Row>): string {
  const names = Object.keys(newRow()) as (keyof Row)[];
  const all = newRow();
  for (const row of rows.values()) for (const name of names) all[name] += row[name];
  const line = (of: string, row: Row): string => `| ${[of, ...names.map((name) => String(row[name]))].join(' | ')} |`;
  return [
    `| cut | ${names.join(' | ')} |`,
    `|${'---|'.repeat(names.length + 1)}`,
    ...[...rows].map(([cut, row]) => line(CUT_MEANINGS[cut], row)),
    line('all', all),
  ].join('\n');
}

function rareIn(records: readonly LogRecord[]): number[] {
  const names = new Map<number, string>();
  return records.flatMap(({ kind, file, bytes }, at) => {
    if (kind === 'opened' || kind === 'created') names.set(file, bytes.toString());
    const changed =
      kind === 'created' || kind === 'renamed'
        ? bytes.toString().split('\n').at(-1)
        : kind === 'written' || kind === 'truncated'
          ? names.get(file)
          : undefined;
    return changed !== undefined && RARELY_WRITTEN.test(changed) ? at : [];
  });
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
  const rare = places((life) => life.rare);
  const all = places(({ records }) => records.keys());
  return Array.from({ length: states }, (): Omit<State, 'number'> => {
    const drawn = random();
    const wanted = drawn < BEHIND_CLAIM_SHARE ? said : drawn < BEHIND_CLAIM_SHARE + BEHIND_FILE_SHARE ? rare : all;
    const from = wanted.length > 0 ? wanted : all;
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
): Generator<{ state: State; disk: Map<string, Buffer>; open: (keyof typeof KEPT_FILES)[]; told: Told }> {
  const before: Claim[] = [];
  for (const [index, { records, claims }] of lives.entries()) {
    const disk = new Disk(path.join(lifeFolder(folder, index + 1), 'base'));
    let followed = 0;
    for (const state of states.filter(({ life }) => life === index + 1)) {
      for (; followed < state.records; followed += 1) disk.follow(records[followed] as LogRecord);
      const told = new Told();
      for (const claim of before) told.add(claim);
      for (const claim of claims) if (claim.at < state.records) told.add(claim);
      const unsynced = [...disk.unsynced()];
      const open = (Object.keys(KEPT_FILES) as (keyof typeof KEPT_FILES)[]).filter((file) =>
        unsynced.some((name) => KEPT_FILES[file].test(name)),
      );
      yield { state, open, disk: disk.after(state.cut, chance(seed + state.number)), told };
    }
    before.push(...claims);
  }
}
