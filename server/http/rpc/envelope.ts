/** CometBFT's envelope around a result or an error (rpc/jsonrpc/types/types.go, v0.38), as text. */
import type { RpcError, RpcOutcome } from '../../gateway/rpc/port.ts';
import type { Refusal } from '../../gateway/types.ts';

import { goStringify } from './go-json.ts';

/** The id that an answer repeats: the text of a JSON string or integer. */
export type RpcIdText = string;

/** CometBFT uses this id for GET, which has none. */
export const NO_ID: RpcIdText = '-1';

export const INVALID_PARAMS = { code: -32602, message: 'Invalid params' };
export const INVALID_REQUEST = { code: -32600, message: 'Invalid Request' };
export const INTERNAL_ERROR = { code: -32603, message: 'Internal error' };
export const SERVER_ERROR = { code: -32000, message: 'Server error' };
export const METHOD_NOT_FOUND: RpcError = { code: -32601, message: 'Method not found', data: '' };
const UNAUTHORIZED = { code: -32001, message: 'Unauthorized' };
/** Not an error of CometBFT: a stock node has no tokens. */
export const BROADCAST_REFUSED: RpcError = {
  ...UNAUTHORIZED,
  data: 'broadcasting needs a token with the scope rpc:broadcast',
};
export const READ_REFUSED: RpcError = {
  ...UNAUTHORIZED,
  data: 'reading needs a token with the scope transactions:read',
};

export function parseError(fault: string): RpcError {
  return { code: -32700, message: 'Parse error. Invalid JSON', data: `error unmarshaling request: ${fault}` };
}

/** The contract's bound of an error's data, for text that quotes a client. */
export const ERROR_DATA_CHARS_MAX = 8192;

export function successText(id: RpcIdText, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultJson}}`;
}

/** Without an id if the id of the request could not be read. */
export function errorText(id: RpcIdText | undefined, { code, message, data }: RpcError): string {
  const cut = data.length > ERROR_DATA_CHARS_MAX ? data.slice(0, ERROR_DATA_CHARS_MAX).toWellFormed() : data;
  const error = goStringify({ code, message, ...(cut === '' ? {} : { data: cut }) });
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"error":${error}}`;
}

/** A refusal of the gateway has the same code as a token that may not broadcast. */
export function outcomeText(id: RpcIdText, outcome: RpcOutcome | Refusal): string {
  if ('code' in outcome) return errorText(id, { ...UNAUTHORIZED, data: outcome.detail });
  return outcome.ok ? successText(id, outcome.json) : errorText(id, outcome.error);
}
