/** What must not pass the lint: for each rule the ways to break it, each with the words that complete "<rule> finds ...". */
import type { SpoiltCopy } from './spoilt-copy.ts';

const schema = (name: string) => `components/schemas/${name}.yaml`;
const parameter = (name: string) => `components/parameters/${name}.yaml`;
const response = (name: string) => `components/responses/${name}.yaml`;
const problem = (name: string) => `components/responses/problems/${name}.yaml`;

const CHAIN = schema('Chain');
const CONFLICT = schema('problems/NonceConflictProblem');
const CHAIN_PATH = 'paths/chain.yaml';
const ACCOUNT_PATH = 'paths/accounts_{address}.yaml';
const TRANSACTIONS_PATH = 'paths/transactions.yaml';
const CHAIN_FOUND = response('ChainFound');
const SCOPE = '  x-scopes:\n    - transactions:read\n';
const TOKEN = '    - bearerAuth: []\n';

export const PLANTS: Record<string, Record<string, (copy: SpoiltCopy) => void>> = {
  'contract/bounded-values': {
    'a string without a length': (copy) => copy.drop(schema('FieldError'), 'maxLength: 1024'),
    'an array without a number of items': (copy) => copy.drop(schema('TransactionPage'), 'maxItems: 1000'),
    'a number without a range': (copy) => copy.drop(CHAIN, 'maximum: 3600000'),
    'a parameter without a bound': (copy) => copy.drop(parameter('Prefer'), 'maxLength: 16384'),
    'a header without a bound': (copy) => copy.drop('components/headers/RateLimit.yaml', 'maxLength: 256'),
  },
  'contract/open-answers': {
    'an open request': (copy) => copy.drop(schema('TransactionInput'), 'additionalProperties: false'),
    'an answer that takes no further members': (copy) =>
      copy.replace(CHAIN, 'type: object\n', 'type: object\nadditionalProperties: false\n'),
    'an answer closed as an extension of another is': (copy) =>
      copy.replace(CONFLICT, 'allOf:\n', 'unevaluatedProperties: false\nallOf:\n'),
    'an answer closed inside another': (copy) =>
      copy.replace(schema('HistoryEntry'), 'type: object\n', 'type: object\nunevaluatedProperties: false\n'),
    'an answer closed where it is used': (copy) =>
      copy.replace(
        CHAIN_FOUND,
        '$ref: ../schemas/Chain.yaml',
        '$ref: ../schemas/Chain.yaml\n      unevaluatedProperties: false',
      ),
  },
  'contract/common-statuses': {
    'an operation without 431': (copy) => copy.drop(CHAIN_PATH, "'431':"),
    'an operation with a token and without 401': (copy) => copy.drop(ACCOUNT_PATH, "'401':"),
    'an operation with a body and without 413': (copy) => copy.drop(TRANSACTIONS_PATH, "'413':"),
    'a 401 where no token is looked at': (copy) => copy.replace(CHAIN_PATH, "'429'", "'401'"),
    'a 415 where no body is read': (copy) => copy.replace(CHAIN_PATH, "'429'", "'415'"),
  },
  'contract/described-properties': {
    'a property without a description': (copy) =>
      copy.replace(CHAIN, '    description: The height', '    $comment: The height'),
    'a property without anything': (copy) => copy.replace(CHAIN, 'properties:\n', 'properties:\n  extra: {}\n'),
    'a reference to a schema without a description': (copy) => copy.drop(schema('ReadinessChecks'), 'description: >-'),
  },
  'contract/file-names': {
    'a path in a file of another name': (copy) => {
      copy.rename(CHAIN_PATH, 'paths/chains.yaml');
      copy.replace('openapi.yaml', 'paths/chain.yaml', 'paths/chains.yaml');
    },
    'a schema in a file not named in PascalCase': (copy) => {
      copy.rename(CHAIN, schema('chain_facts'));
      copy.replace(CHAIN_FOUND, 'schemas/Chain.yaml', 'schemas/chain_facts.yaml');
    },
    'a schema in the folder of another kind': (copy) => {
      copy.rename(schema('PageLimit'), 'components/headers/PageLimit.yaml');
      copy.replace(parameter('Limit'), 'schemas/PageLimit.yaml', 'headers/PageLimit.yaml');
    },
  },
  'contract/known-scopes': {
    'a misspelt scope': (copy) => copy.replace(ACCOUNT_PATH, 'transactions:read', 'transaction:read'),
    'a requirement without a scope': (copy) => copy.replace(ACCOUNT_PATH, SCOPE, ''),
    'a scope within the requirement': (copy) =>
      copy.replace(ACCOUNT_PATH, TOKEN, '    - bearerAuth: [transactions:read]\n'),
    'a scope without a token': (copy) =>
      copy.replace(CHAIN_PATH, 'security: []\n', 'security: []\n  x-scopes:\n    - transactions:read\n'),
    'an empty requirement, which lets everybody in': (copy) => copy.replace(ACCOUNT_PATH, TOKEN, '    - {}\n'),
    'a token that is asked for or not, outside the RPC': (copy) =>
      copy.replace(ACCOUNT_PATH, `${TOKEN}${SCOPE}`, '    - {}\n    - bearerAuth: []\n'),
    'an operation that says nothing of tokens': (copy) => copy.drop(CHAIN_PATH, 'security: []'),
  },
  'contract/named-examples': {
    'a body without an example': (copy) => copy.drop(CHAIN_FOUND, 'examples:'),
    'an example that is no component': (copy) =>
      copy.replace(CHAIN_FOUND, '$ref: ../examples/DevelopmentChain.yaml', 'value: {}'),
    'an example under another name than its own': (copy) =>
      copy.replace(CHAIN_FOUND, 'DevelopmentChain:', 'SomeChain:'),
    'a parameter without an example': (copy) => copy.drop(parameter('Limit'), 'example: 10'),
  },
  'contract/no-orphan-files': {
    'a schema that nothing uses': (copy) => copy.add(schema('Unused'), 'type: string\nmaxLength: 1\n'),
    'a path that the index forgot': (copy) => copy.drop('openapi.yaml', '/chain:'),
  },
  'contract/one-thing-per-file': {
    'a path within the index': (copy) =>
      copy.replace('openapi.yaml', '  /chain:\n', '  /inline:\n    description: Not a file of its own.\n  /chain:\n'),
    'a parameter within a path': (copy) => {
      const inline =
        '{name: limit, in: query, description: Size., schema: {$ref: ../components/schemas/PageLimit.yaml}}';
      copy.replace(TRANSACTIONS_PATH, '$ref: ../components/parameters/Limit.yaml', inline);
    },
    'a request body within a path': (copy) =>
      copy.replace(TRANSACTIONS_PATH, '$ref: ../components/requestBodies/TransactionInputBody.yaml', 'content: {}'),
    'a response within a path': (copy) =>
      copy.replace(CHAIN_PATH, '$ref: ../components/responses/ChainFound.yaml', 'description: The facts.'),
    'a schema within a response': (copy) =>
      copy.replace(CHAIN_FOUND, '$ref: ../schemas/Chain.yaml', '{type: object, additionalProperties: true}'),
    'a header within a response': (copy) =>
      copy.replace(CHAIN_FOUND, '$ref: ../headers/CacheControl.yaml', 'schema: {type: string, maxLength: 10}'),
  },
  'contract/path-names': {
    'a path in snake_case': (copy) => {
      copy.rename(CHAIN_PATH, 'paths/chain_facts.yaml');
      copy.replace(
        'openapi.yaml',
        '  /chain:\n    $ref: paths/chain.yaml',
        '  /chain_facts:\n    $ref: paths/chain_facts.yaml',
      );
    },
    'a path that says what is done': (copy) => {
      copy.rename(CHAIN_PATH, 'paths/get-chain.yaml');
      copy.replace(
        'openapi.yaml',
        '  /chain:\n    $ref: paths/chain.yaml',
        '  /get-chain:\n    $ref: paths/get-chain.yaml',
      );
    },
  },
  'contract/problem-details': {
    'an error that is plain JSON': (copy) =>
      copy.replace(problem('NotFound'), 'application/problem+json', 'application/json'),
    'an error with a body of another kind besides': (copy) =>
      copy.replace(
        problem('NotFound'),
        'content:\n',
        'content:\n  text/html:\n    schema: {type: string, maxLength: 1}\n',
      ),
    'an error that another operation answers under another status': (copy) =>
      copy.replace(CHAIN_PATH, 'problems/RateLimited.yaml', 'problems/NotAcceptable.yaml'),
    'a fault that is plain JSON': (copy) =>
      copy.replace(problem('InternalError'), 'application/problem+json', 'application/json'),
    'a success that is a problem': (copy) => copy.replace(CHAIN_FOUND, 'application/json', 'application/problem+json'),
    'an error that does not extend Problem': (copy) => copy.replace(CONFLICT, '../Problem.yaml', '../FieldError.yaml'),
    'an error without a code': (copy) => copy.drop(CONFLICT, 'enum:'),
    'an error with a code that the catalogue lacks': (copy) =>
      copy.replace(CONFLICT, '- nonce_conflict', '- nonce_clash'),
    'a code under another status than its own': (copy) =>
      copy.replace(schema('ProblemCode'), '    status: 404\n', '    status: 410\n'),
  },
  'contract/generator-subset': {
    'a const': (copy) => copy.replace(schema('Liveness'), 'enum:\n      - ok', 'const: ok'),
    'an enum without a type': (copy) => copy.replace(CONFLICT, '        type: string\n', ''),
    'a value with quotes': (copy) =>
      copy.replace(schema('TransactionStatus'), '  - expired\n', '  - expired\n  - \'"seen"\'\n'),
    'a condition': (copy) =>
      copy.replace(CHAIN, 'type: object\n', 'type: object\nif: {required: [height]}\nthen: {required: [chainId]}\n'),
    'what a value is not': (copy) => copy.replace(CHAIN, 'type: object\n', 'type: object\nnot: {maxProperties: 1}\n'),
    'null outside the RPC': (copy) => copy.replace(schema('Amount'), 'type: string\n', "type: [string, 'null']\n"),
    'members beside allOf': (copy) =>
      copy.replace(CONFLICT, 'allOf:\n', 'properties:\n  again:\n    type: boolean\nallOf:\n'),
    'a member of the base required without being written again': (copy) => copy.drop(CONFLICT, 'txHash:'),
    'items that are one of two schemas': (copy) =>
      copy.replace(
        schema('TransactionPage'),
        'items:\n      $ref: ./Transaction.yaml',
        'items:\n      oneOf:\n        - $ref: ./Transaction.yaml\n        - $ref: ./TransactionDetail.yaml',
      ),
  },
  'contract/unique-names': {
    'a parameter with the name of a schema': (copy) => {
      copy.rename(parameter('CursorQuery'), parameter('Cursor'));
      copy.replace('paths/transactions.yaml', 'CursorQuery', 'Cursor');
    },
    'a response with the name of a schema in other case': (copy) => {
      copy.rename(CHAIN_FOUND, 'components/responses/CHain.yaml');
      copy.replace(CHAIN_PATH, 'ChainFound', 'CHain');
    },
  },
  'contract/property-names': {
    'a property in snake_case': (copy) => copy.replace(CHAIN, '  blockIntervalMs:\n', '  block_interval_ms:\n'),
    'a query parameter in kebab-case': (copy) => copy.replace(parameter('Limit'), 'name: limit', 'name: page-limit'),
  },
  'contract/rpc-operations': {
    'a method of the RPC elsewhere': (copy) =>
      copy.replace(CHAIN_PATH, '  tags:\n', '  x-rpc-method: status\n  tags:\n'),
  },
  'contract/rate-limit-headers': {
    'an answer behind a token without what is left': (copy) => copy.drop(problem('NotFound'), 'RateLimit:'),
    'an answer behind a token without the quota': (copy) => copy.drop(problem('NotFound'), 'RateLimit-Policy:'),
  },
  'contract/answer-headers': {
    'an answer without X-Request-Id': (copy) => copy.drop(CHAIN_FOUND, 'X-Request-Id:'),
    'an error without Cache-Control': (copy) => copy.drop(problem('NotFound'), 'Cache-Control:'),
    'a 401 without WWW-Authenticate': (copy) => copy.drop(problem('Unauthenticated'), 'WWW-Authenticate:'),
    'a 429 without Retry-After': (copy) => copy.drop(problem('RateLimited'), 'Retry-After:'),
    'a 503 without Retry-After': (copy) => copy.drop(problem('NotReady'), 'Retry-After:'),
  },
  'operation-operationId': {
    'an operation without one': (copy) => copy.drop(CHAIN_PATH, 'operationId: getChain'),
  },
  'rule/operation-id-verb-noun': {
    'an operationId without a verb': (copy) => copy.replace(CHAIN_PATH, 'getChain', 'chainFacts'),
    'an operationId in snake_case': (copy) => copy.replace(CHAIN_PATH, 'getChain', 'get_chain'),
  },
  'operation-operationId-unique': {
    'one operationId twice': (copy) => copy.replace(CHAIN_PATH, 'getChain', 'getAccount'),
  },
  'operation-tag-defined': {
    'a tag that is not in the index': (copy) => copy.replace(CHAIN_PATH, '- Chain', '- Chains'),
  },
  'no-invalid-media-type-examples': {
    'an example that does not fit': (copy) =>
      copy.replace('components/examples/DevelopmentChain.yaml', 'height: 42', 'height: "42"'),
    'an example with a member too many': (copy) =>
      copy.replace('components/examples/DevelopmentChain.yaml', '  height: 42\n', '  height: 42\n  extra: 1\n'),
  },
  'no-invalid-schema-examples': {
    'an example of a property that does not fit': (copy) => copy.replace(schema('Amount'), "- '100'", "- '0'"),
  },
  'no-invalid-parameter-examples': {
    'an example of a parameter that does not fit': (copy) =>
      copy.replace(parameter('Limit'), 'example: 10', 'example: 1001'),
  },
  'scalar-property-missing-example': {
    'a property without an example': (copy) => copy.replace(schema('Amount'), "examples:\n  - '100'\n", ''),
  },
  'component-name-unique': {
    'two schemas of one name': (copy) => {
      copy.add(schema('problems/Chain'), 'description: Another.\ntype: string\nmaxLength: 1\nexamples: [a]\n');
      copy.replace(CHAIN, 'properties:\n', 'properties:\n  other:\n    $ref: ./problems/Chain.yaml\n');
    },
  },
  'no-required-schema-properties-undefined': {
    'a required member that does not exist': (copy) => copy.replace(CHAIN, 'required:\n', 'required:\n  - supply\n'),
  },
  'no-unresolved-refs': {
    'a file that does not exist': (copy) => copy.remove(CHAIN),
  },
};
