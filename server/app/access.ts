/**
 * Tokens and bound addresses in the service's database, beside servers that may be running on it: the write lock of
 * the database is all the coordination that takes, and a server sees a change when it next looks a token up.
 *
 * @module
 */
import { createAdministration, type Administration } from '../gateway/access/administration.ts';
import { personOfProcess } from './actor.ts';
import { createClock, createRandomSource } from './environment.ts';
import { type AdminLocation, openAdminStore } from './store-location.ts';

/** Opens the database, makes its tables if they are not there yet, and closes it after `work`. */
export async function withAccess<T>(location: AdminLocation, work: (access: Administration) => Promise<T>): Promise<T> {
  const store = await openAdminStore(location);
  try {
    return await work(
      createAdministration(store, { clock: createClock(), random: createRandomSource(), actor: personOfProcess() }),
    );
  } finally {
    await store.close();
  }
}
