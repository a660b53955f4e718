/**
 * What must not pass the lint under /rpc, in the form of lint-plants.ts. CometBFT's names and errors are exempt from
 * rules that hold elsewhere; these plants say where each exemption ends.
 */
import type { SpoiltCopy } from './spoilt-copy.ts';

const HEALTH_PATH = 'rpc-network.yaml#/paths/~1rpc~1health';
const BROADCAST_PATH = 'rpc-transactions.yaml#/paths/~1rpc~1broadcast_tx_sync';
const CHAIN_PATH = 'chain.yaml#/paths/~1chain';
const REFUSED = 'rpc.yaml#/responses/RpcRefused';
const NOT_FOUND = 'rpc.yaml#/responses/RpcNotFound';
const BLOCK_RESULTS = 'rpc-blocks.yaml#/schemas/RpcBlockResults';
const FAILURE = "{ $ref: '#/schemas/RpcFailure' }";
const SUCCESS = "{ $ref: 'rpc-network.yaml#/schemas/RpcHealthAnswer' }";
const INDEXED = "  /rpc/health: { $ref: 'rpc-network.yaml#/paths/~1rpc~1health' }\n";
const CHAIN_INDEXED = "  /chain: { $ref: 'chain.yaml#/paths/~1chain' }\n";

/** The paths of the RPC that a copy needs for these plants. */
export const RPC_PATHS = [
  '/rpc/block_results',
  '/rpc/broadcast_tx_sync',
  '/rpc/health',
  '/rpc/net_info',
  '/rpc/header',
];

/** Gives an operation another answer with a status. */
function answer(copy: SpoiltCopy, path: string, status: string, response: string): void {
  copy.replace(path, '      responses:\n', `      responses:\n        '${status}': { $ref: '${response}' }\n`);
}

export const RPC_PLANTS: Record<string, Record<string, (copy: SpoiltCopy) => void>> = {
  'contract/problem-details': {
    'the envelope outside the RPC': (copy) => copy.replace(CHAIN_PATH, 'problems.yaml#/responses/RateLimited', REFUSED),
    'the envelope outside the RPC in a path that comes after it': (copy) => {
      copy.drop('openapi.yaml', '/chain:');
      copy.replace('openapi.yaml', 'webhooks:\n', `${CHAIN_INDEXED}webhooks:\n`);
      copy.replace(CHAIN_PATH, 'problems.yaml#/responses/RateLimited', REFUSED);
    },
    'the envelope under a path that only begins like the RPC': (copy) =>
      copy.replace('openapi.yaml', INDEXED, INDEXED.replace('/rpc/health:', '/rpcs/health:')),
    'the envelope as a 401': (copy) => answer(copy, HEALTH_PATH, '401', REFUSED),
    'the envelope as a 429': (copy) => answer(copy, HEALTH_PATH, '429', 'rpc.yaml#/responses/RpcUnavailable'),
    'the envelope as a 500': (copy) => answer(copy, HEALTH_PATH, '500', REFUSED),
    'a problem where the RPC answers the envelope': (copy) =>
      answer(copy, HEALTH_PATH, '400', 'problems.yaml#/responses/InvalidRequest'),
    'a problem beside the envelope': (copy) =>
      copy.replace(
        REFUSED,
        'content:\n',
        "content:\n      application/problem+json: { schema: { $ref: 'problems.yaml#/schemas/InvalidRequestProblem' } }\n",
      ),
    'an error of the RPC that is a success inside': (copy) => copy.replace(NOT_FOUND, FAILURE, SUCCESS),
    'an error of the RPC that may be a success inside': (copy) =>
      copy.replace(NOT_FOUND, FAILURE, `{ oneOf: [${FAILURE}, ${SUCCESS}] }`),
    'a success of the RPC that is a problem': (copy) =>
      copy.replace('rpc-network.yaml#/responses/RpcHealthResponse', 'application/json', 'application/problem+json'),
  },
  'contract/known-scopes': {
    'a broadcast for any token': (copy) =>
      copy.replace(BROADCAST_PATH, 'x-scopes: [rpc:broadcast]', 'x-scopes: [rpc:send]'),
    'a broadcast for any token by another scheme': (copy) =>
      copy.replace(BROADCAST_PATH, '{ basicAuth: [] }', '{ basicAuth: [rpc:send] }'),
    'any token and no way without': (copy) => copy.replace(HEALTH_PATH, 'security: [{}, ', 'security: ['),
    'a third way in': (copy) =>
      copy.replace(HEALTH_PATH, '{ bearerAuth: [] }', '{ bearerAuth: [] }, { bearerAuth: [] }'),
  },
  'contract/path-names': {
    'a path of the RPC that is no method': (copy) =>
      copy.replace('openapi.yaml', INDEXED, INDEXED.replace('/rpc/health:', '/rpc/Health:')),
  },
  'contract/rpc-operations': {
    'an operation under the name of another method': (copy) =>
      copy.replace(HEALTH_PATH, 'x-rpc-method: health', 'x-rpc-method: status'),
    'an operation without its method': (copy) => copy.drop(HEALTH_PATH, 'x-rpc-method: health'),
    'an operationId that is not the method': (copy) => copy.replace(HEALTH_PATH, 'postRpcHealth', 'postRpcHealthy'),
    'a method without POST': (copy) => copy.drop(HEALTH_PATH, 'post:'),
    'a method with DELETE': (copy) => copy.replace(HEALTH_PATH, 'post:\n', 'delete:\n'),
  },
  'contract/generator-subset': {
    'a member that is null alone': (copy) => copy.replace(BLOCK_RESULTS, "type: [array, 'null']\n", "type: 'null'\n"),
  },
  'contract/bounded-values': {
    'an array or null without a number of items': (copy) => copy.drop(BLOCK_RESULTS, 'maxItems: 128'),
  },
  'contract/rate-limit-headers': {
    'a forbidden broadcast without what is left': (copy) =>
      copy.drop('problems.yaml#/responses/ReadForbidden', 'RateLimit:'),
  },
  'no-invalid-media-type-examples': {
    'a result with a number where CometBFT writes text': (copy) =>
      copy.replace('rpc-network.yaml#/examples/RpcNetInfoExample', "n_peers: '0'", 'n_peers: 0'),
  },
};
