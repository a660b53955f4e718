import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { formatManifest, type Manifest, readManifest } from '../../server/app/backup/manifest.ts';
import type { RestoreOptions } from '../../server/app/backup/restore.ts';
import { takeBackup } from '../../server/app/backup/take.ts';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { lockFolder } from '../../server/app/folder-lock.ts';
import { refuseOldCopy, refuseTornCopy } from '../../server/app/refuse-old-copy.ts';
import { EXPORT_PAUSE_MS, exportSignState } from '../../server/engine/embedded/disk-export.ts';
import { parseSignState } from '../../server/engine/embedded/sign-state.ts';
import { CHAIN_FILE_ID, parseGenesis } from '../../server/ledger/index.ts';
import { copyDatabase, LogTooLongError } from '../../server/store/backup/copy-database.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { removeTemporaryFolders } from '../app/support.ts';
import { backUp, type Folders, restoreInto, tamper, unpackFolders, verify } from './support.ts';

let folders: Folders;
let backup = '';
let names = 0;

beforeAll(async () => {
  folders = await unpackFolders();
  ({ folder: backup } = await backUp(folders.chain, path.join(folders.parent, 'backup'), { withKeys: true }));
});
afterAll(removeTemporaryFolders);

function newFolder(): string {
  names += 1;
  return path.join(folders.parent, `new-${names}`);
}

const restore = (dataDir: string, options: Partial<RestoreOptions> = {}): ReturnType<typeof restoreInto> =>
  restoreInto(dataDir, backup, options);

/** Of the chain as it would have gone on after the backup. */
function laterSignState(more: number): string {
  const { lastSigned } = readManifest(backup).state;
  return `${JSON.stringify({ height: String((lastSigned?.height ?? 0) + more), round: 0, step: 3 })}\n`;
}

describe('a folder that others can write, without a sticky bit', () => {
  const EVERYONE = 0o777;
  const STICKY = 0o1777;
  const refused = /^Others can write the folder .* Nothing was written\.$/;
  const shared = (mode = EVERYONE): string => {
    const folder = newFolder();
    mkdirSync(folder);
    chmodSync(folder, mode);
    return folder;
  };

  test.each(['', 'new', 'new/below'])('gets no backup with keys, nor does a new folder in it: %j', async (below) => {
    const folder = shared();
    const taken = (target: object, withKeys: boolean) =>
      takeBackup({
        env: { DATA_DIR: folders.chain },
        cwd: '/',
        target: target as never,
        withKeys,
        onProgress: () => undefined,
      });
    const into = { into: path.join(folder, below), keep: 1 };
    await expect(taken(into, true)).rejects.toThrow(refused);
    await expect(taken({ out: path.join(folder, below, 'one') }, true)).rejects.toThrow(refused);
    expect(readdirSync(folder)).toEqual([]);
    expect((await taken(into, false)).manifest.keys.included).toEqual([]);
    chmodSync(folder, STICKY);
    expect((await taken(into, true)).manifest.keys.included).not.toEqual([]);
  });

  test.each(['data', 'new/data'])('gets no data folder with keys: %j', async (below) => {
    const folder = shared();
    await expect(restore(path.join(folder, below))).rejects.toThrow(refused);
    expect(readdirSync(folder)).toEqual([]);
    chmodSync(folder, STICKY);
    await restore(path.join(folder, below));
    expect(existsSync(path.join(folder, below, 'priv_validator_key.json'))).toBe(true);
  });
});

