import { describe, expect, test } from '@jest/globals';
import { DatabaseUnreachableError } from '../../server/app/database-error.ts';
import { awaitStore, DATABASE_WAIT_MS_MAX, describeLocation, storeLocation } from '../../server/app/store-location.ts';
import type { Clock } from '../../server/engine/ports.ts';
import type { Store } from '../../server/store/index.ts';

const SHARED = storeLocation({ databaseUrl: 'postgres://ledger:geheim@db.example/ledger', databaseFile: '/d/gateway.db' });

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
  return { clock: waitingClock(), logger: { debug: ignore, info: ignore, error: ignore, warn: (_fields: object, message: string) => void warnings.push(message) }, warnings };
}

const away = (): Promise<Store> => Promise.reject(new DatabaseUnreachableError('The database cannot be used: connection refused.'));

describe('the database of a server', () => {
  test('is the file in DATA_DIR unless DATABASE_URL names another one, which is shown without its password', () => {
    expect(storeLocation({ databaseUrl: undefined, databaseFile: '/d/gateway.db' })).toEqual({ kind: 'sqlite', path: '/d/gateway.db' });
    expect(describeLocation(SHARED)).toBe('postgres://ledger:***@db.example/ledger');
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
    await expect(awaitStore(SHARED, { clock, logger }, away)).rejects.toThrow('It was tried for 60 s; start PostgreSQL, or correct DATABASE_URL.');
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
