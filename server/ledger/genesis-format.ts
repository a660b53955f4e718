/**
 * Chain format of a genesis file.
 *
 * A chain keeps the format that it began with: another one means other state, other hashes and other transactions. Format 1 had `operators`
 * in its app_state and no `format`; from format 2 on the file names it.
 */

/** The only format that this version executes. */
export const CHAIN_FORMAT = 2;

type Json = Readonly<Record<string, unknown>>;

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/**
 * The chain format of a genesis file, or undefined when the bytes are not a genesis of this ledger. It does not check that the file is
 * whole.
 */
export function genesisFormat(bytes: Uint8Array): number | undefined {
  return formatOf(asObject(parse(bytes))['app_state']);
}

/** The same for an app_state that has been parsed. */
export function formatOf(appState: unknown): number | undefined {
  const { format, address_prefix: prefix, accounts, operators, cancellers } = asObject(appState);
  if (Number.isSafeInteger(format) && Number(format) >= 1) return Number(format);
  const isFormat1 =
    format === undefined &&
    cancellers === undefined &&
    typeof prefix === 'string' &&
    Array.isArray(accounts) &&
    Array.isArray(operators);
  return isFormat1 ? 1 : undefined;
}

/** Message for the operator about a chain of another format. `undefined` when this version executes it. */
export function formatFault(format: number): string | undefined {
  if (format === CHAIN_FORMAT) return undefined;
  return format < CHAIN_FORMAT
    ? `this is a chain of format ${format}, and this version carries on chains of format ${CHAIN_FORMAT} only: start a new chain with a new genesis, or run the version that made this one`
    : `this is a chain of format ${format}, which is newer than this version (format ${CHAIN_FORMAT}): install the version that made it`;
}
