/**
 * Where the client tells what it does: one line for each attempt and each pause. The order of arguments is pino's. No token, no signature
 * and no seed is ever among the fields: only method, URL, status, times, the request's id and transaction hashes.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
