/**
 * Tokens and bound addresses on the gateway's database, beside a server that may be running on it: the write lock of
 * the database is all the coordination that takes, and the server sees a change when it next looks a token up.
 *
 * @module
 */
import { createAdministration, type Administration } from '../gateway/index.ts';
import { openSqliteStore } from '../store/index.ts';
import { createClock, createRandomSource } from './environment.ts';

/** Opens the database, makes it if it is not there yet, and closes it after `work`. */
export async function withAccess<T>(databaseFile: string, work: (access: Administration) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ path: databaseFile });
  try {
    return await work(createAdministration(store, { clock: createClock(), random: createRandomSource() }));
  } finally {
    await store.close();
  }
}
