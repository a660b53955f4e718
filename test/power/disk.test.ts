/** What a power cut may leave of a recording, and what it may not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chance } from '../client/chaos/chance.ts';
import { claimsOf } from './claims.ts';
import { type Cut, Disk } from './disk.ts';
import type { LogRecord } from './recording.ts';

const SEEDS = 200;
const SECTOR_BYTES = 512;
const [FOLDER, FILE, OLD] = [1, 2, 3];

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'txledger-disk-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const record = (kind: LogRecord['kind'], file: number, offset: number, bytes: string | Buffer): LogRecord => ({
  kind,
  thread: 1,
  file,
  offset,
  bytes: Buffer.from(bytes as string),
});
const written = (file: number, offset: number, bytes: string | Buffer): LogRecord =>
  record('written', file, offset, bytes);
const synced = (file: number): LogRecord[] => [record('syncBegun', file, file, ''), record('synced', file, file, '')];
const openFolder = record('opened', FOLDER, 0, '');
const made = record('created', FILE, 0, 'new');

/** Every content of a file that a cut after these records can leave; undefined where it is not there. */
function left(records: readonly LogRecord[], cut: Cut, name = 'new'): Set<string | undefined> {
  const disk = new Disk(base);
  for (const each of records) disk.follow(each);
  return new Set(
    Array.from({ length: SEEDS }, (_, seed) => disk.after(cut, chance(seed)).get(name)?.toString('latin1')),
  );
}

describe('a power cut', () => {
  test('takes nothing that was synced, and all the rest when it loses', () => {
    const records = [
      openFolder,
      made,
      written(FILE, 0, 'one'),
      ...synced(FILE),
      ...synced(FOLDER),
      written(FILE, 3, 'two'),
    ];
    expect(left(records, 'lose')).toEqual(new Set(['one']));
    expect(left(records, 'keep')).toEqual(new Set(['onetwo']));
    for (const cut of ['prefix', 'files', 'pages', 'sectors'] as const)
      for (const content of left(records, cut)) expect(content).toMatch(/^one(two|\0{3}|)$/);
  });

  test('takes what was written while a sync was under way, and the name of a file whose folder was not synced', () => {
    const [begun, ended] = synced(FILE) as [LogRecord, LogRecord];
    const records = [openFolder, made, ...synced(FOLDER), written(FILE, 0, 'a'), begun, written(FILE, 1, 'b'), ended];
    expect(left(records, 'lose')).toEqual(new Set(['a']));
    expect(left([openFolder, made, written(FILE, 0, 'a'), ...synced(FILE)], 'lose')).toEqual(new Set([undefined]));
  });

  test('keeps a new file or the old one under a name that was renamed to, in full when it was synced before', () => {
    writeFileSync(path.join(base, 'old'), 'old');
    const renamed = record('renamed', 0, 0, 'new\nold');
    const careful = [openFolder, made, written(FILE, 0, 'new'), ...synced(FILE), renamed];
    expect(left(careful, 'files', 'old')).toEqual(new Set(['old', 'new']));
    const careless = [openFolder, made, written(FILE, 0, 'new'), renamed];
    expect(left(careless, 'files', 'old')).toEqual(new Set(['old', 'new', '']));
  });

  test('tears a write at sectors and lets the later of two arrive alone', () => {
    writeFileSync(path.join(base, 'old'), 'x'.repeat(2 * SECTOR_BYTES));
    const open = record('opened', OLD, 0, 'old');
    const first = written(OLD, 0, 'a'.repeat(2 * SECTOR_BYTES));
    const sectorsOf = (contents: Set<string | undefined>): Set<string> =>
      new Set([...contents].map((text = '') => `${text[0]}${text.at(-1)}`));
    expect(sectorsOf(left([open, first], 'sectors', 'old'))).toEqual(new Set(['xx', 'xa', 'ax', 'aa']));
    expect(sectorsOf(left([open, first], 'pages', 'old'))).toEqual(new Set(['xx', 'aa']));
    const second = written(OLD, SECTOR_BYTES, 'b'.repeat(SECTOR_BYTES));
    expect(sectorsOf(left([open, first, second], 'sectors', 'old'))).toContain('xb');
  });

  test('takes back a truncation as a whole, or leaves it: no file of the old size has holes', () => {
    const old = 'x'.repeat(4 * SECTOR_BYTES);
    writeFileSync(path.join(base, 'old'), old);
    const emptied = [record('opened', OLD, 0, 'old'), record('truncated', OLD, 0, '')];
    for (const cut of ['files', 'pages', 'sectors'] as const)
      expect(left(emptied, cut, 'old')).toEqual(new Set([old, '']));
  });
});

test('what was said is read from what was sent, and said when its last byte was', () => {
  const answer = (body: string): string => `HTTP/1.1 202 Accepted\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const hash = 'A'.repeat(64);
  const first = answer(`{"txHash":"${hash}","status":"pending","reason":{"code":"cancel_requested"}}`);
  const refused = `HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\n{}`;
  const tip = answer('{"result":{"sync_info":{"latest_block_height":"7","latest_block_hash":"BB"}}}');
  const sent = (file: number, text: string): LogRecord => record('sent', file, 0, text);
  const claims = claimsOf([
    sent(1, first.slice(0, 50)),
    sent(2, refused + tip),
    sent(1, first.slice(50)),
    // The system took ten bytes of it.
    record('sentShort', 1, 10, ''),
    sent(1, first.slice(60)),
    sent(3, first.slice(0, -1)),
  ]);
  expect(claims).toEqual([
    { at: 1, kind: 'block', height: 7, hash: 'BB' },
    { at: 4, kind: 'transfer', txHash: hash, status: 'pending', height: undefined, isCancelRequested: true },
  ]);
});
