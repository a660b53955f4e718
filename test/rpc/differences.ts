/**
 * Where this service answers otherwise than a stock CometBFT v0.38.26 node does, and why: the table of docs/INTEGRATORS.md. What a method itself
 * decides is compared elsewhere (test/engine/rpc-golden.test.ts).
 */
import type { StockAnswer } from './compare.ts';
import type { StockRequest } from './requests.ts';

export interface Difference {
  readonly asked: string;
  readonly stock: string;
  readonly here: string;
  readonly why: string;
  readonly is: (request: StockRequest, stock: StockAnswer, here: StockAnswer) => boolean;
}

const isByGet = ({ method }: StockRequest): boolean => method === 'GET';
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isUtf8({ body, text }: StockRequest): boolean {
  try {
    UTF8.decode(body);
    return text !== '%ff';
  } catch {
    return false;
  }
}

const code = ({ body }: StockAnswer): number | undefined => {
  const found = /"error":\{"code":(-\d+)/.exec(body)?.[1];
  return found === undefined ? undefined : Number(found);
};

const isRefused = (here: StockAnswer, wanted: number, text: string | RegExp = ''): boolean =>
  here.status === 400 && code(here) === wanted && new RegExp(text).test(here.body);

export const DIFFERENCES: readonly Difference[] = [
  {
    asked: 'Anything that is wrong, by GET or in a body that is not JSON',
    stock: '500',
    here: '400 or 404 with the same body',
    why: 'It is the fault of the caller.',
    is: (_, stock, here) =>
      stock.status === 500 &&
      [400, 404].includes(here.status) &&
      stock.body === here.body &&
      here.contentType === stock.contentType,
  },
  {
    asked: 'An entry of a batch that is no request',
    stock: '500 and one error -32700; no entry is carried out',
    here: '200; that entry is error -32600 without an id, the others are answered',
    why: 'JSON-RPC 2.0 section 6 asks for it, and the others may be payments.',
    is: ({ body }, stock, here) =>
      body?.toString().trimStart().startsWith('[') === true &&
      stock.body.includes('cannot unmarshal array into Go value') &&
      here.status === 200 &&
      here.body.includes('"error":{"code":-32600'),
  },
  {
    asked: 'A call without `params` of a method that has parameters',
    stock: '500 with id -1; the whole batch is lost',
    here: '200 with the id of the call and the same error',
    why: 'The node panics. A client could not tell which of its calls failed.',
    is: ({ place }, stock, here) =>
      place === 'no params' &&
      stock.status === 500 &&
      here.status === 200 &&
      stock.body.replace('"id":-1', '"id":1') === here.body,
  },
  {
    asked: 'Bytes that are not UTF-8',
    stock: 'an error names the byte; each byte of text in an id becomes U+FFFD',
    here: 'an error names the first byte of U+FFFD; a sequence in an id becomes one U+FFFD',
    why: 'The text is decoded once, before it is read.',
    is: (request, stock, here) => !isUtf8(request) && code(stock) === code(here) && here.status < 500,
  },
  {
    asked: '`jsonrpc` of more than 64 characters, `method` or a textual id of more than 1,024',
    stock: 'taken',
    here: '400 with error -32600',
    why: 'Everything that a client sends has a bound.',
    is: (_, stock, here) => stock.status === 200 && isRefused(here, -32600, /is longer than \d+ characters/),
  },
  {
    asked: 'A number beyond 2^53 - 1 as an id',
    stock: 'another number is repeated, or -32700',
    here: '400 with error -32600',
    why: 'The caller could not tell which call was answered.',
    is: ({ place }, stock, here) =>
      place === 'id' && stock.body !== here.body && isRefused(here, -32600, /beyond|cannot unmarshal number/),
  },
  {
    asked: 'An empty body, or GET of the address itself',
    stock: '200 with a page of links',
    here: '400 with error -32700, or 405',
    why: 'The methods are listed by the contract.',
    is: (_, stock, here) =>
      stock.contentType === 'text/html' &&
      ((here.status === 405 && here.contentType === 'application/problem+json') || isRefused(here, -32700)),
  },
  {
    asked: 'A Content-Type that is not JSON in UTF-8 (none at all is taken)',
    stock: 'not looked at',
    here: '415',
    why: 'The contract declares one media type; pages of other sites can send others without asking.',
    is: ({ contentType }, _, here) => contentType !== undefined && here.status === 415,
  },
  {
    asked: 'A parameter in a query string that the method does not have, or a second one of a name',
    stock: 'passed over',
    here: '400 with error -32602',
    why: 'The contract refuses them everywhere: a misspelt name would mean the latest block.',
    is: (_, stock, here) =>
      stock.body !== here.body &&
      isRefused(here, -32602, /No such parameter is known|given more than once|not valid percent-encoded/),
  },
  {
    asked: 'A broken percent escape, or `;`, in a query string',
    stock: 'the parameter is passed over',
    here: '400 with error -32602',
    why: 'The same: what was asked for is not known.',
    is: (request, _, here) =>
      isByGet(request) &&
      (/%($|z)/.test(request.path) || request.path.includes(';')) &&
      here.status === 400 &&
      code(here) === -32602,
  },
  {
    asked: 'GET without a parameter that the method cannot do without, or with nothing in it',
    stock: 'goes on with nothing: error -32603, null, or an empty transaction',
    here: '400 with error -32602',
    why: 'The contract requires it.',
    is: (request, stock, here) =>
      isByGet(request) && stock.body !== here.body && isRefused(here, -32602, /required parameter .* is missing/),
  },
  {
    asked: 'A lone `"` as a number in a query string',
    stock: '500: the node panics',
    here: '400 with error -32602',
    why: 'There is nothing to be like.',
    is: ({ text }, stock, here) =>
      text === '"' && stock.body.includes('runtime error') && isRefused(here, -32602, /unexpected end of JSON input/),
  },
  {
    asked: '`genesis_chunked` with a chunk above 2^63',
    stock: '500: the node panics',
    here: '404 with error -32603',
    why: 'There is nothing to be like.',
    is: ({ place }, stock, here) =>
      place === 'GET /genesis_chunked, chunk' &&
      stock.body.includes('runtime error') &&
      here.status === 404 &&
      code(here) === -32603,
  },
  {
    asked: 'Bytes as a JSON array of numbers',
    stock: 'read',
    here: 'error -32602',
    why: 'CometBFT writes them as base64.',
    is: (_, stock, here) =>
      stock.body !== here.body &&
      /cannot unmarshal array into Go value of type (\[\]uint8|types\.Tx)/.test(here.body) &&
      code(here) === -32602,
  },
  {
    asked: '`block_search` with a query of more than 512 bytes',
    stock: 'read',
    here: 'error -32603, as `tx_search` has it on both',
    why: 'A search has a bound.',
    is: ({ place }, stock, here) =>
      place === 'GET /block_search, query' &&
      stock.body !== here.body &&
      here.body.includes('maximum query length exceeded'),
  },
  {
    asked: 'A path that does not exist',
    stock: '404 with a page of text',
    here: '404 with error -32601',
    why: 'Clients read JSON.',
    is: (request, stock, here) =>
      isByGet(request) && stock.status === 404 && here.status === 404 && code(here) === -32601,
  },
  {
    asked: 'A slash after the name of a method',
    stock: '404',
    here: 'taken off',
    why: 'Clients put slashes after the address that they are given.',
    is: ({ path }, stock, here) => path.endsWith('/') && stock.status === 404 && here.status === 200,
  },
];

/** The lines of the table. */
export const TABLE: readonly string[] = DIFFERENCES.map(
  ({ asked, stock, here, why }) => `| ${asked} | ${stock} | ${here} | ${why} |`,
);