describe('taking a backup', () => {
  test('without keys says which are missing, and with them has them for their owner only', async () => {
    const { manifest } = await backUp(folders.chain, newFolder());
    expect(manifest.keys).toEqual({ included: [], missing: ['priv_validator_key.json', 'operator_key.json'] });
    expect(manifest.files.map(({ name }) => name)).toEqual(['chain.db', 'genesis.json']);
    expect(readManifest(backup).keys).toEqual({
      included: ['priv_validator_key.json', 'operator_key.json', 'governor_key.json'],
      missing: [],
    });
  });

  test('takes keys that a group may read where the operator says so, and keeps copies for their owner', async () => {
    const file = path.join(folders.chain, 'operator_key.json');
    chmodSync(file, 0o640);
    try {
      await expect(backUp(folders.chain, newFolder(), { withKeys: true })).rejects.toThrow(/Others can read/);
      const { folder } = await backUp(folders.chain, newFolder(), {
        withKeys: true,
        env: { TXLEDGER_KEY_FILE_GROUP: String(statSync(file).gid) },
      });
      expect([
        statSync(folder).mode & 0o777,
        ...readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777),
      ]).toEqual([0o700, ...readdirSync(folder).map(() => 0o600)]);
    } finally {
      chmodSync(file, 0o600);
    }
  });

  test('never writes over anything, and removes what a killed one has left, but not what is being written', async () => {
    const out = newFolder();
    mkdirSync(`${out}.partial`);
    writeFileSync(path.join(`${out}.partial`, 'chain.db'), 'half');
    await backUp(folders.chain, out);
    expect(existsSync(`${out}.partial`)).toBe(false);
    await expect(backUp(folders.chain, out)).rejects.toThrow(/is there already/);
    const busy = newFolder();
    mkdirSync(`${busy}.partial`);
    const release = lockFolder({ file: path.join(`${busy}.partial`, 'lock.db'), why: 'write' });
    await expect(backUp(folders.chain, busy)).rejects.toThrow(/is being written by another backup/);
    release();
    const letters = newFolder();
    mkdirSync(`${letters}.partial`);
    writeFileSync(path.join(`${letters}.partial`, 'letter.txt'), 'dear');
    await expect(backUp(folders.chain, letters)).rejects.toThrow(/or holds something else/);
    expect(existsSync(path.join(`${letters}.partial`, 'letter.txt'))).toBe(true);
  });

  test('keeps as many as it is told, and leaves alone what is no backup of this chain', async () => {
    const into = newFolder();
    mkdirSync(path.join(into, 'letters'), { recursive: true });
    const take = () =>
      takeBackup({
        env: { DATA_DIR: folders.chain },
        cwd: '/',
        target: { into, keep: 2 },
        withKeys: false,
        onProgress: () => undefined,
      });
    const taken: string[] = [];
    for (let count = 0; count < 3; count += 1) taken.push((await take()).folder);
    expect(readdirSync(into).sort()).toEqual(
      ['letters', ...taken.slice(1).map((folder) => path.basename(folder))].sort(),
    );
  });

  test('refuses a genesis of another chain, and a folder without a database', async () => {
    const genesis = path.join(folders.gateway, 'genesis.json');
    await expect(backUp(folders.chain, newFolder(), { env: { GENESIS_FILE: genesis } })).rejects.toThrow(
      /is of chain .* and the database of chain txledger-dev-1/,
    );
    await expect(backUp(folders.parent, newFolder())).rejects.toThrow(/holds no database of this program/);
  });

  test('a copy is of one moment while another connection writes, and gives up when the log grows too long', async () => {
    const file = path.join(folders.parent, 'busy.db');
    const writer = new Sqlite(file);
    writer.pragma('journal_mode = WAL');
    writer.exec(
      'CREATE TABLE a (id INTEGER PRIMARY KEY, filling BLOB); CREATE TABLE b (id INTEGER PRIMARY KEY, filling BLOB)',
    );
    const add = writer.transaction((id: number) => {
      for (const table of ['a', 'b']) writer.prepare(`INSERT INTO ${table} VALUES (?, zeroblob(3000))`).run(id);
    });
    for (let id = 1; id <= 200; id += 1) add(id);
    let next = 201;
    const to = path.join(folders.parent, 'copied.db');
    await copyDatabase({ from: file, to, logBytesMax: 1e9, slicePages: 10, onProgress: () => add(next++) });
    expect(next).toBeGreaterThan(220);
    const copy = new Sqlite(to, { readonly: true });
    expect(
      copy.prepare('SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b), (SELECT max(id) FROM a)').raw().get(),
    ).toEqual([200, 200, 200]);
    copy.close();
    expect(existsSync(`${to}-wal`)).toBe(false);
    writer.pragma('wal_checkpoint(TRUNCATE)');
    await expect(
      copyDatabase({
        from: file,
        to: path.join(folders.parent, 'given-up.db'),
        logBytesMax: 50_000,
        slicePages: 10,
        onProgress: () => add(next++),
      }),
    ).rejects.toThrow(LogTooLongError);
    writer.close();
  });
});

