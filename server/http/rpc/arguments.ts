/**
 * Parses the arguments of a method from the text of a request, with the rules and error texts of CometBFT v0.38:
 * rpc/jsonrpc/server/http_uri_handler.go for query strings, http_json_handler.go and libs/json/decoder.go for JSON.
 *
 * In JSON, 64-bit integers are strings; bytes are base64 for Go's []byte and hex for HexBytes. In a query string, integers are bare or
 * quoted, and bytes are 0x-hex or the UTF-8 of a quoted text.
 */
import type { RpcArguments, RpcMethodSpec, RpcParamSpec, RpcParamType } from '../../gateway/rpc/port.ts';

import { DEPTH_FAULT, goQuote, goStringify, rawParts, readGoJson, scanGoJson } from './go-json.ts';
import { ERROR_DATA_CHARS_MAX } from './envelope.ts';

export type ReadArguments = { ok: true; args: RpcArguments } | { ok: false; error: string };

type Argument = RpcArguments[string];

/** Thrown and caught within this file only. */
class Fault extends Error {}

const INTEGER = /^-?[0-9]+$/;
/** Characters of the longest integer that any of the types holds: a sign and 19 digits, or 20 digits. */
const INTEGER_CHARS_MAX = 20;
const NO_BASE64 = /[^A-Za-z0-9+/]/;
const RANGES: Readonly<Record<'int64' | 'int' | 'uint', readonly [min: bigint, max: bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  uint: [0n, 2n ** 64n - 1n],
};
/** Go's names of the types of parameters. */
const GO_KINDS: Readonly<Record<RpcParamType, string>> = {
  int64: 'int64',
  int: 'int',
  uint: 'uint',
  bool: 'bool',
  string: 'string',
  hexbytes: 'bytes.HexBytes',
  bytes: '[]uint8',
  tx: 'types.Tx',
  evidence: 'types.Evidence',
};

/** Names that the method does not have are ignored, as in CometBFT; of a repeated name the first counts. */
export function argumentsOfQuery(spec: RpcMethodSpec, search: URLSearchParams): ReadArguments {
  return reading('http', () =>
    spec.params.map((param) => [param.name, ofQueryText(param, search.get(param.name) ?? '')]),
  );
}

/**
 * `params` is an object or an array, or absent.
 *
 * @param textOf the original text of the params, which some of Go's error texts quote.
 */
export function argumentsOfJson(
  spec: RpcMethodSpec,
  params: unknown,
  textOf: () => string = () => JSON.stringify(params),
): ReadArguments {
  return reading('json', () => {
    const rawOf = (name: string) => () => rawParts(textOf()).get(name) ?? '';
    if (Array.isArray(params)) return ofArray(spec, params as readonly unknown[], textOf);
    if (typeof params === 'object' && params !== null) {
      const given = params as Record<string, unknown>;
      return spec.params.map((param) => [
        param.name,
        Object.hasOwn(given, param.name) ? ofJson(param.type, given[param.name], rawOf(param.name)) : undefined,
      ]);
    }
    // For Go, null is an empty map.
    if (params === null) return spec.params.map((param) => [param.name, undefined]);
    throw new Fault(
      `unknown type for JSON params: json: cannot unmarshal ${jsonKind(params)} into Go value of type []json.RawMessage. Expected map or array`,
    );
  });
}

