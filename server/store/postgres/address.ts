/** Where the database is, from its URL; and how that is told to an operator without the password. */
import { StoreUnavailableError } from '../errors.ts';
import { messageOf } from './failure.ts';
import type { PostgresConfig } from './library.ts';
import { createClient, TYPES } from './library.ts';
import { CONNECT_MS_MAX, KEEPALIVE_MS } from './limits.ts';

export interface Address {
  readonly config: PostgresConfig;
  /** `host:port/database as user`. */
  readonly text: string;
}

/** Throws when the URL cannot be read; the message repeats nothing of it, because it may hold a password. */
export function parseAddress(url: string): Address {
  const config: PostgresConfig = {
    connectionString: url,
    application_name: 'txledger',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    types: TYPES,
  };
  return { config, text: describe(url, config) };
}

function describe(url: string, config: PostgresConfig): string {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('the address of the database does not begin with postgres:// or postgresql://');
  try {
    // A client that is never connected: it knows the defaults that the library fills in.
    const { host, port, database, user } = createClient(config);
    return `${host}:${port}/${database} as ${user}`;
  } catch {
    throw new Error('the address of the database is not a URL of the form postgres://user:password@host:port/database');
  }
}

/** What every failure to connect becomes. The library's messages name the user and the database, never the password. */
export function connectFailure(address: Address, error: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`no connection to PostgreSQL at ${address.text}: ${messageOf(error)}`, { cause: error });
}
