/** The databases that a test of the store runs on, each opened the same way. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../server/store/index.ts';
import { openPostgresStore, openSqliteStore } from '../../../server/store/index.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../../support/postgres.ts';

export interface Database {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

/** Describes the same promises on every database that this machine has. `fresh` makes an empty one. */
export function onEachDatabase(subject: string, promises: (fresh: () => Promise<Database>) => void): void {
  describe(`${subject} on SQLite`, () => {
    promises(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'txledger-store-'));
      return {
        open: () => openSqliteStore({ path: join(folder, 'gateway.db') }),
        remove: async () => rmSync(folder, { recursive: true, force: true }),
      };
    });
  });
  onPostgres(`${subject} on PostgreSQL`, (cluster) => {
    promises(async () => {
      const url = await cluster().database();
      return { open: () => openPostgresStore({ url }), remove: async () => undefined };
    });
  });
}

/** One cluster for all that is described inside; skipped, with the reason as its name, where PostgreSQL is missing. */
export function onPostgres(subject: string, promises: (cluster: () => PostgresCluster) => void, settings: readonly string[] = []): void {
  if (POSTGRES_MISSING !== undefined) {
    test.skip(`${subject}: ${POSTGRES_MISSING}`, () => undefined);
    return;
  }
  describe(subject, () => {
    let cluster: PostgresCluster;
    beforeAll(async () => {
      cluster = await PostgresCluster.start(settings);
    }, CLUSTER_TIMEOUT_MS);
    afterAll(() => cluster?.stop(), CLUSTER_TIMEOUT_MS);
    promises(() => cluster);
  });
}
