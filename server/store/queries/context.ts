/** Context of every query of the store: the connection (or transaction) it runs on and the SQL that is specific to the database. */
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Tables } from '../schema.ts';
import type { SqlFragments } from '../sql-fragments.ts';

export interface QueryContext {
  db: Kysely<Tables>;
  fragments: SqlFragments;
  /**
   * Sends a statement now, for those that the commit may follow without a wait: when one of them fails, nothing is committed. Absent where
   * each statement is waited for.
   */
  send?: (statement: CompiledQuery) => void;
}

/** Resolves when the commit can follow. */
export async function sendAll({ db, send }: QueryContext, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  if (send === undefined) await Promise.all(statements.map((statement) => statement.execute(db)));
  else for (const statement of statements) send(statement.compile(db));
}
