/** What an operator reads when the system, SQLite or a limit ends a start; `node test/starts/run.ts` starts each for real. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { openDataDir } from '../../server/app/data-dir.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { keepDevelopmentFile, readDevelopmentFile, urlsOf } from '../../server/app/dev-file.ts';
import { checkResources } from '../../server/app/resources.ts';
import { writeSecretFile } from '../../server/app/secret-file.ts';
import { NoRoomError, StartError } from '../../server/app/start-error.ts';
import { remedyOf, startFault } from '../../server/app/start-fault.ts';
import { failureOf } from '../../server/cli/failure.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

const place = { what: '/x/chain.db', remedy: remedyOf('development', '/x') };
const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`what ${code} means`), { code, ...more });

describe('an error of a start', () => {
  test.each([
    ['ENOSPC', NoRoomError, /There is no room to write \/x\/chain\.db \(ENOSPC\)/, 'unexpected'],
    ['SQLITE_FULL', NoRoomError, /Make room and start again/, 'unexpected'],
    ['EMFILE', StartError, /ulimit -n/, 'usage'],
    ['ERR_WORKER_OUT_OF_MEMORY', StartError, /not enough memory/, 'usage'],
    [
      'SQLITE_NOTADB',
      StartError,
      /\/x\/chain\.db is damaged or no database of this program: .* Move \/x away/,
      'usage',
    ],
    ['SQLITE_CORRUPT_INDEX', StartError, /is damaged/, 'usage'],
    ['EACCES', StartError, /cannot be opened for reading and writing \(EACCES/, 'usage'],
    ['SQLITE_IOERR_READ', StartError, /the disk or its file system fails/, 'usage'],
  ] as const)(
    '%s is a sentence with what to do, and an exit code that says whether trying again helps',
    async (code, type, says, exit) => {
      const fault = startFault(coded(code), place);
      expect(fault).toBeInstanceOf(type);
      expect(fault?.message).toMatch(says);
      expect(await failureOf(fault)).toMatchObject({ exit });
    },
  );

  test('names the file that it is about, is found behind the error that it caused, and in that of a thread', () => {
    expect(startFault(coded('EACCES', { path: '/x/genesis.json' }), place)?.message).toMatch(
      /^\/x\/genesis\.json cannot/,
    );
    expect(startFault(new Error('the store failed', { cause: coded('SQLITE_FULL') }), place)).toBeInstanceOf(
      NoRoomError,
    );
    const thread = Object.assign(new Error('Worker initialization failure: EMFILE'), {
      code: 'ERR_WORKER_INIT_FAILED',
    });
    expect(startFault(thread, place)?.message).toMatch(/No more files can be opened \(EMFILE\)/);
  });

  test('that is a defect stays one', () => {
    for (const defect of [new TypeError('x is not a function'), coded('ERR_INVALID_ARG_TYPE'), 'text', undefined])
      expect(startFault(defect, place)).toBeUndefined();
  });
});

describe('the limits of a process', () => {
  const enough = { openFilesMax: 88, heapMib: 64, addressSpaceMib: 2048 };

  test('that are just enough, or unknown, are no fault', () => {
    checkResources(1, enough);
    checkResources(64, { openFilesMax: undefined, heapMib: undefined, addressSpaceMib: undefined });
  });

  test.each([
    ['openFilesMax', 87, 1, /may open 87 files, .* needs at least 88/],
    ['openFilesMax', 88, 2, /HTTP_THREADS=2 it needs at least 96/],
    ['heapMib', 63, 1, /--max-old-space-size=63 .* at least 64/],
    ['addressSpaceMib', 2047.9, 1, /2047 MiB of address space, .* at least 2048/],
  ] as const)('%s of %d with %d threads are told before they end the process', (name, value, threads, says) => {
    expect(() => checkResources(threads, { ...enough, [name]: value })).toThrow(says);
    expect(() => checkResources(threads, { ...enough, [name]: value })).toThrow(StartError);
  });
});

describe('dev.json', () => {
  const facts = {
    ...urlsOf('127.0.0.1', 8080),
    chainId: 'txledger-dev-1',
    token: 'txl_a_b',
    accounts: developmentAccounts(),
  };

  test.each([
    ['empty', () => ''],
    ['without its end', (text: string) => text.slice(0, text.length / 2)],
    ['null', () => 'null'],
    ['without an account', (text: string) => text.replace(/"seed": "[0-9a-f]+"/, '"seed": 7')],
    ['without a URL', (text: string) => text.replace(facts.baseUrl, 'nowhere')],
  ])('that is %s is a sentence that says to remove it', async (_what, damage) => {
    const file = path.join(await temporaryFolder(), 'dev.json');
    keepDevelopmentFile(file, facts);
    expect(readDevelopmentFile(file)).toEqual(facts);
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    expect(() => readDevelopmentFile(file)).toThrow(StartError);
    expect(() => readDevelopmentFile(file)).toThrow(/dev\.json .*Remove it and run `npm start` again/);
  });
});

describe('DATA_DIR', () => {
  test.each(['chain.db', 'genesis.json', 'search.db', 'dev.json'])(
    'with a folder in the place of %s names it',
    async (name) => {
      const folder = await temporaryFolder();
      openDataDir(folder).release();
      mkdirSync(path.join(folder, name));
      expect(() => openDataDir(folder)).toThrow(`${path.join(folder, name)} is a folder, expected a file`);
    },
  );
});

test('a file that the disk has room for only in part does not get its name', async () => {
  const file = path.join(await temporaryFolder(), 'genesis.json');
  writeSecretFile(file, 'before');
  const source = `import { writeSecretFile } from './server/app/secret-file.ts'; try { writeSecretFile(${JSON.stringify(file)}, 'x'.repeat(4000)); } catch (error) { console.log(error.code); }`;
  // In blocks of 1 KiB.
  const { stdout } = spawnSync(
    'bash',
    ['-c', 'ulimit -f 1; exec "$0" --input-type=module --eval "$1"', process.execPath, source],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(stdout).toBe('EFBIG\n');
  expect(readFileSync(file, 'utf8')).toBe('before');
});