describe('restoring', () => {
  test('makes a folder that verifies, with keys and with what was signed last, and says so in the audit trail', async () => {
    const folder = newFolder();
    const { warnings } = await restore(folder);
    expect(warnings.join(' ')).toMatch(
      /The chain is at height \d+ .* Start it only when the service that the backup was taken of can never run again/,
    );
    expect((await verify(folder)).fault).toBeUndefined();
    const files = dataDirFiles(folder);
    expect(parseSignState(readFileSync(files.validatorState, 'utf8')).height).toBe(
      readManifest(backup).state.lastSigned?.height,
    );
    expect(existsSync(files.validatorKey)).toBe(true);
    const sql = new Sqlite(files.chain, { readonly: true });
    expect(sql.prepare('SELECT action FROM audit ORDER BY id DESC LIMIT 1').pluck().get()).toBe('server.restore');
    sql.close();
  });

  test('never goes over what is there, and takes no torn backup', async () => {
    const folder = newFolder();
    await restore(folder);
    await expect(restore(folder)).rejects.toThrow(/has chain\.db in it: a restore never writes over what is there/);
    const other = newFolder();
    mkdirSync(other);
    writeFileSync(path.join(other, 'letter.txt'), 'dear');
    await expect(restore(other)).rejects.toThrow(/has letter\.txt in it/);
    const torn = newFolder();
    cpSync(backup, torn, { recursive: true });
    rmSync(path.join(torn, 'genesis.json'));
    await expect(restore(newFolder(), { folder: torn })).rejects.toThrow(/genesis\.json is missing/);
    await expect(restore(newFolder(), { folder: folders.parent })).rejects.toThrow(/has no manifest\.json/);
  });

  test('follows no link that waits in the target, and gives what it writes to its owner alone', async () => {
    const folder = newFolder();
    mkdirSync(folder, { mode: 0o700 });
    const victim = path.join(folders.parent, 'victim');
    writeFileSync(victim, 'dear');
    symlinkSync(victim, path.join(folder, 'chain.db.tmp'));
    writeFileSync(path.join(folder, 'operator_key.json.tmp'), 'half', { mode: 0o666 });
    await restore(folder);
    expect(readFileSync(victim, 'utf8')).toBe('dear');
    for (const name of ['chain.db', 'operator_key.json'])
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('puts no key through a link that has its name, and the folder can not start then', async () => {
    const folder = newFolder();
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync(path.join(folders.parent, 'nowhere'), path.join(folder, 'operator_key.json'));
    await expect(restore(folder)).rejects.toThrow(/operator_key\.json cannot be made: EEXIST/);
    expect(existsSync(path.join(folders.parent, 'nowhere'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name === 'chain.db' || name.startsWith('operator_key'))).toEqual([
      'operator_key.json',
    ]);
  });

  test('takes no manifest that says another height than the chain, and no backup without its database', async () => {
    for (const change of [
      (manifest: Manifest) => ({ ...manifest, state: { ...manifest.state, height: 1e6 } }),
      (manifest: Manifest) => ({ ...manifest, files: manifest.files.filter(({ name }) => name !== 'chain.db') }),
    ]) {
      const lying = newFolder();
      cpSync(backup, lying, { recursive: true });
      writeFileSync(path.join(lying, 'manifest.json'), formatManifest(change(readManifest(backup))));
      const target = newFolder();
      await expect(restore(target, { folder: lying })).rejects.toThrow(
        /"height" is \d+ in the database, and 1000000|it does not name chain\.db/,
      );
      expect(existsSync(target)).toBe(false);
    }
  });

  test.each(['in the target', 'of the lost service'])(
    'with a newer signature %s it needs a consent, and tells what is lost',
    async (where) => {
      const folder = newFolder();
      mkdirSync(folder, { mode: 0o700 });
      const inTarget = where === 'in the target';
      const file = inTarget ? dataDirFiles(folder).validatorState : path.join(folders.parent, 'lost.json');
      writeFileSync(file, laterSignState(7));
      const options = inTarget ? {} : { signStateFile: file };
      await expect(restore(folder, options)).rejects.toThrow(/7 blocks are not in it.*--accept-fork-risk/);
      expect(existsSync(dataDirFiles(folder).chain)).toBe(false);
      const { warnings } = await restore(folder, { ...options, acceptsForkRisk: true });
      const { height } = readManifest(backup).state;
      expect(warnings.join(' ')).toContain(`LOST: the blocks ${height + 1} to ${height + 7}`);
      const sql = new Sqlite(dataDirFiles(folder).chain, { readonly: true });
      expect(
        JSON.parse(String(sql.prepare('SELECT details FROM audit ORDER BY id DESC LIMIT 1').pluck().get())),
      ).toMatchObject({ signedHeight: height + 7, forkRiskAccepted: true });
      sql.close();
    },
  );
});

describe('a start', () => {
  const start = (folder: string): void => {
    const files = dataDirFiles(folder);
    const parsed = parseGenesis(readFileSync(files.genesis));
    if (!parsed.ok) throw new Error(parsed.errors.join());
    const sql = openChainDatabase({ path: files.chain });
    try {
      refuseTornCopy(sql, parsed.genesis);
      refuseOldCopy(sql, files, parsed.genesis);
    } finally {
      sql.close();
    }
  };

  test.each<[what: string, change: (files: ReturnType<typeof dataDirFiles>) => void, told: RegExp]>([
    [
      'statements.db ahead',
      (files) => aheadFile(files.statements, files.genesis),
      /chain\.db is missing or an old copy: statements\.db knows block 9999/,
    ],
    ['search.db ahead', (files) => aheadFile(files.search, files.genesis), /search\.db knows block 9999/],
    [
      'a webhook ahead',
      ({ chain }) =>
        tamper(
          chain,
          "INSERT INTO webhooks (id, owner, url, filters, status, secret, previous_secrets, place_height, place_idx, attempts, created_at_ms, updated_at_ms, version) VALUES ('wh', 'acme', '', '{}', 'enabled', '', '[]', 9999, 0, 0, 0, 0, 1)",
        ),
      /a webhook knows block 9999/,
    ],
    [
      'rows of another moment than blocks',
      (files) => tamper(files.chain, 'DELETE FROM events WHERE height = (SELECT max(height) FROM events)'),
      /a copy that was made while a service wrote it: block \d+: the event/,
    ],
  ])('refuses a chain.db with %s', async (_what, change, told) => {
    const folder = newFolder();
    await restore(folder);
    expect(() => start(folder)).not.toThrow();
    change(dataDirFiles(folder));
    expect(() => start(folder)).toThrow(told);
  });

  function aheadFile(file: string, genesisFile: string): void {
    const parsed = parseGenesis(readFileSync(genesisFile));
    const sql = new Sqlite(file);
    sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
    sql.exec(
      'CREATE TABLE chain (chain_id, genesis_hash); CREATE TABLE progress (id, height); INSERT INTO progress VALUES (1, 9999)',
    );
    sql.prepare('INSERT INTO chain VALUES (?, ?)').run('txledger-dev-1', parsed.ok ? parsed.genesis.hash : '');
    sql.close();
  }
});

test('while the chain runs, what was signed last is written again and again, and never after the end', async () => {
  const file = path.join(folders.parent, 'exported.json');
  const timers: { run: () => void; delayMs: number }[] = [];
  const clock = {
    nowMs: () => 0,
    nowNs: () => 0n,
    monotonicMs: () => 0,
    setTimer: (run: () => void, delayMs: number) => (timers.push({ run, delayMs }), { cancel: () => undefined }),
  };
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  let height = 5;
  const signed = () => ({ height, round: 0, step: 3, signature: undefined, signBytes: undefined });
  const exported = exportSignState({ path: file, lastSigned: signed, clock, logger });
  const turn = async (): Promise<void> => {
    const timer = timers.shift();
    expect(timer?.delayMs).toBe(EXPORT_PAUSE_MS);
    timer?.run();
    while (timers.length === 0) await new Promise(setImmediate);
  };
  await turn();
  expect(existsSync(file)).toBe(false);
  height = 9;
  await turn();
  expect(parseSignState(readFileSync(file, 'utf8')).height).toBe(9);
  height = 12;
  timers.shift()?.run();
  await exported.stop();
  expect(parseSignState(readFileSync(file, 'utf8')).height).toBe(12);
  expect(timers).toEqual([]);
});
