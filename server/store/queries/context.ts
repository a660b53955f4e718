/** What every query of the store needs: the connection (or transaction) it runs on and the SQL that only this database knows. */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { SqlFragments } from '../sql-fragments.ts';

export interface QueryContext {
  db: Kysely<Tables>;
  fragments: SqlFragments;
}
