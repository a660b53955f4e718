import { writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DatabaseUnreachableError } from '../../server/app/database-error.ts';
import { DataDirError, dataDirFiles } from '../../server/app/data-dir.ts';
import {
  adminLocation,
  awaitStore,
  commandLocation,
  DATABASE_WAIT_MS_MAX,
  describeLocation,
  storeLocation,
} from '../../server/app/store-location.ts';
import { missingToken } from '../../server/app/usable-token.ts';
import type { Clock } from '../../server/engine/ports.ts';
import type { Store } from '../../server/store/index.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const SHARED = storeLocation({
  databaseUrl: 'postgres://ledger:geheim@db.example/ledger',
  databaseFile: '/d/gateway.db',
});

/** Time passes only when somebody waits. */
function waitingClock(): Clock {
  let nowMs = 0;
  const setTimer: Clock['setTimer'] = (fn, delayMs) => {
    nowMs += delayMs;
    queueMicrotask(fn);
    return { cancel: () => undefined };
  };
  return { nowMs: () => nowMs, nowNs: () => 0n, monotonicMs: () => nowMs, setTimer };
}

function surroundings() {
  const warnings: string[] = [];
  const ignore = (): void => undefined;
  return {
    clock: waitingClock(),
    logger: {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (_fields: object, message: string) => void warnings.push(message),
    },
    warnings,
  };
}

const away = (): Promise<Store> =>
  Promise.reject(new DatabaseUnreachableError('The database cannot be used: connection refused.'));

describe('the database of a server', () => {
  test('is the file in DATA_DIR unless DATABASE_URL names another one, which is shown without its password', () => {
    expect(storeLocation({ databaseUrl: undefined, databaseFile: '/d/gateway.db' })).toEqual({
      kind: 'sqlite',
      path: '/d/gateway.db',
    });
    expect(describeLocation(SHARED)).toBe('postgres://ledger:***@db.example/ledger');
  });

  test('with the embedded engine is chain.db in DATA_DIR', () => {
    const files = dataDirFiles('/d');
    expect(adminLocation({ engine: 'embedded', databaseUrl: undefined, files })).toEqual({
      kind: 'chain',
      path: '/d/chain.db',
    });
    expect(adminLocation({ engine: 'cometbft', databaseUrl: undefined, files })).toEqual({
      kind: 'sqlite',
      path: '/d/gateway.db',
    });
  });

  test('is waited for while it comes up, with one warning', async () => {
    const { clock, logger, warnings } = surroundings();
    let tries = 0;
    const opened = {} as Store;
    const open = async (): Promise<Store> => {
      tries += 1;
      return tries < 10 ? away() : opened;
    };
    expect(await awaitStore(SHARED, { clock, logger }, open)).toBe(opened);
    expect({ tries, warnings: warnings.length }).toEqual({ tries: 10, warnings: 1 });
  });

  test('that stays away ends the start after a named time, with what to do', async () => {
    const { clock, logger } = surroundings();
    await expect(awaitStore(SHARED, { clock, logger }, away)).rejects.toThrow(
      'It was tried for 60 s; start PostgreSQL, or correct DATABASE_URL.',
    );
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(DATABASE_WAIT_MS_MAX);
    expect(clock.monotonicMs()).toBeLessThan(2 * DATABASE_WAIT_MS_MAX);
  });

  test('that fails in another way is not tried again', async () => {
    const { clock, logger } = surroundings();
    const broken = (): Promise<Store> => Promise.reject(new TypeError('a defect'));
    await expect(awaitStore(SHARED, { clock, logger }, broken)).rejects.toThrow(TypeError);
    expect(clock.monotonicMs()).toBe(0);
  });
});

describe('the database of a command', () => {
  afterAll(removeTemporaryFolders);

  const folderWith = async (...names: string[]) => {
    const files = dataDirFiles(await temporaryFolder());
    for (const name of names) await writeFile(files[name as keyof typeof files], '');
    return files;
  };

  test('is chain.db, which it may be the first to make, and the shared one where DATABASE_URL names it', async () => {
    const files = await folderWith();
    expect(commandLocation({ engine: 'embedded', databaseUrl: undefined, files })).toEqual({
      kind: 'chain',
      path: files.chain,
    });
    expect(commandLocation({ engine: 'embedded', databaseUrl: 'postgres://db/ledger', files })).toEqual({
      kind: 'postgres',
      url: 'postgres://db/ledger',
    });
  });

  test('is not made beside the gateway.db of a gateway before nodes', async () => {
    const files = await folderWith('gateway');
    const of = (engine: 'embedded' | 'cometbft') => commandLocation({ engine, databaseUrl: undefined, files });
    expect(() => of('embedded')).toThrow(DataDirError);
    expect(() => of('embedded')).toThrow(
      'belongs to a gateway before CometBFT nodes: set ENGINE=cometbft for this command too.',
    );
    expect(of('cometbft')).toEqual({ kind: 'sqlite', path: files.gateway });
    await writeFile(files.chain, '');
    expect(of('embedded')).toEqual({ kind: 'chain', path: files.chain });
  });

  test.each([
    [{ kind: 'chain', path: '/d/chain.db' }, 'DATA_DIR: txledger'],
    [{ kind: 'sqlite', path: '/d/gateway.db' }, 'DATA_DIR and ENGINE=cometbft: txledger'],
    [SHARED, 'DATABASE_URL: txledger'],
  ] as const)(
    'is named in the way that leads there, when a server finds no token in it: %j',
    async (location, named) => {
      const store = {
        now: {
          tokens: async () => [
            { expiresAtMs: 5, revokedAtMs: undefined },
            { expiresAtMs: undefined, revokedAtMs: 1 },
          ],
        },
      } as never;
      expect(await missingToken(store, location, { ...waitingClock(), nowMs: () => 5 })).toContain(
        `Make one first, with the same ${named} token create`,
      );
      expect(await missingToken(store, location, { ...waitingClock(), nowMs: () => 4 })).toBeUndefined();
    },
  );
});
