/**
 * The database under a gateway of these tests: an SQLite file, PostgreSQL when the variable STORE says `postgres`, or chain.db under the core
 * of the embedded engine when it says `chain`:
 *
 *   STORE=postgres node --experimental-vm-modules node_modules/jest/bin/jest.js test/gateway
 */
import { afterAll, describe, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import pg from 'pg';
import type { Store } from '../../../server/store/index.ts';
import { openPostgresStore, openSqliteStore } from '../../../server/store/index.ts';
import { CLUSTER_TIMEOUT_MS, PostgresCluster } from '../../support/postgres.ts';

export const ON_POSTGRES = process.env['STORE'] === 'postgres';
/** The core of the embedded engine, on chain.db, instead of a gateway that follows. */
export const ON_CHAIN = process.env['STORE'] === 'chain';

/**
 * For tests of following blocks that others made, or of the store of a gateway that does: the embedded engine's core has neither. Where it
 * is the one under test they are skipped, and the output says why.
 */
export const onFollower = {
  describe: (name: string, why: string, tests: () => void): void =>
    whereItFollows(name, why, ON_CHAIN ? describe.skip : describe, tests),
  test: (name: string, why: string, work: () => Promise<void>): void =>
    whereItFollows(name, why, ON_CHAIN ? test.skip : test, work),
};

function whereItFollows<Body>(
  name: string,
  why: string,
  declare: (name: string, body: Body) => void,
  body: Body,
): void {
  if (ON_CHAIN) process.stderr.write(`skipped on chain.db: ${name} (${why})\n`);
  declare(name, body);
}

/** Turns of the event loop without a question to the database, after which nothing more is expected to be asked. */
const QUIET_TURNS = 3;

let cluster: Promise<PostgresCluster> | undefined;

if (ON_POSTGRES) afterAll(async () => (await cluster)?.stop(), CLUSTER_TIMEOUT_MS);

export class FixtureStore {
  readonly #folder: string;
  #url: Promise<string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Of the database on PostgreSQL, once it was opened. */
  get url(): Promise<string> | undefined {
    return this.#url;
  }

  /** Opens the same database each time. */
  async open(pagesMax?: number): Promise<Store> {
    if (!ON_POSTGRES)
      return await openSqliteStore({
        path: join(this.#folder, 'gateway.db'),
        ...(pagesMax === undefined ? {} : { pagesMax }),
      });
    this.#url ??= (cluster ??= PostgresCluster.start()).then((started) => started.storeDatabase());
    return await openPostgresStore({ url: await this.#url });
  }

  /** As an older version left it, that followed without verifying: from genesis on, or from a height. No gateway may have it open. */
  async forgetVerification(from = 0): Promise<void> {
    await this.#change([
      ...(from === 0 ? ['delete from validator_sets'] : []),
      `update follower set verified_height = ${from}`,
    ]);
  }

  /** As an older version left it that believed a lie: where it stands is another block than the chain's. */
  async forgeHead(): Promise<void> {
    await this.#change([`update follower set hash = '${'AB'.repeat(32)}'`]);
  }

  async #change(statements: readonly string[]): Promise<void> {
    if (!ON_POSTGRES) {
      const db = new Database(join(this.#folder, 'gateway.db'));
      for (const statement of statements) db.exec(statement);
      db.close();
      return;
    }
    const client = new pg.Client({ connectionString: await this.#url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
}

/** Questions on their way to PostgreSQL. */
let asked = 0;

if (ON_POSTGRES) {
  for (const method of ['query', 'connect'] as const) {
    const original = pg.Client.prototype[method] as (...parameters: any[]) => any;
    (pg.Client.prototype as any)[method] = function (this: pg.Client, ...parameters: any[]) {
      asked += 1;
      const answered = (): void => void (asked -= 1);
      const callback = parameters.at(-1);
      if (typeof callback === 'function') {
        const wrapped = (...answer: unknown[]): void => {
          answered();
          callback(...answer);
        };
        return original.call(this, ...parameters.slice(0, -1), wrapped);
      }
      const answer = original.apply(this, parameters);
      answer.then(answered, answered);
      return answer;
    };
  }
}

/** Resolves when the database has answered everything, and what it answered has asked nothing more. */
export async function databaseQuiet(): Promise<void> {
  for (let turns = 0; turns < QUIET_TURNS; turns = asked === 0 ? turns + 1 : 0)
    await new Promise((resolve) => setImmediate(resolve));
}