function reading(form: 'http' | 'json', read: () => (readonly [string, Argument])[]): ReadArguments {
  try {
    return { ok: true, args: Object.fromEntries(read()) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { ok: false, error: `error converting ${form} params to arguments: ${fault.message}` };
  }
}

function ofArray(
  spec: RpcMethodSpec,
  params: readonly unknown[],
  textOf: () => string,
): (readonly [string, Argument])[] {
  if (params.length !== spec.params.length) {
    const names = spec.params.map(({ name }) => name).join(' ');
    throw new Fault(
      `expected ${spec.params.length} parameters ([${names}]), got ${params.length} ([${rawsOf(rawParts(textOf()).values())}])`,
    );
  }
  return spec.params.map((param, index) => [
    param.name,
    ofJson(param.type, params[index], () => rawParts(textOf()).get(String(index)) ?? ''),
  ]);
}

/** Go prints the raw JSON of the parameters as numbers of its bytes; at most as much is made as an error may hold. */
function rawsOf(params: Iterable<string>): string {
  let raws = '';
  for (const param of params) {
    if (raws.length >= ERROR_DATA_CHARS_MAX) break;
    const bytes = Buffer.from(param).subarray(0, ERROR_DATA_CHARS_MAX);
    raws += `${raws === '' ? '' : ' '}[${[...bytes].join(' ')}]`;
  }
  return raws;
}

function ofQueryText({ type }: RpcParamSpec, text: string): Argument {
  if (text === '') return undefined;
  const isInteger = type === 'int64' || type === 'int' || type === 'uint';
  const isBytes = type === 'bytes' || type === 'hexbytes' || type === 'tx';
  if (isInteger && INTEGER.test(text)) return integer(type, text);
  if (/^0x/i.test(text)) {
    if (!isBytes && type !== 'string')
      throw new Fault(`got a hex string arg, but expected '${type === 'evidence' ? 'interface' : type}'`);
    const bytes = hex(text.slice(2));
    return type === 'string' ? Buffer.from(bytes).toString() : bytes;
  }
  if (isBytes && isQuoted(text)) return Buffer.from(ofJson('string', jsonOf(text), () => text) as string);
  if (text === 'null') return undefined;
  // These two types examine the text before they parse it as JSON.
  if (isInteger) return quotedInteger(type, text);
  if (type === 'hexbytes') throw new Fault(`invalid hex string: ${text}`);
  return ofJson(type, jsonOf(text), () => text);
}

const isQuoted = (text: string): boolean => text.startsWith('"') && text.endsWith('"');

function jsonOf(text: string): unknown {
  const read = readGoJson(text, scanGoJson(text, Infinity));
  if (read.ok) return read.value;
  if ('fault' in read) throw new Fault(read.fault);
  throw new Fault(read.limit === 'depth' ? DEPTH_FAULT : 'too many values');
}

/** @param rawOf the original text of the value. */
function ofJson(type: RpcParamType, value: unknown, rawOf: () => string): Argument {
  // Go's decoder leaves the zero value for null.
  if (value === null) return undefined;
  switch (type) {
    case 'int64':
    case 'int':
    case 'uint':
      return typeof value === 'string' && INTEGER.test(value) ? integer(type, value) : quotedInteger(type, rawOf());
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(type, value);
    case 'string':
      return typeof value === 'string' ? value : mismatch(type, value);
    case 'hexbytes':
      if (typeof value !== 'string') throw new Fault(`invalid hex string: ${rawOf()}`);
      return hex(value);
    case 'bytes':
    case 'tx':
      return typeof value === 'string' ? base64(value) : mismatch(type, value);
    case 'evidence':
      return goStringify(value);
  }
}

/** Go removes the quotes and parses the text between them as JSON, without unescaping it first. */
function quotedInteger(type: 'int64' | 'int' | 'uint', raw: string): number | bigint {
  if (!isQuoted(raw))
    throw new Fault(`invalid 64-bit integer encoding ${goQuote(raw.slice(0, ERROR_DATA_CHARS_MAX))}, expected string`);
  return integer(type, raw.slice(1, -1));
}

function mismatch(type: RpcParamType, value: unknown): never {
  throw new Fault(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${GO_KINDS[type]}`);
}

export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Parses the text of a JSON string as an integer. */
function integer(type: 'int64' | 'int' | 'uint', text: string): number | bigint {
  const value = jsonOf(text);
  // Not absent: Go leaves the integer behind the pointer at its zero value.
  if (value === null) return 0;
  if (typeof value !== 'number') return mismatch(type, value);
  const plain = text.trim();
  const [min, max] = RANGES[type];
  // Making a bigint of a million digits takes long, and no text longer than INTEGER_CHARS_MAX is in any range.
  const exact = plain.length <= INTEGER_CHARS_MAX && INTEGER.test(plain) ? BigInt(plain) : undefined;
  if (exact === undefined || exact < min || exact > max)
    throw new Fault(`json: cannot unmarshal number ${plain} into Go value of type ${type}`);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/** Decodes hex, with the error texts of encoding/hex. */
function hex(text: string): Uint8Array {
  const wrong = /[^0-9A-Fa-f]/u.exec(text);
  // Go decodes pair by pair: it reports a wrong digit before an odd length.
  if (wrong !== null) {
    const byte = Buffer.from(wrong[0])[0] ?? 0;
    throw new Fault(
      `encoding/hex: invalid byte: U+${byte.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCharCode(byte)}'`,
    );
  }
  if (text.length % 2 !== 0) throw new Fault('encoding/hex: odd length hex string');
  return Buffer.from(text, 'hex');
}

/** Decodes base64, with the error texts of encoding/base64; line breaks are ignored. */
function base64(text: string): Uint8Array {
  const plain = text.replaceAll(/[\r\n]/g, '');
  if (!isBase64(plain)) throw new Fault(`illegal base64 data at input byte ${base64FaultAt(plain)}`);
  return Buffer.from(plain, 'base64');
}

/** Searches once for the first character outside the alphabet: a pattern of quanta takes ten times as long over a megabyte. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padAt = text.search(NO_BASE64);
  return (
    padAt < 0 || (padAt === text.length - 2 && text.endsWith('==')) || (padAt === text.length - 1 && text.endsWith('='))
  );
}

/** The offset at which Go's decoder stops: at the first foreign character, or where padding or characters are missing. */
function base64FaultAt(text: string): number {
  const foreign = NO_BASE64.exec(text);
  if (foreign !== null && foreign[0] !== '=') return foreign.index;
  if (foreign === null) return text.length - (text.length % 4);
  const inQuantum = foreign.index % 4;
  if (inQuantum < 2) return foreign.index;
  const padded = foreign.index + (4 - inQuantum);
  return text.length < padded ? text.length : padded;
}
