/**
 * Sorts PostgreSQL's errors, and those of the connection to it, into the three ways in which a write can fail.
 *
 * By SQLSTATE and never by severity or message, which the server translates.
 */
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../errors.ts';
import { sqlState } from './library.ts';

const UNIQUE_VIOLATION = '23505';
const STATEMENT_COMPLETION_UNKNOWN = '40003';

/** Classes, or whole codes, of temporary failures. */
const UNAVAILABLE = [
  '08', // connection
  '25006', // a read-only transaction: the server is, or became, a standby
  '25P03', // the server ended a transaction that was silent for too long
  '40', // serialization failure, deadlock
  '53', // disk full, out of memory, too many connections
  '55P03', // lock timeout
  '57', // statement cancelled, server shutting down, crashed, or starting
  '58', // the server's own disk
  'XX', // the server's own fault
] as const;

/**
 * Statements prepared before another program changed the tables, or that a pooler between has forgotten: a new connection prepares again.
 */
const STALE_STATEMENTS = ['0A000', '26000'] as const;

/** After these the server ends the connection. */
const ENDED_BY_SERVER = ['08', '25P03', '57P'] as const;

const isAmong = (code: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => code.startsWith(prefix));

/** Any error from a statement before the commit: nothing of the transaction is written. */
export function statementFailure(error: unknown): unknown {
  const code = sqlState(error);
  if (code === undefined)
    return isDefect(error)
      ? error
      : new StoreUnavailableError(`the connection to PostgreSQL failed: ${messageOf(error)}`, { cause: error });
  if (code === UNIQUE_VIOLATION) return new StoreConflictError(`${code} ${messageOf(error)}`, { cause: error });
  if (isAmong(code, UNAVAILABLE) || isAmong(code, STALE_STATEMENTS))
    return new StoreUnavailableError(`${code} ${messageOf(error)}`, { cause: error });
  // A broken rule of the schema or a wrong statement is a defect, and another attempt would not resolve it.
  return error;
}

/**
 * An error from a COMMIT that was sent. That nothing was written is certain only when the server reports that it refused: a conflict, or a
 * rule checked at the end. A full disk is not among them, because the commit's record may be on it.
 */
export function commitFailure(error: unknown): unknown {
  const code = sqlState(error);
  const refused =
    code !== undefined && code !== STATEMENT_COMPLETION_UNKNOWN && (code.startsWith('40') || code.startsWith('23'));
  if (refused) return statementFailure(error);
  return new StoreOutcomeUnknownError('the outcome of a database commit is unknown', {
    cause: error,
    rereadable: true,
  });
}

/** True when the connection must not be used again. */
export function losesConnection(error: unknown): boolean {
  const code = sqlState(error);
  return code === undefined ? !isDefect(error) : isAmong(code, ENDED_BY_SERVER) || isAmong(code, STALE_STATEMENTS);
}

/** No answer came in time from the server or the network. Recognised by the library's message, which has no code for it. */
export const isSilence = (error: unknown): boolean =>
  sqlState(error) === undefined && messageOf(error) === 'Query read timeout';

/** By name: an error of the library may come from another realm, where `instanceof` is false. */
function isDefect(error: unknown): boolean {
  return error instanceof Error || hasName(error)
    ? ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError'].includes(error.name)
    : true;
}

const hasName = (error: unknown): error is { name: string } =>
  typeof error === 'object' && error !== null && 'name' in error && typeof error.name === 'string';

/** A refused connection to a name with several addresses has no message of its own. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error && typeof error.message === 'string' && error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : 'unknown error';
}
