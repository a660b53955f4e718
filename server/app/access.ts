/**
 * Tokens and bound addresses on the gateway's database, beside servers that may be running on it: the write lock of
 * the database is all the coordination that takes, and a server sees a change when it next looks a token up.
 *
 * @module
 */
import { createAdministration, type Administration } from '../gateway/access/administration.ts';
import { personOfProcess } from './actor.ts';
import { createClock, createRandomSource } from './environment.ts';
import { openStore, type StoreLocation } from './store-location.ts';

/** Opens the database, makes its tables if they are not there yet, and closes it after `work`. */
export async function withAccess<T>(location: StoreLocation, work: (access: Administration) => Promise<T>): Promise<T> {
  const store = await openStore(location);
  try {
    return await work(createAdministration(store, { clock: createClock(), random: createRandomSource(), actor: personOfProcess() }));
  } finally {
    await store.close();
  }
}
