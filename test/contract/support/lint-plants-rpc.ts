/**
 * What must not pass the lint under /rpc, in the form of lint-plants.ts. CometBFT's names and errors are exempt from
 * rules that hold elsewhere; these plants say where each exemption ends.
 */
import type { SpoiltCopy } from './spoilt-copy.ts';

const HEALTH_PATH = 'paths/rpc_health.yaml';
const CHAIN_PATH = 'paths/chain.yaml';
const REFUSED = 'components/responses/rpc/RpcRefused.yaml';
const NOT_FOUND = 'components/responses/rpc/RpcNotFound.yaml';
const FAILURE = '../../schemas/rpc/RpcFailure.yaml';
const INDEXED = '  /rpc/health:\n    $ref: paths/rpc_health.yaml\n';

/** The paths of the RPC that a copy needs for these plants. */
export const RPC_PATHS = [
  '/rpc/block_results',
  '/rpc/broadcast_tx_sync',
  '/rpc/health',
  '/rpc/net_info',
  '/rpc/header',
];

/** Takes a response of a path for another. */
function exchange(copy: SpoiltCopy, path: string, response: string, other: string): void {
  copy.replace(path, `components/responses/${response}.yaml`, `components/responses/${other}.yaml`);
}

export const RPC_PLANTS: Record<string, Record<string, (copy: SpoiltCopy) => void>> = {
  'contract/problem-details': {
    'the envelope outside the RPC': (copy) => exchange(copy, CHAIN_PATH, 'problems/InvalidRequest', 'rpc/RpcRefused'),
    'the envelope outside the RPC in a path that comes after it': (copy) => {
      copy.drop('openapi.yaml', '/chain:');
      copy.replace('openapi.yaml', 'components:\n', '  /chain:\n    $ref: paths/chain.yaml\ncomponents:\n');
      exchange(copy, CHAIN_PATH, 'problems/InvalidRequest', 'rpc/RpcRefused');
    },
    'the envelope under a path that only begins like the RPC': (copy) => {
      copy.rename(HEALTH_PATH, 'paths/rpcs_health.yaml');
      copy.replace('openapi.yaml', INDEXED, '  /rpcs/health:\n    $ref: paths/rpcs_health.yaml\n');
    },
    'the envelope as a 401': (copy) => exchange(copy, HEALTH_PATH, 'problems/Unauthenticated', 'rpc/RpcRefused'),
    'the envelope as a 429': (copy) => exchange(copy, HEALTH_PATH, 'problems/RateLimited', 'rpc/RpcUnavailable'),
    'the envelope as a 500': (copy) => exchange(copy, HEALTH_PATH, 'problems/InternalError', 'rpc/RpcRefused'),
    'a problem where the RPC answers the envelope': (copy) =>
      exchange(copy, HEALTH_PATH, 'rpc/RpcRefused', 'problems/InvalidRequest'),
    'a problem beside the envelope': (copy) =>
      copy.replace(
        REFUSED,
        'content:\n',
        'content:\n  application/problem+json:\n    schema: {$ref: ../../schemas/problems/InvalidRequestProblem.yaml}\n',
      ),
    'an error of the RPC that is a success inside': (copy) =>
      copy.replace(NOT_FOUND, FAILURE, '../../schemas/rpc/RpcHealthAnswer.yaml'),
    'an error of the RPC that may be a success inside': (copy) =>
      copy.replace(
        NOT_FOUND,
        `$ref: ${FAILURE}`,
        `oneOf: [{$ref: ${FAILURE}}, {$ref: ../../schemas/rpc/RpcHealthAnswer.yaml}]`,
      ),
    'a success of the RPC that is a problem': (copy) =>
      copy.replace('components/responses/rpc/RpcHealthResponse.yaml', 'application/json', 'application/problem+json'),
  },
  'contract/known-scopes': {
    'a broadcast for any token': (copy) =>
      copy.replace('paths/rpc_broadcast_tx_sync.yaml', '    - rpc:broadcast\n', '    - rpc:send\n'),
    'a broadcast for any token by another scheme': (copy) =>
      copy.replace(
        'paths/rpc_broadcast_tx_sync.yaml',
        '    - basicAuth: []\n',
        '    - basicAuth:\n        - rpc:send\n',
      ),
    'any token and no way without': (copy) => copy.drop(HEALTH_PATH, '- {}'),
    'a third way in': (copy) =>
      copy.replace(HEALTH_PATH, '    - bearerAuth: []\n', '    - bearerAuth: []\n    - bearerAuth: []\n'),
  },
  'contract/common-statuses': {
    'a read without 401, which an operator may ask for': (copy) => copy.drop(HEALTH_PATH, "'401':"),
  },
  'contract/path-names': {
    'a path of the RPC that is no method': (copy) => {
      copy.rename(HEALTH_PATH, 'paths/rpc_Health.yaml');
      copy.replace('openapi.yaml', INDEXED, '  /rpc/Health:\n    $ref: paths/rpc_Health.yaml\n');
    },
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
    'a member that is null alone': (copy) =>
      copy.replace(
        'components/schemas/rpc/RpcBlockResults.yaml',
        "type:\n      - array\n      - 'null'\n",
        "type: 'null'\n",
      ),
  },
  'contract/bounded-values': {
    'an array or null without a number of items': (copy) =>
      copy.drop('components/schemas/rpc/RpcBlockResults.yaml', 'maxItems: 128'),
  },
  'contract/rate-limit-headers': {
    'a forbidden broadcast without what is left': (copy) =>
      copy.drop('components/responses/problems/WriteForbidden.yaml', 'RateLimit:'),
  },
  'no-invalid-media-type-examples': {
    'a result with a number where CometBFT writes text': (copy) =>
      copy.replace('components/examples/rpc/RpcNetInfoExample.yaml', "n_peers: '0'", 'n_peers: 0'),
  },
};
