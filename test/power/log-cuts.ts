/** Cuts the power of a recorded life of log.db: what was said to be durable is there as it was written, and the log goes on behind it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { SqliteLog } from '../../server/log/sqlite-log.ts';
import { chance } from '../client/chaos/chance.ts';
import { CUT_MEANINGS, CUTS, Disk, writeDisk } from './disk.ts';
import { CHAIN, entryOf } from './log-life.ts';
import { buildRecorder, type LogRecord, readRecords, recordedBy } from './recording.ts';

const APPENDS = 300;
/** Of the cuts: so many fall right behind something that was said. */
const BEHIND_SAID_SHARE = 0.6;

export interface LogCutsOptions {
  folder: string;
  states: number;
  seed: number;
  /** The checkout whose log is taken. */
  tree: string;
  isFirstEnough: boolean;
  tell: (line: string) => void;
}

interface Told {
  durable: number;
  dropped: number;
}

/** @returns what is wrong. */
export async function cutTheLog({
  folder,
  states,
  seed,
  tree,
  isFirstEnough,
  tell,
}: LogCutsOptions): Promise<string[]> {
  const records = await recordLife(path.join(folder, 'log-life'), tree);
  const said = records.flatMap(({ kind }, at) => (kind === 'sent' ? [at + 1] : []));
  const syncs = records.filter(({ kind }) => kind === 'synced').length;
  tell(`log.db: ${APPENDS} appends recorded, ${records.length} records, ${syncs} syncs`);
  const random = chance(seed);
  const cuts = Array.from({ length: states }, () => {
    const isBehind = random() < BEHIND_SAID_SHARE && said.length > 0;
    const after = isBehind
      ? (said[Math.floor(random() * said.length)] as number)
      : Math.floor(random() * records.length);
    return { after, cut: CUTS[Math.floor(random() * CUTS.length)] as (typeof CUTS)[number] };
  }).sort((a, b) => a.after - b.after);

  const faults: string[] = [];
  const disk = new Disk(path.join(folder, 'log-life', 'base'));
  const told: Told = { durable: 0, dropped: 0 };
  let followed = 0;
  for (const [index, { after, cut }] of cuts.entries()) {
    for (; followed < after; followed += 1) {
      const record = records[followed] as LogRecord;
      disk.follow(record);
      if (record.kind === 'sent') take(told, record.bytes.toString());
    }
    const at = path.join(folder, `log-disk-${index}`);
    writeDisk(at, disk.after(cut, chance(seed + index)));
    const fault = judge(path.join(at, 'log.db'), told);
    rmSync(at, { recursive: true, force: true });
    if (fault !== undefined) faults.push(`log.db cut behind record ${after}, ${CUT_MEANINGS[cut]}: ${fault}`);
    if (fault !== undefined && isFirstEnough) break;
  }
  tell(`log.db: ${states} disks judged, ${faults.length} with a fault`);
  return faults;
}

async function recordLife(folder: string, tree: string): Promise<LogRecord[]> {
  const data = path.join(folder, 'data');
  for (const made of [data, path.join(folder, 'base')]) mkdirSync(made, { recursive: true, mode: 0o700 });
  const library = buildRecorder(folder);
  const listener = createServer((socket) => void socket.resume().on('error', () => undefined));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const log = path.join(folder, 'log');
  const program = path.join(import.meta.dirname, 'log-life.ts');
  const life = spawn(process.execPath, [program, data, String(port), String(APPENDS), tree], {
    env: { ...process.env, ...recordedBy(library, data, log) },
    stdio: 'inherit',
  });
  const [code] = (await once(life, 'exit')) as [number | null];
  listener.close();
  if (code !== 0) throw new Error(`the recorded life ended with ${code}`);
  return readRecords(log);
}

function take(told: Told, text: string): void {
  for (const line of text.split('\n')) {
    const [word, seq] = line.split(' ');
    if (word === 'durable') told.durable = Number(seq);
    if (word === 'dropped') told.dropped = Number(seq);
  }
}

function judge(file: string, told: Told): string | undefined {
  let log: SqliteLog;
  try {
    log = SqliteLog.open({ path: file, chain: CHAIN });
  } catch (error) {
    return `it does not open: ${(error as Error).message}`;
  }
  try {
    const head = log.head();
    if (head.seq < told.durable) return `entry ${told.durable} was said to be durable, and the last one is ${head.seq}`;
    if (head.seq > told.durable + 1) return `entry ${head.seq} is there, and ${told.durable} was the last that ended`;
    const rows = new Map(entriesOf(file));
    for (let seq = Math.max(1, told.dropped + 1); seq <= told.durable; seq += 1) {
      const found = rows.get(seq);
      if (found === undefined) return `entry ${seq} was said to be durable and is not there`;
      if (!entryOf(seq).equals(found)) return `entry ${seq} is another one`;
    }
    const appended = log.append(head, entryOf(head.seq + 1));
    if (appended.outcome !== 'durable') return `an append behind it is ${appended.outcome}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    log.close();
  }
  return undefined;
}

function entriesOf(file: string): [number, Buffer][] {
  const sql = new Database(file, { readonly: true });
  try {
    return sql.prepare<[], [number, Buffer]>('SELECT seq, bytes FROM log').raw().all();
  } finally {
    sql.close();
  }
}
