/**
 * A start judges before it migrates: a folder of another version that cannot be brought to this one is refused with one sentence and is byte for
 * byte as it was found.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { createClock } from '../../server/app/environment.ts';
import { DATABASES_OF, judgeUpgrade, UPGRADE_FOLDER } from '../../server/app/judge-upgrade.ts';
import { readMaterials } from '../../server/app/materials.ts';
import { type DatabaseFile, formOf, refuseOtherForm, SCHEMA_VERSIONS } from '../../server/app/schema-versions.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import { SqliteLog } from '../../server/log/sqlite-log.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { openStatementFile } from '../../server/engine/statements/statement-file.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { openSqliteStore } from '../../server/store/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { freePort, READY_MS_MAX, txledger } from '../e2e/support/server.ts';
import { writeFixtureKeys } from './fixture-keys.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const VERSIONS = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.tar.gz'))
  .map((file) => path.basename(file, '.tar.gz'));
const LATER = 99;
const USER_VERSION_AT = 60;
const TEST_MS_MAX = 3 * READY_MS_MAX;

afterEach(removeTemporaryFolders);

async function unpack(version: string, part: 'folder' | 'network'): Promise<string> {
  const parent = await temporaryFolder('refused');
  execFileSync('tar', ['xzf', path.join(FIXTURES, `${version}.tar.gz`), '--no-same-owner', '-C', parent]);
  execFileSync('chmod', ['-R', 'go-rwx', parent]);
  const folder = path.join(parent, part);
  writeFixtureKeys(folder);
  return folder;
}

/** What every file of the folder holds; the lock and what Node.js compiled belong to the process. */
function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.startsWith('lock.db') && name !== 'compile-cache');
  return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(path.join(folder, name)), 'hex')]));
}

const heard: string[] = [];
const logger = {
  debug: () => undefined,
  info: (_facts: object, message: string) => void heard.push(message),
  warn: () => undefined,
  error: () => undefined,
};

function judge(folder: string, kind: keyof typeof DATABASES_OF): Promise<void> {
  const files = dataDirFiles(folder);
  const { genesis, validatorKey, operatorKey } = files;
  return judgeUpgrade(kind, {
    files,
    clock: createClock(),
    logger,
    ...(existsSync(genesis) && { materials: readMaterials({ genesis, validatorKey, operatorKey }) }),
  });
}

async function refusal(folder: string, kind: keyof typeof DATABASES_OF): Promise<string> {
  const before = contentsOf(folder);
  const message = await judge(folder, kind).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  expect(contentsOf(folder)).toEqual(before);
  return message;
}

/** Into one file, as a backup has it, so that a byte of it is what SQLite reads. */
function inOneFile(file: string): void {
  const sql = new Sqlite(file);
  sql.pragma('journal_mode = DELETE');
  sql.close();
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 0xff;
  writeFileSync(file, bytes);
}

/** Where the value stands that the query reads: what was deleted may stand in the file as well. The file is left as it was. */
function placeOf(file: string, query: string, value: string | Buffer): number {
  const whole = readFileSync(file);
  for (let at = whole.indexOf(value); at !== -1; at = whole.indexOf(value, at + 1)) {
    flip(file, at);
    const sql = new Sqlite(file, { readonly: true });
    const read = sql.prepare(query).pluck().get();
    sql.close();
    writeFileSync(file, whole);
    if (hash('sha256', read as string) !== hash('sha256', value)) return at;
  }
  throw new Error(`${query} reads what is not in ${file}`);
}

