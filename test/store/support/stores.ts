/** The databases that a test of the store runs on, each opened the same way. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Store } from '../../../server/store/index.ts';
import { openPostgresStore, openSqliteStore } from '../../../server/store/index.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../../support/postgres.ts';

export interface Database {
  open(): Promise<Store>;
  /** A statement of someone who has the database itself, beside the store. */
  run(statement: string): Promise<unknown[]>;
  remove(): Promise<void>;
}

/** Describes the same promises on every database that this machine has. `fresh` makes an empty one. */
export function onEachDatabase(subject: string, promises: (fresh: () => Promise<Database>) => void): void {
  describe(`${subject} on SQLite`, () => {
    promises(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'txledger-store-'));
      return {
        open: () => openSqliteStore({ path: join(folder, 'gateway.db') }),
        run: async (statement) => {
          const raw = new Sqlite(join(folder, 'gateway.db'));
          try {
            const prepared = raw.prepare(statement);
            return prepared.reader ? prepared.all() : [prepared.run()];
          } finally {
            raw.close();
          }
        },
        remove: async () => rmSync(folder, { recursive: true, force: true }),
      };
    });
  });
  onPostgres(`${subject} on PostgreSQL`, (cluster) => {
    promises(async () => {
      const url = await cluster().storeDatabase();
      return {
        open: () => openPostgresStore({ url }),
        run: (statement) => runOn(url, statement),
        remove: async () => undefined,
      };
    });
  });
}

/** A statement of someone who has a PostgreSQL database itself, beside the store. @returns its rows. */
export async function runOn(url: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** One cluster for all that is described inside; skipped, with the reason in its name, where PostgreSQL is missing. */
export function onPostgres(
  subject: string,
  promises: (cluster: () => PostgresCluster) => void,
  settings: readonly string[] = [],
): void {
  const suite = POSTGRES_MISSING === undefined ? describe : describe.skip;
  suite(POSTGRES_MISSING === undefined ? subject : `${subject}: ${POSTGRES_MISSING}`, () => {
    let cluster: PostgresCluster | undefined;
    beforeAll(async () => {
      cluster = await PostgresCluster.start(settings);
    }, CLUSTER_TIMEOUT_MS);
    afterAll(() => cluster?.stop(), CLUSTER_TIMEOUT_MS);
    promises(() => {
      if (cluster === undefined) throw new Error('the cluster runs during tests only');
      return cluster;
    });
  });
}
