/** The recorded RPC answers of a stock node: their requests as decoded arguments, and a comparison of shapes. */
import { readdirSync, readFileSync } from 'node:fs';
import { RPC_METHODS, type RpcArguments, type RpcMethod, type RpcParamType } from '../../../server/engine/port.ts';

const folder = new URL('../golden/rpc/', import.meta.url);

export interface Recording {
  name: string;
  method: RpcMethod;
  args: RpcArguments;
  result: unknown;
  error: { code: number; message: string; data: string } | undefined;
}

function decode(type: RpcParamType, value: unknown, inQuery: boolean): RpcArguments[string] {
  if (value === null || value === undefined) return undefined;
  const text = String(value);
  switch (type) {
    case 'int64':
    case 'int':
    case 'uint':
      return Number(text.replaceAll('"', ''));
    case 'bool':
      return text === 'true';
    case 'string':
      return inQuery ? text.replaceAll(/^"|"$/g, '') : text;
    case 'evidence':
      return text;
    default:
      // Bytes in a query string are 0x and hex, or a quoted text.
      if (inQuery) return text.startsWith('"') ? Buffer.from(text.slice(1, -1)) : Buffer.from(text.slice(2), 'hex');
      return Buffer.from(text, type === 'hexbytes' ? 'hex' : 'base64');
  }
}

export function recordings(): Recording[] {
  return readdirSync(folder)
    .filter((file) => !file.startsWith('_'))
    .map((file) => {
      const { request, body } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      const url = new URL(request.path, 'http://node');
      const inQuery = request.method === 'GET';
      const method: RpcMethod = inQuery ? url.pathname.slice(1) : request.body.method;
      const given = inQuery ? Object.fromEntries(url.searchParams) : (request.body.params ?? {});
      const args = Object.fromEntries(
        RPC_METHODS[method].params.map(({ name, type }) => [
          name,
          given[name] === '' ? undefined : decode(type, given[name], inQuery),
        ]),
      );
      return { name: file.replace('.json', ''), method, args, result: body.result, error: body.error };
    });
}

/** The messages of a recorded websocket session. */
export function recordedSession(): any[] {
  return JSON.parse(readFileSync(new URL('_websocket.session.ws.json', folder), 'utf8'));
}

/** Kinds of text that a reader relies on. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['decimal', /^-?\d+$/],
  ['hash', /^[0-9A-F]{64}$/],
  ['address', /^[0-9A-F]{40}$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,8}[1-9])?Z$/],
];

/** Values of attributes are the application's. */
const FREE_TEXT = /attributes\[\]\.value$/;

const kindOf = (text: string) => KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';

/**
 * Where two JSON values differ in shape: types, keys and their order, kinds of text. Lists of one length are compared element by element,
 * others by the first.
 */
export function shapeDifferences(ours: any, theirs: any, path = '$'): string[] {
  const type = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
  if (type(ours) !== type(theirs)) return [`${path}: ${type(ours)} instead of ${type(theirs)}`];
  if (type(ours) === 'list') {
    if (theirs.length === 0) return [];
    const counterpart = (i: number) => (ours.length === theirs.length ? theirs[i] : theirs[0]);
    return [
      ...new Set(ours.flatMap((element: unknown, i: number) => shapeDifferences(element, counterpart(i), `${path}[]`))),
    ] as string[];
  }
  if (type(ours) === 'object') {
    const [keys, wanted] = [Object.keys(ours), Object.keys(theirs)];
    const extra = keys.filter((key) => !wanted.includes(key)).map((key) => `${path}.${key}: ours only`);
    const missing = wanted.filter((key) => !keys.includes(key)).map((key) => `${path}.${key}: theirs only`);
    const common = keys.filter((key) => wanted.includes(key));
    const order =
      common.join() === wanted.filter((key) => keys.includes(key)).join() ? [] : [`${path}: keys in another order`];
    return [
      ...extra,
      ...missing,
      ...order,
      ...common.flatMap((key) => shapeDifferences(ours[key], theirs[key], `${path}.${key}`)),
    ];
  }
  if (
    type(ours) === 'string' &&
    !FREE_TEXT.test(path) &&
    kindOf(theirs) !== 'text' &&
    kindOf(ours) !== kindOf(theirs)
  ) {
    return [`${path}: ${kindOf(ours)} instead of ${kindOf(theirs)}`];
  }
  return [];
}
