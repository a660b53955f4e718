/**
 * A disk that follows a recording, and what a power cut may leave on it.
 *
 * What was synced is there. Of what was not, each part of the disk is as it was at some moment between its last sync and the cut, and the moments
 * have nothing to do with each other: a sector that was written twice may hold either, a later write may be there without an earlier one, a file may
 * be longer than what of it arrived. A truncation is one change of the whole file, as file systems with a journal make it: size and bytes go together. Names (made, renamed, unlinked) are a journal of the file system: of those that were not synced a prefix is there.
 * A sync of a file is none of its name: that takes a sync of the folder, as POSIX has it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Chance } from '../client/chaos/chance.ts';
import type { LogRecord } from './recording.ts';

const SECTOR_BYTES = 512;
const PAGE_BYTES = 4096;
/** Of the parts of a disk that has parts: so many are lost whole, and as many arrived whole. */
const WHOLE_SHARE = 0.3;

/** What becomes of what was not synced. */
export const CUTS = ['lose', 'prefix', 'files', 'pages', 'sectors', 'keep'] as const;
export type Cut = (typeof CUTS)[number];

/** Shown beside a fault. */
export const CUT_MEANINGS: Readonly<Record<Cut, string>> = {
  lose: 'all that was not synced is lost',
  prefix: 'of what was not synced, what came first is kept',
  files: 'each file keeps a prefix of its own',
  pages: 'pages of 4 KiB arrive in any order',
  sectors: 'writes are torn at sectors of 512 bytes',
  keep: 'everything arrived',
};

interface Change {
  /** The index of its record. */
  at: number;
  offset: number;
  /** Absent for a truncation to `offset` bytes. */
  bytes?: Buffer;
}

/** A file, whatever its name. */
class DiskFile {
  durable: Buffer;
  changes: Change[] = [];

  constructor(durable: Buffer = Buffer.alloc(0)) {
    this.durable = durable;
  }

  sync(before: number): void {
    const count = this.changes.findIndex(({ at }) => at >= before);
    const covered = this.changes.splice(0, count < 0 ? this.changes.length : count);
    if (covered.length > 0) this.durable = applied(this.durable, covered, Infinity, () => Infinity);
  }
}

/** `bytes` with the changes of each unit that came before the moment of the unit, and with the size of its own moment. */
function applied(
  bytes: Buffer,
  changes: readonly Change[],
  sizeMoment: number,
  momentOf: (unit: number) => number,
  unitBytes = Infinity,
): Buffer {
  let size = bytes.length;
  let most = size;
  for (const { at, offset, bytes: written } of changes) {
    const next = written === undefined ? offset : Math.max(size, offset + written.length);
    if (at < sizeMoment) size = next;
    most = Math.max(most, next, offset + (written?.length ?? 0));
  }
  const content = Buffer.alloc(most);
  bytes.copy(content);
  for (const { at, offset, bytes: written } of changes) {
    if (written === undefined) {
      if (at < sizeMoment) content.fill(0, offset);
      continue;
    }
    const end = offset + written.length;
    for (let from = offset; from < end;) {
      const unit = unitBytes === Infinity ? 0 : Math.floor(from / unitBytes);
      const to = Math.min(end, (unit + 1) * unitBytes);
      if (at < momentOf(unit)) written.copy(content, from, from - offset, to - offset);
      from = to;
    }
  }
  return content.subarray(0, size);
}

interface NameChange {
  at: number;
  /** That it gives or takes. */
  name: string;
  folder: string;
  apply(names: Map<string, DiskFile>): void;
}

export class Disk {
  /** As the process sees them. */
  readonly #names: Map<string, DiskFile>;
  readonly #durableNames: Map<string, DiskFile>;
  #nameChanges: NameChange[] = [];
  readonly #files = new Map<number, DiskFile | string>();
  /** Of each descriptor that is being synced, where that began. */
  readonly #syncs = new Map<number, number>();
  #at = 0;

  /** @param base the folder before the first record, all of which is durable. */
  constructor(base: string) {
    this.#names = new Map(
      readdirSync(base, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
        .map((entry) => {
          const file = path.join(entry.parentPath, entry.name);
          return [path.relative(base, file), new DiskFile(readFileSync(file))];
        }),
    );
    this.#durableNames = new Map(this.#names);
  }

