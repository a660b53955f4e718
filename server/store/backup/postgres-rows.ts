/**
 * Reads the rows of a gateway's database on PostgreSQL, and writes them into an empty one.
 *
 * They have a form of our own, because pg_dump may be missing on the machine, must not be older than the server, and writes a form that
 * only a server can check. Each row is one line of JSON that PostgreSQL itself writes and reads again, so no number and no byte passes
 * through another program's types.
 */
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StoreUnavailableError } from '../errors.ts';
import { BY_SHARDS, migrations } from '../migrations/index.ts';
import { connectFailure, parseAddress } from '../postgres/address.ts';
import { StoreDialect, StoreDriver } from '../postgres/dialect.ts';
import { postgresFragments } from '../postgres/fragments.ts';
import { createClient, type PostgresClient } from '../postgres/library.ts';
import { statementFailure } from '../postgres/failure.ts';
import { Primary } from '../postgres/primary.ts';
import type { Tables } from '../schema.ts';
import {
  BACKUP_TABLES,
  type BackupTable,
  countsSql,
  type CountsRow,
  FOLLOWER_SQL,
  type FollowerRow,
  gatewayFacts,
  type GatewayFacts,
  ORDER_OF,
  tablesMadeBy,
} from './gateway-tables.ts';

/** Some 2 MB of text at a time, out and in. */
const ROWS_AT_A_TIME = 2000;

export interface RowsOut {
  facts: GatewayFacts;
  /** The names of the migrations that made the tables, in order. */
  migrations: string[];
}

/**
 * Reads everything in one transaction, so it is of one moment; like pg_dump it blocks no writer, and holds vacuum back until it is done.
 * `write` gets the lines of each table in turn. Throws StoreUnavailableError.
 */
export async function readRows(
  url: string,
  write: (table: BackupTable, lines: readonly string[]) => Promise<void>,
  onProgress: (rows: number, allRows: number) => void,
): Promise<RowsOut | undefined> {
  const primary = new Primary(parseAddress(url));
  const { config, text } = await primary.find().finally(() => primary.close());
  const client = createClient(config);
  // Without a listener a connection that breaks would end the process; the statement under way fails too.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw connectFailure({ text }, error);
  }
  try {
    await client.query(
      "begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0; set local bytea_output = 'hex'",
    );
    return await readAll(client, write, onProgress);
  } catch (error) {
    throw statementFailure(error);
  } finally {
    await client.end();
  }
}

async function readAll(
  client: PostgresClient,
  write: Parameters<typeof readRows>[1],
  onProgress: Parameters<typeof readRows>[2],
): Promise<RowsOut | undefined> {
  const ask = async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows as Row[];
  const has = async (table: string): Promise<boolean> =>
    (await ask<{ found: boolean }>(`select to_regclass('${table}') is not null as found`))[0]?.found === true;
  if (!(await has('kysely_migration'))) return undefined;
  const applied = await ask<{ name: string }>('select name from kysely_migration order by name');
  const [follower] = await ask<FollowerRow>(FOLLOWER_SQL);
  if (follower === undefined) return undefined;
  const [counts] = await ask<CountsRow>(countsSql({ webhooks: await has('webhooks'), pending: await has('pending') }));
  const [{ supply } = { supply: '0' }] = await ask<{ supply: string }>(
    'select coalesce(sum(balance::numeric), 0)::text as supply from accounts where on_chain = 1',
  );
  const allRows = counts === undefined ? 0 : counts.transfers + counts.events + counts.accounts + counts.audit;
  let rows = 0;
  for (const table of BACKUP_TABLES) {
    if (!(await has(table))) continue;
    await client.query(
      `declare rows_of_table no scroll cursor for select row_to_json(t)::text as line from (select * from ${table} order by ${ORDER_OF[table]}) t`,
    );
    for (;;) {
      const found = await ask<{ line: string }>(`fetch ${ROWS_AT_A_TIME} from rows_of_table`);
      await write(
        table,
        found.map(({ line }) => line),
      );
      rows += found.length;
      onProgress(Math.min(rows, allRows), allRows);
      if (found.length < ROWS_AT_A_TIME) break;
    }
    await client.query('close rows_of_table');
  }
  return {
    facts: gatewayFacts(follower, counts as CountsRow, BigInt(supply)),
    migrations: applied.map(({ name }) => name),
  };
}

/** The database is not empty, or the rows are of a later version. */
export class RowsRefusedError extends Error {
  override readonly name = 'RowsRefusedError';
}

/**
 * Makes the tables as the migrations of the backup made them, and fills them, in one transaction: a restore that dies leaves the database
 * empty. The service brings it up to date when it starts.
 */
export async function writeRows(
  url: string,
  { migrations: wanted, rows }: { migrations: readonly string[]; rows: (table: BackupTable) => AsyncIterable<string> },
  onProgress: (rows: number) => void,
): Promise<void> {
  const list = migrations(postgresFragments(''));
  const unknown = wanted.filter((name) => list[name] === undefined);
  if (unknown.length > 0)
    throw new RowsRefusedError(
      `its tables were made by ${unknown.join(', ')}, which this program does not know: a later version wrote it; use that one`,
    );
  const primary = new Primary(parseAddress(url));
  const db = new Kysely<Tables>({
    dialect: new StoreDialect(
      new StoreDriver({ primary, kind: 'migrate', connectionsMax: 1, onLost: () => undefined }),
    ),
  });
  let done = 0;
  try {
    await db.transaction().execute(async (tx) => {
      const tables = await tx.introspection.getTables({ withInternalKyselyTables: true });
      const there = tables.filter(({ name }) => name in ORDER_OF || name === 'leases' || name.startsWith('kysely_'));
      if (there.length > 0)
        throw new RowsRefusedError(
          `the database is not empty: it has the table ${there[0]?.name}. Make a new one (CREATE DATABASE), and name it in DATABASE_URL`,
        );
      const ofBackup = Object.fromEntries(Object.entries(list).filter(([name]) => wanted.includes(name)));
      const { error } = await new Migrator({
        db: tx,
        provider: { getMigrations: async () => ofBackup },
      }).migrateToLatest();
      if (error !== undefined) throw error;
      // The rows that migrations write.
      await sql`delete from counters`.execute(tx);
      if (BY_SHARDS in ofBackup) await sql`delete from shards`.execute(tx);
      for (const table of tablesMadeBy(wanted)) {
        for await (const lines of inGroups(rows(table))) {
          await sql`insert into ${sql.table(table)} select * from json_populate_recordset(null::${sql.raw(table)}, ${`[${lines.join(',')}]`}::json)`.execute(
            tx,
          );
          done += lines.length;
          onProgress(done);
        }
      }
    });
    // Without it the first queries would be planned for empty tables.
    await sql`analyze`.execute(db);
  } catch (error) {
    throw error instanceof RowsRefusedError || error instanceof StoreUnavailableError ? error : statementFailure(error);
  } finally {
    await db.destroy();
    primary.close();
  }
}

async function* inGroups(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let group: string[] = [];
  for await (const line of lines) {
    group.push(line);
    if (group.length < ROWS_AT_A_TIME) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
