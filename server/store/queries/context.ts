/** What every query of the store needs: the connection (or transaction) it runs on and the database's way to take a set of rows. */
import type { Kysely } from 'kysely';
import type { RowsetDialect } from '../rowset.ts';
import type { Tables } from '../schema.ts';

export interface QueryContext {
  db: Kysely<Tables>;
  rowsets: RowsetDialect;
}
