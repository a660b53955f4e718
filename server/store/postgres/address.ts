/** Address of the database, from its URL; and its form for an operator, without the password. */
import { StoreUnavailableError } from '../errors.ts';
import { messageOf } from './failure.ts';
import { hostUrls } from './host-urls.ts';
import type { PostgresConfig } from './library.ts';
import { createClient, TYPES } from './library.ts';
import { CONNECT_MS_MAX, KEEPALIVE_MS } from './limits.ts';

const UNKNOWN_AUTHORITY =
  'no authority that is trusted here has signed its certificate: name its CA with sslrootcert=FILE in the URL';
/** Beginning of the driver's message when the server refuses TLS. */
const NO_TLS = 'The server does not support SSL';

/** One server. */
export interface Host {
  readonly config: PostgresConfig;
  /** `host:port/database as user`. */
  readonly text: string;
}

export interface Address {
  readonly hosts: readonly [Host, ...Host[]];
  /** `host:port/database as user`, the hosts in a list. */
  readonly text: string;
}

/** Throws when the URL cannot be read; the message repeats nothing of it, because it may hold a password. */
export function parseAddress(url: string): Address {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error('the address of the database does not begin with postgres:// or postgresql://');
  const urls = hostUrls(url);
  if (urls === undefined) throw new Error(NO_URL);
  const [first, ...others] = urls.map(hostOf);
  if (first === undefined) throw new Error(NO_URL);
  const listed = [first, ...others].map(({ place }) => place).join(',');
  return { hosts: [first, ...others], text: `${listed}/${first.what}` };
}

const NO_URL = 'the address of the database is not a URL of the form postgres://user:password@host:port/database';

function hostOf(url: string): Host & { place: string; what: string } {
  const config: PostgresConfig = {
    connectionString: url,
    application_name: 'txledger',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    types: TYPES,
  };
  try {
    // A client that is never connected: it has the defaults that the library fills in.
    const { host, port, database, user } = createClient(config);
    const [place, what] = [`${host}:${port}`, `${database} as ${user}`];
    return { config, place, what, text: `${place}/${what}` };
  } catch (error) {
    // The driver reads the files of sslrootcert, sslcert and sslkey here.
    if (textIn(error, 'syscall') === 'open')
      throw new Error(`a file that the address of the database names cannot be read: ${messageOf(error)}`, {
        cause: error,
      });
    // oxlint-disable-next-line preserve-caught-error -- what the driver says may repeat the URL, and with it the password
    throw new Error(NO_URL);
  }
}

/** An error of the library may come from another realm, where `instanceof` is false. */
function textIn(error: unknown, member: 'code' | 'syscall'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Record<string, unknown>)[member];
  return typeof value === 'string' ? value : undefined;
}

/** Resolution for a certificate that does not prove the server's identity, by the code of Node.js. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than the one in the URL',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
};

/** The error for every failure to connect. The library's messages name the user and the database, never the password. */
export function connectFailure(address: Pick<Host, 'text'>, error: unknown): StoreUnavailableError {
  const message = messageOf(error);
  const sentence =
    CERTIFICATE_FAULTS[textIn(error, 'code') ?? ''] ??
    (message.startsWith(NO_TLS)
      ? 'it does not speak TLS (ssl = on in postgresql.conf), which sslmode asks for'
      : undefined);
  return new StoreUnavailableError(
    `no connection to PostgreSQL at ${address.text}: ${sentence === undefined ? message : `${sentence} (${message})`}`,
    { cause: error },
  );
}