describe.each(VERSIONS)('a folder of version %s', (version) => {
  test('that is whole passes, unchanged until it is opened', async () => {
    const folder = await unpack(version, 'folder');
    const before = contentsOf(folder);
    heard.length = 0;
    await judge(folder, 'chain');
    expect(contentsOf(folder)).toEqual(before);
    const isOlder = formOf(path.join(folder, 'chain.db'), SCHEMA_VERSIONS.chain) === 'other';
    expect(heard).toHaveLength(isOlder ? 2 : 0);
  });

  test('that was cut off is refused as it was found', async () => {
    const folder = await unpack(version, 'folder');
    const file = path.join(folder, 'chain.db');
    inOneFile(file);
    truncateSync(file, Math.floor(statSync(file).size / 2));
    expect(await refusal(folder, 'chain')).toMatch(/nothing in it was changed: .*damaged/);
  });

  test('with a changed byte is refused as it was found', async () => {
    const folder = await unpack(version, 'folder');
    const file = path.join(folder, 'chain.db');
    inOneFile(file);
    const whole = readFileSync(file);
    const sql = new Sqlite(file, { readonly: true });
    const pageBytes = Number(sql.pragma('page_size', { simple: true }));
    const roots = sql
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name IN ('accounts', 'blocks', 'transfers')")
      .pluck()
      .all() as number[];
    const values = [
      'SELECT address FROM accounts',
      'SELECT hash FROM transfers',
      'SELECT commit_bytes FROM blocks',
    ].map((query) => [query, sql.prepare(query).pluck().get() as string | Buffer] as const);
    sql.close();
    const places = values.map(([query, value]) => placeOf(file, query, value));
    // Without the name of its kind it is no database, which whoever opens it refuses before it writes (test/starts).
    flip(file, 3);
    expect(formOf(file, SCHEMA_VERSIONS.chain)).toBe('none');
    // The headers of pages, and what rows hold.
    const damaged: number[] = [...roots.map((page) => (page - 1) * pageBytes), ...places];
    for (const at of damaged) {
      writeFileSync(file, whole);
      flip(file, at);
      expect(await refusal(folder, 'chain')).toContain('nothing in it was changed: ');
    }
  });

  test('whose validator signed more than it holds is refused as it was found', async () => {
    const folder = await unpack(version, 'folder');
    const state = { height: '1000000', round: 0, step: 3 };
    writeFileSync(path.join(folder, 'priv_validator_state.json'), JSON.stringify(state), { mode: 0o600 });
    expect(await refusal(folder, 'chain')).toContain('priv_validator_state.json says height 1000000');
  });

  test('of a network passes, but that of the first build of 1.5.0, whose transfers had no references', async () => {
    const folder = await unpack(version, 'network');
    if (version === '1.5')
      expect(await refusal(folder, 'sqlite')).toMatch(
        /nothing in it was changed: .*gateway\.db was written by an unfinished build of contract 1\.5\.0.*no such column: reference.*another DATA_DIR/,
      );
    else await judge(folder, 'sqlite');
    await judge(folder, 'application');
  });

  test('of a network that is damaged is refused as it was found', async () => {
    const folder = await unpack(version, 'network');
    for (const [kind, name] of [
      ['sqlite', 'gateway.db'],
      ['application', 'app.db'],
    ] as const) {
      const file = path.join(folder, name);
      inOneFile(file);
      if (formOf(file, SCHEMA_VERSIONS[kind === 'sqlite' ? 'gateway' : 'app']) === 'this') continue;
      truncateSync(file, Math.floor(statSync(file).size / 2));
      expect(await refusal(folder, kind)).toMatch(/nothing in it was changed: .*damaged/);
    }
  });
});

describe('a folder of a later version', () => {
  const NAMES = Object.keys(SCHEMA_VERSIONS) as DatabaseFile[];

  test.each(NAMES)('is refused as it was found: %s', async (name) => {
    const kind = (Object.keys(DATABASES_OF) as (keyof typeof DATABASES_OF)[]).find((each) =>
      (DATABASES_OF[each] as readonly string[]).includes(name),
    )!;
    const folder = await unpack('1.8', kind === 'chain' ? 'folder' : 'network');
    await makeDatabase(folder, name);
    expect(formOf(dataDirFiles(folder)[name], SCHEMA_VERSIONS[name])).toBe('this');
    asLaterVersion(dataDirFiles(folder)[name], name);
    expect(await refusal(folder, kind)).toMatch(/nothing in it was changed: .*a later version wrote it; run that one/);
    expect(() => refuseOtherForm(dataDirFiles(folder)[name], name)).toThrow('written by a later version');
  });

  test('is told by what its log holds alone', async () => {
    const folder = await unpack('1.8', 'folder');
    const file = path.join(folder, 'chain.db');
    inOneFile(file);
    const sql = new Sqlite(file);
    sql.pragma('journal_mode = WAL');
    sql.pragma('wal_autocheckpoint = 0');
    sql.pragma(`user_version = ${LATER}`);
    const copy = await temporaryFolder('log');
    for (const end of ['', '-wal']) writeFileSync(path.join(copy, `chain.db${end}`), readFileSync(`${file}${end}`));
    sql.close();
    const copied = path.join(copy, 'chain.db');
    expect(readFileSync(copied).readUInt32BE(USER_VERSION_AT)).not.toBe(LATER);
    expect(formOf(copied, LATER)).toBe('other');
    expect(formOf(copied, readFileSync(copied).readUInt32BE(USER_VERSION_AT))).toBe('other');
  });
});