  follow({ kind, file, offset, bytes }: LogRecord): void {
    const at = this.#at++;
    const text = (): string => bytes.toString();
    switch (kind) {
      case 'created': {
        const made = new DiskFile();
        this.#files.set(file, made);
        this.#named(at, text(), (names) => names.set(text(), made));
        break;
      }
      case 'opened':
        this.#files.set(file, this.#names.get(text()) ?? text());
        break;
      case 'written':
      case 'truncated':
        this.#file(file).changes.push({ at, offset, ...(kind === 'written' && { bytes }) });
        break;
      case 'syncBegun':
        this.#syncs.set(offset, at);
        break;
      case 'synced':
        this.#synced(file, this.#syncs.get(offset) ?? 0);
        break;
      case 'renamed':
      case 'linked': {
        const [from = '', to = ''] = text().split('\n');
        this.#named(at, to, (names) => {
          const moved = [...names].filter(([name]) => name === from || name.startsWith(`${from}/`));
          for (const [name, moving] of moved) {
            names.set(to + name.slice(from.length), moving);
            if (kind === 'renamed') names.delete(name);
          }
        });
        break;
      }
      case 'unlinked':
        this.#named(at, text(), (names) => names.delete(text()));
        break;
      default:
    }
  }

  /** What the disk has when the power is cut after the records that were followed. */
  after(cut: Cut, random: Chance): Map<string, Buffer> {
    const pick = (moments: readonly { at: number }[]): number =>
      moments[Math.floor(random() * (moments.length + 1))]?.at ?? Infinity;
    const all = [...new Set([...this.#names.values(), ...this.#durableNames.values()])];
    const changes = [...all.flatMap((file) => file.changes), ...this.#nameChanges].sort((a, b) => a.at - b.at);
    const together = cut === 'lose' ? 0 : cut === 'keep' ? Infinity : pick(changes);
    const isTogether = cut === 'lose' || cut === 'keep' || cut === 'prefix';

    const names = new Map(this.#durableNames);
    const namesMoment = isTogether ? together : pick(this.#nameChanges);
    for (const change of this.#nameChanges) if (change.at < namesMoment) change.apply(names);

    const contents = new Map<DiskFile, Buffer>();
    for (const file of names.values()) {
      const momentOfFile = isTogether ? together : pick(file.changes);
      const moments = new Map<number, number>();
      const momentOfUnit = (unit: number): number => {
        let moment = moments.get(unit);
        if (moment === undefined) {
          const chosen = random();
          moment = chosen < WHOLE_SHARE ? 0 : chosen < 2 * WHOLE_SHARE ? Infinity : pick(file.changes);
          moments.set(unit, moment);
        }
        return moment;
      };
      const unitBytes = cut === 'pages' ? PAGE_BYTES : cut === 'sectors' ? SECTOR_BYTES : undefined;
      const momentOf = unitBytes === undefined ? (): number => momentOfFile : momentOfUnit;
      contents.set(file, applied(file.durable, file.changes, momentOfFile, momentOf, unitBytes));
    }
    return new Map([...names].map(([name, file]) => [name, contents.get(file) as Buffer]));
  }

  /** Names of files with something that a cut would decide about: bytes or a name that no sync covers yet. */
  unsynced(): Set<string> {
    const changed = [...this.#names].flatMap(([name, { changes }]) => (changes.length > 0 ? name : []));
    return new Set([...changed, ...this.#nameChanges.map(({ name }) => name)]);
  }

  #file(inode: number): DiskFile {
    const found = this.#files.get(inode);
    if (found instanceof DiskFile) return found;
    throw new Error(`inode ${inode} (${found ?? 'never opened'}) was changed and is no file of the recording`);
  }

  #synced(inode: number, before: number): void {
    const found = this.#files.get(inode);
    if (found instanceof DiskFile) return found.sync(before);
    const covered = this.#nameChanges.filter(({ at, folder }) => at < before && folder === found);
    for (const change of covered) change.apply(this.#durableNames);
    this.#nameChanges = this.#nameChanges.filter((change) => !covered.includes(change));
  }

  #named(at: number, name: string, apply: NameChange['apply']): void {
    apply(this.#names);
    const folder = path.dirname(name);
    this.#nameChanges.push({ at, name, folder: folder === '.' ? '' : folder, apply });
  }
}

export function writeDisk(folder: string, files: ReadonlyMap<string, Buffer>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes, { mode: 0o600 });
  }
}
