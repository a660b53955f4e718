/**
 * The log of the client: one line for each attempt and each pause. The order of arguments is pino's. The fields never have a token, a
 * signature or a seed: only method, URL, status, times, the request's id and transaction hashes.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