describe('the commands', () => {
  test.each([
    [
      'later',
      /chain\.db has schema version 99, and this program knows 9: a later version wrote it; run that one\./,
      /chain\.db was written by a later version .*: use that version\.$/m,
    ],
    [
      'cut off',
      /chain\.db.* nothing in it was changed|nothing in it was changed: .*chain\.db|damaged/,
      /chain\.db was written by a version with contract 1\.8, or is damaged\. Start the service of this version/,
    ],
  ])(
    'refuse a folder that is %s with one sentence, and change nothing',
    async (fault, sentence, ofCommand) => {
      const folder = await unpack('1.8', 'folder');
      const file = path.join(folder, 'chain.db');
      inOneFile(file);
      if (fault === 'later') asLaterVersion(file, 'chain');
      else truncateSync(file, Math.floor(statSync(file).size / 2));
      const before = contentsOf(folder);
      const started = await txledger(['start'], { DATA_DIR: folder, PORT: String(await freePort()) });
      expect(started.code).toBe(2);
      expect(started.stderr).toMatch(sentence);
      expect(started.stderr).not.toContain('    at ');
      expect(contentsOf(folder)).toEqual(before);
      expect(existsSync(path.join(folder, UPGRADE_FOLDER))).toBe(false);
      const listed = await txledger(['token', 'list'], { DATA_DIR: folder });
      expect([listed.code, listed.stderr]).toEqual([2, expect.stringMatching(ofCommand)]);
      expect(contentsOf(folder)).toEqual(before);
    },
    TEST_MS_MAX,
  );
});

describe('commands that read a folder of 1.5.0 which no start has opened', () => {
  const OF_CHAIN =
    /^\S+\/chain\.db was written by a version with contract 1\.5 or 1\.6.*Start the service of this version.*\n$/;
  const OF_GATEWAY =
    /^\S+\/gateway\.db was written by a version with contract 1\.8 or an earlier one.*Start the service of this.*\n$/;

  test(
    'say in one sentence which version wrote it and what to do, in place of the words of SQLite, and change nothing',
    async () => {
      const folder = await unpack('1.5.0', 'folder');
      const genesis = { GENESIS_FILE: path.join(folder, 'genesis.json') };
      const backup = path.join(await temporaryFolder('backups'), 'backup');
      const before = contentsOf(folder);
      expect(await txledger(['verify', folder])).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(OF_CHAIN),
      });
      // A copy needs no table that it lacks, and is restored by this version.
      expect((await txledger(['backup', '--out', backup], { DATA_DIR: folder })).code).toBe(0);
      expect(await txledger(['verify', backup])).toMatchObject({ code: 2, stderr: expect.stringMatching(OF_CHAIN) });
      const restored = path.join(path.dirname(backup), 'restored');
      expect((await txledger(['restore', backup, '--data-dir', restored])).code).toBe(0);
      expect(await txledger(['verify', restored])).toMatchObject({ code: 0 });
      expect(contentsOf(folder)).toMatchObject(before);

      const network = await unpack('1.5.0', 'network');
      const databases = contentsOf(network);
      const taken = await txledger(['backup', '--out', `${backup}-2`], { DATA_DIR: network, ...genesis });
      expect(taken).toMatchObject({ code: 2, stderr: expect.stringMatching(OF_GATEWAY) });
      const copied = await txledger(['store', 'copy', '--from', network, '--to', `${backup}.db`]);
      expect(copied).toMatchObject({ code: 2, stderr: expect.stringMatching(OF_GATEWAY) });
      expect(contentsOf(network)).toMatchObject(databases);
      expect(readdirSync(path.dirname(backup)).sort()).toEqual(['backup', 'restored']);
    },
    TEST_MS_MAX,
  );

  test('and each released folder is called by its contract', async () => {
    for (const version of VERSIONS) {
      const [major, minor] = version.split('.');
      const { chain } = dataDirFiles(await unpack(version, 'folder'));
      if (formOf(chain, SCHEMA_VERSIONS.chain) !== 'this')
        expect(() => refuseOtherForm(chain, 'chain')).toThrow(new RegExp(`contract .*\\b${major}\\.${minor}\\b`));
    }
  });
});

/** In the form of this version. */
async function makeDatabase(folder: string, name: DatabaseFile): Promise<void> {
  const files = dataDirFiles(folder);
  const file = files[name];
  const genesis = existsSync(files.genesis)
    ? readMaterials({ genesis: files.genesis, validatorKey: files.validatorKey, operatorKey: files.operatorKey })
        .genesis
    : { chainId: 'test', hash: 'AB'.repeat(32) };
  const identity = { chainId: genesis.chainId, genesisHash: genesis.hash };
  if (name === 'chain') openChainDatabase({ path: file }).close();
  if (name === 'log') SqliteLog.open({ path: file, chain: identity }).close();
  if (name === 'search') openSqliteSearchStore(file, identity).close();
  if (name === 'statements') openStatementFile(file, identity).close();
  if (name === 'gateway') await (await openSqliteStore({ path: file })).close();
  if (name === 'app') openSqliteAppStore(file).close();
  if (name === 'snapshots') openSqliteSnapshotStore(file).close();
  inOneFile(file);
}

function asLaterVersion(file: string, name: DatabaseFile): void {
  const sql = new Sqlite(file);
  if (name === 'gateway')
    sql.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2030-01-01')").run();
  sql.pragma(`user_version = ${LATER}`);
  sql.close();
}
