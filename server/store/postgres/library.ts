/** The one place that imports the PostgreSQL library, which is CommonJS. */
import pg from 'pg';

export type PostgresClient = pg.Client;
export type PostgresPool = pg.Pool;
export type PostgresPoolClient = pg.PoolClient;
export type PostgresConfig = pg.PoolConfig;

export const createClient = (config: PostgresConfig): PostgresClient => new pg.Client(config);

/** Every connection that the pool makes is configured with the value of `configOf` at that moment. */
export function createPool(config: PostgresConfig, configOf: () => PostgresConfig): PostgresPool {
  class ClientOfHost extends pg.Client {
    constructor() {
      super({ ...config, ...configOf() });
    }
  }
  return new pg.Pool({ ...config, Client: ClientOfHost } as PostgresConfig);
}

/** Closes its socket now: `end` waits for answers that may never come. */
export function destroyClient(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}

/** 64-bit integers come as text by default, because they may exceed 2^53; no number of this store does. */
export const TYPES: NonNullable<PostgresConfig['types']> = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? safeInteger
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the store holds the number ${text}, which is past 2^53`);
  return value;
}

/** PostgreSQL's SQLSTATE, or undefined when the error did not come from the server. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
