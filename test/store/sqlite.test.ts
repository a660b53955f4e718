/** What only the store on SQLite does: durable settings, migrations by several processes, failures told apart. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Store } from '../../server/store/index.ts';
import { openSqliteStore, StoreConflictError, StoreUnavailableError } from '../../server/store/index.ts';
import { makeDurable } from '../../server/store/sqlite/pragmas.ts';
import { commitFailure, statementFailure } from '../../server/store/sqlite/failure.ts';

let folder: string;
let path: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-store-'));
  path = join(folder, 'gateway.db');
  store = await openSqliteStore({ path });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the file', () => {
  test('is in WAL mode with a commit that waits for the disk', () => {
    const raw = new Database(path);
    expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
    raw.pragma('synchronous = OFF');
    makeDurable(raw);
    const FULL = 2;
    expect(raw.pragma('synchronous', { simple: true })).toBe(FULL);
    raw.close();
  });

  test('is brought to the current schema by any number of openers at once, and opens again', async () => {
    const fresh = join(folder, 'fresh.db');
    const module = new URL('../../server/store/index.ts', import.meta.url).href;
    const program = `import { openSqliteStore } from '${module}'; await (await openSqliteStore({ path: '${fresh}' })).close();`;
    // Processes of their own, as server and command line are: on one thread the second would wait for itself.
    const openers = [1, 2, 3].map(() => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]));
    for (const { stderr } of await Promise.all(openers)) expect(stderr).toBe('');
    const again = await openSqliteStore({ path: fresh });
    expect(await again.read((tx) => tx.tokens())).toEqual([]);
    await again.close();
  });

  test('of a newer version is not opened', async () => {
    const raw = new Database(path);
    raw.prepare("insert into kysely_migration (name, timestamp) values ('9999-future', '2099-01-01')").run();
    raw.close();
    await expect(openSqliteStore({ path })).rejects.toThrow(/a later version wrote it/);
  });
});

describe('the log', () => {
  const TEXT = 'x'.repeat(200_000);
  const entry = { atMs: 1, actor: 'user:a@b', action: 'token.create' as const, subject: 's', details: { TEXT } };
  /** Writes more than a checkpoint is worth, in commits. */
  const writeMuch = async (target: Store): Promise<void> => {
    for (let i = 0; i < 32; i++) await target.write((tx) => tx.appendAudit([entry]));
  };
  /** Pages in the log, and those of them that are in the file. */
  const logOf = (file: string) => {
    const raw = new Database(file);
    const [pages] = raw.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
    raw.close();
    return pages!;
  };

  test('is brought into the file by the other thread alone, where there is one', async () => {
    const file = join(folder, 'asked.db');
    let asked = 0;
    let done = (): void => {};
    let closed = false;
    const other = await openSqliteStore({
      path: file,
      checkpoints: (onDone) => {
        done = onDone;
        return { soon: () => (asked += 1) > 0, close: async () => void (closed = true) };
      },
    });
    await writeMuch(other);
    expect(asked).toBeGreaterThan(0);
    expect(logOf(file)).toMatchObject({ checkpointed: 0 });
    // It told that it is ready: what came since is brought in, and the log begins again.
    done();
    expect(logOf(file).checkpointed).toBeGreaterThan(1000);
    await other.write((tx) => tx.appendAudit([entry]));
    expect(logOf(file).log).toBeLessThan(200);
    await other.close();
    expect(closed).toBe(true);
    done();
  });

  test('is brought into the file by a commit now and then, where there is no other thread or it ended', async () => {
    const file = join(folder, 'ended.db');
    const other = await openSqliteStore({
      path: file,
      checkpoints: () => ({ soon: () => false, close: async () => {} }),
    });
    await writeMuch(other);
    expect(logOf(file).log).toBeLessThan(1_500);
    await other.close();
    await writeMuch(store);
    expect(logOf(path).log).toBeLessThan(1_500);
  });
});

describe('failures', () => {
  const sqlite = (code: string) => Object.assign(new Error('failed'), { code });

  test('of statements leave nothing: try later, read again, or a defect', () => {
    for (const code of ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_IOERR_WRITE'])
      expect(statementFailure(sqlite(code))).toBeInstanceOf(StoreUnavailableError);
    expect(statementFailure(sqlite('SQLITE_CONSTRAINT_UNIQUE'))).toBeInstanceOf(StoreConflictError);
    for (const error of [sqlite('SQLITE_CONSTRAINT_NOTNULL'), sqlite('SQLITE_ERROR'), new TypeError('x')])
      expect(statementFailure(error)).toBe(error);
  });

  test('of commits are known only when SQLite says that nothing was written', () => {
    expect(commitFailure(sqlite('SQLITE_FULL')).name).toBe('StoreUnavailableError');
    expect(commitFailure(sqlite('SQLITE_BUSY')).name).toBe('StoreUnavailableError');
    for (const error of [sqlite('SQLITE_IOERR_FSYNC'), sqlite('SQLITE_IOERR_WRITE'), new Error('?')])
      expect(commitFailure(error).name).toBe('StoreOutcomeUnknownError');
  });
});
