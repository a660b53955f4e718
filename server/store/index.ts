/** The store: the gateway's database behind an interface that follows the gateway's operations. */
export { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from './errors.ts';
export type { PostgresStoreOptions } from './postgres/open.ts';
export { openPostgresStore } from './postgres/open.ts';
export type { SqliteStoreOptions } from './sqlite/open.ts';
export { openSqliteStore } from './sqlite/open.ts';
export type * from './event-types.ts';
export type * from './types.ts';
