/** What must not pass the lint: for each rule the ways to break it, each with the words that complete "<rule> finds ...". */
import type { SpoiltCopy } from './spoilt-copy.ts';

const problem = (name: string) => `problems.yaml#/responses/${name}`;

const CHAIN = 'chain.yaml#/schemas/Chain';
const CHAIN_PATH = 'chain.yaml#/paths/~1chain';
const CHAIN_FOUND = 'chain.yaml#/responses/ChainFound';
const CHAIN_INDEXED = "  /chain: { $ref: 'chain.yaml#/paths/~1chain' }\n";
const DEVELOPMENT_CHAIN = 'chain.yaml#/examples/DevelopmentChain';
const ACCOUNT_PATH = 'accounts.yaml#/paths/~1accounts~1{address}';
const TRANSACTIONS_PATH = 'transactions.yaml#/paths/~1transactions';
const TRANSACTION_PAGE = 'transactions.yaml#/schemas/TransactionPage';
const AMOUNT = 'transactions.yaml#/schemas/Amount';
const LIMIT = 'common.yaml#/parameters/Limit';
const CONFLICT = 'problems.yaml#/schemas/NonceConflictProblem';
const SCOPE = '      x-scopes: [transactions:read]\n';
const TOKEN = 'security: [{ bearerAuth: [] }]\n';

/** Writes the headers of an answer out, without one of them, where it has a set of them. */
function withoutHeader(copy: SpoiltCopy, place: string, set: string, without: string): void {
  const headers = ['X-Request-Id', 'Contract-Version', 'Cache-Control', 'Retry-After', 'RateLimit', 'RateLimit-Policy']
    .filter((name) => name !== without && (name !== 'Retry-After' || set === 'retriable'))
    .map((name) => `      ${name}: { $ref: 'common.yaml#/headers/${name.replaceAll('-', '')}' }\n`);
  copy.replace(place, `    headers: { $ref: 'common.yaml#/headerSets/${set}' }\n`, `    headers:\n${headers.join('')}`);
}

export const PLANTS: Record<string, Record<string, (copy: SpoiltCopy) => void>> = {
  'contract/bounded-values': {
    'a string without a length': (copy) => copy.drop('problems.yaml#/schemas/FieldError', 'maxLength: 1024'),
    'an array without a number of items': (copy) => copy.drop(TRANSACTION_PAGE, 'maxItems: 1000'),
    'a number without a range': (copy) => copy.drop(CHAIN, 'maximum: 3600000'),
    'a parameter without a bound': (copy) =>
      copy.replace('common.yaml#/parameters/Prefer', 'maxLength: 16384', 'minLength: 0'),
    'a header without a bound': (copy) => copy.replace('common.yaml#/headers/RateLimit', 'maxLength: 256, ', ''),
  },
  'contract/open-answers': {
    'an open request': (copy) =>
      copy.drop('transactions.yaml#/schemas/TransactionInput', 'additionalProperties: false'),
    'an answer that takes no further members': (copy) =>
      copy.replace(CHAIN, 'type: object\n', 'type: object\n    additionalProperties: false\n'),
    'an answer closed as an extension of another is': (copy) =>
      copy.replace(CONFLICT, 'allOf:\n', 'unevaluatedProperties: false\n    allOf:\n'),
    'an answer closed inside another': (copy) =>
      copy.replace(
        'transactions.yaml#/schemas/HistoryEntry',
        'type: object\n',
        'type: object\n    unevaluatedProperties: false\n',
      ),
    'an answer closed where it is used': (copy) =>
      copy.replace(
        CHAIN_FOUND,
        "{ $ref: '#/schemas/Chain' }",
        "{ $ref: '#/schemas/Chain', unevaluatedProperties: false }",
      ),
  },
  'contract/listed-problems': {
    'an operation without default': (copy) => copy.drop(CHAIN_PATH, 'default:'),
    'an operation that lists one problem': (copy) => copy.drop(CHAIN_PATH, "'429':"),
    'an operation that lists six problems': (copy) =>
      copy.replace(
        TRANSACTIONS_PATH,
        "        '403': { $ref: 'problems.yaml#/responses/WriteForbidden' }\n",
        "        '400': { $ref: 'problems.yaml#/responses/MalformedTransfer' }\n        '403': { $ref: 'problems.yaml#/responses/WriteForbidden' }\n",
      ),
    'a 401 where no token is looked at': (copy) => copy.replace(CHAIN_PATH, "'429'", "'401'"),
    'a 413 where no body is read': (copy) => copy.replace(CHAIN_PATH, "'429'", "'413'"),
  },
  'contract/open-kinds': {
    'kinds of an answer without one for later': (copy) =>
      copy.drop('transactions.yaml#/schemas/Transaction', "- { $ref: '#/schemas/OtherTransaction' }"),
    'kinds of an answer that are a closed list': (copy) =>
      copy.replace('transactions.yaml#/schemas/Transaction', 'anyOf:', 'oneOf:'),
    'a kind of an answer by a discriminator': (copy) =>
      copy.replace(
        'transactions.yaml#/schemas/Transaction',
        'anyOf:',
        'discriminator: { propertyName: status }\n    anyOf:',
      ),
    'a list of values that cannot grow': (copy) =>
      copy.replace('transactions.yaml#/schemas/TransactionStatus', 'x-extensible-enum:', 'enum:'),
  },
  'contract/described-properties': {
    'a property without a description': (copy) =>
      copy.replace(CHAIN, 'description: The height', '$comment: The height'),
    'a property without anything': (copy) => copy.replace(CHAIN, 'properties:\n', 'properties:\n      extra: {}\n'),
    'a reference to a schema without a description': (copy) =>
      copy.drop('health.yaml#/schemas/ReadinessChecks', 'description:'),
  },
  'contract/places': {
    'a path in the file of another tag': (copy) => copy.replace(CHAIN_PATH, '[Chain]', '[Health]'),
    'a schema that is not named in PascalCase': (copy) => copy.rename(CHAIN, 'chain_facts'),
    'a schema in the section of another kind': (copy) => {
      copy.add('common.yaml', 'headers', '  PageLimit: { type: integer, minimum: 1, maximum: 1000, examples: [1] }\n');
      copy.replace(LIMIT, 'transactions.yaml#/schemas/PageLimit', '#/headers/PageLimit');
    },
    'a parameter in the file of a tag': (copy) => {
      copy.add(
        'transactions.yaml',
        'paths',
        "parameters:\n  Own: { name: own, in: query, description: Own., schema: { $ref: '#/schemas/PageLimit' }, example: 1 }\n",
      );
      copy.replace(TRANSACTIONS_PATH, 'common.yaml#/parameters/Limit', '#/parameters/Own');
    },
  },
  'contract/strict-references': {
    'a reference for the responses of an operation': (copy) => {
      copy.replace(
        'chain.yaml',
        '\nresponses:\n',
        "\nanswers:\n  all: { '200': { $ref: '#/responses/ChainFound' } }\n\nresponses:\n",
      );
      copy.replace(CHAIN_PATH, '      responses:\n', "      responses:\n        $ref: '#/answers/all'\n");
    },
    'a reference for a server': (copy) =>
      copy.replace(
        'openapi.yaml',
        'contact:\n    name: The operator of this service',
        "contact: { $ref: 'chain.yaml#/description' }",
      ),
  },
  'contract/known-scopes': {
    'a misspelt scope': (copy) => copy.replace(ACCOUNT_PATH, 'transactions:read', 'transaction:read'),
    'a requirement without a scope': (copy) => copy.replace(ACCOUNT_PATH, SCOPE, ''),
    'a scope within the requirement': (copy) =>
      copy.replace(ACCOUNT_PATH, TOKEN, 'security: [{ bearerAuth: [transactions:read] }]\n'),
    'a scope without a token': (copy) => copy.replace(CHAIN_PATH, 'security: []\n', `security: []\n${SCOPE}`),
    'an empty requirement, which lets everybody in': (copy) => copy.replace(ACCOUNT_PATH, TOKEN, 'security: [{}]\n'),
    'a token that is asked for or not, outside the RPC': (copy) =>
      copy.replace(ACCOUNT_PATH, `${TOKEN}${SCOPE}`, 'security: [{}, { bearerAuth: [] }]\n'),
    'an operation that says nothing of tokens': (copy) => copy.drop(CHAIN_PATH, 'security: []'),
  },
  'contract/named-examples': {
    'a body without an example': (copy) => copy.drop(CHAIN_FOUND, 'examples:'),
    'an example that is no component': (copy) =>
      copy.replace(CHAIN_FOUND, "$ref: '#/examples/DevelopmentChain'", 'value: {}'),
    'an example under another name than its own': (copy) =>
      copy.replace(CHAIN_FOUND, 'DevelopmentChain:', 'SomeChain:'),
    'a parameter without an example': (copy) => copy.drop(LIMIT, 'example: 10'),
  },
  'contract/no-orphans': {
    'a schema that nothing uses': (copy) =>
      copy.add('chain.yaml', 'schemas', '  Unused: { type: string, maxLength: 1 }\n'),
    'a path that the index forgot': (copy) => copy.drop('openapi.yaml', '/chain:'),
  },
  'contract/named-parts': {
    'a path within the index': (copy) =>
      copy.replace(
        'openapi.yaml',
        CHAIN_INDEXED,
        `  /inline: { description: Not a part of its own. }\n${CHAIN_INDEXED}`,
      ),
    'a parameter within a path': (copy) => {
      const inline = "{ name: limit, in: query, description: Size., schema: { $ref: '#/schemas/PageLimit' } }";
      copy.replace(TRANSACTIONS_PATH, "{ $ref: 'common.yaml#/parameters/Limit' }", inline);
    },
    'a request body within a path': (copy) =>
      copy.replace(TRANSACTIONS_PATH, "$ref: '#/requestBodies/TransactionInputBody'", 'content: {}'),
    'a response within a path': (copy) =>
      copy.replace(CHAIN_PATH, "$ref: '#/responses/ChainFound'", 'description: The facts.'),
    'a schema within a response': (copy) =>
      copy.replace(CHAIN_FOUND, "$ref: '#/schemas/Chain'", 'type: object, additionalProperties: true'),
    'a header within a response': (copy) =>
      copy.replace(
        'common.yaml#/headerSets/answer',
        "$ref: '#/headers/CacheControl'",
        'schema: { type: string, maxLength: 10 }',
      ),
  },
  'contract/path-names': {
    'a path in snake_case': (copy) =>
      copy.replace('openapi.yaml', CHAIN_INDEXED, CHAIN_INDEXED.replace('/chain:', '/chain_facts:')),
    'a path that says what is done': (copy) =>
      copy.replace('openapi.yaml', CHAIN_INDEXED, CHAIN_INDEXED.replace('/chain:', '/get-chain:')),
  },
  'contract/problem-details': {
    'an error that is plain JSON': (copy) =>
      copy.replace(problem('NotFound'), 'application/problem+json', 'application/json'),
    'an error with a body of another kind besides': (copy) =>
      copy.replace(
        problem('NotFound'),
        'content:\n',
        'content:\n      text/html: { schema: { type: string, maxLength: 1 } }\n',
      ),
    'an error that another operation answers under another status': (copy) =>
      copy.replace(CHAIN_PATH, 'responses/RateLimited', 'responses/NotFound'),
    'a fault that is plain JSON': (copy) =>
      copy.replace(problem('AnyProblem'), 'application/problem+json', 'application/json'),
    'an error that names all of its codes, and takes no other': (copy) =>
      copy.replace(problem('NotFound'), ", { $ref: '#/schemas/Problem' }", ''),
    'an error that names no code': (copy) =>
      copy.replace(problem('NotFound'), "{ $ref: '#/schemas/NotFoundProblem' }, ", ''),
    'a default that names a code': (copy) =>
      copy.replace(
        problem('AnyProblem'),
        "{ $ref: '#/schemas/Problem' }",
        "{ anyOf: [{ $ref: '#/schemas/NotFoundProblem' }, { $ref: '#/schemas/Problem' }] }",
      ),
    'a success that is a problem': (copy) => copy.replace(CHAIN_FOUND, 'application/json', 'application/problem+json'),
    'an error that does not extend Problem': (copy) =>
      copy.replace(CONFLICT, '#/schemas/Problem', '#/schemas/FieldError'),
    'an error without a code': (copy) => copy.replace(CONFLICT, 'enum: [nonce_conflict], ', 'maxLength: 64, '),
    'an error with a code that the catalogue lacks': (copy) =>
      copy.replace(CONFLICT, '[nonce_conflict]', '[nonce_clash]'),
    'a code under another status than its own': (copy) =>
      copy.replace('problems.yaml#/schemas/ProblemCode', ' status: 404\n', ' status: 410\n'),
  },
  'contract/generator-subset': {
    'a const': (copy) => copy.replace('health.yaml#/schemas/Liveness', 'enum: [ok]', 'const: ok'),
    'an enum without a type': (copy) => copy.replace(CONFLICT, 'type: string, ', ''),
    'a value with quotes': (copy) =>
      copy.replace('transactions.yaml#/schemas/TransactionStatusFilter', 'expired]', 'expired, \'"seen"\']'),
    'a condition': (copy) =>
      copy.replace(
        CHAIN,
        'type: object\n',
        'type: object\n    if: { required: [height] }\n    then: { required: [chainId] }\n',
      ),
    'what a value is not': (copy) =>
      copy.replace(CHAIN, 'type: object\n', 'type: object\n    not: { maxProperties: 1 }\n'),
    'null outside the RPC': (copy) => copy.replace(AMOUNT, 'type: string\n', "type: [string, 'null']\n"),
    'members beside allOf': (copy) =>
      copy.replace(CONFLICT, 'allOf:\n', 'properties: { again: { type: boolean } }\n    allOf:\n'),
    'a member of the base required without being written again': (copy) => copy.drop(CONFLICT, 'txHash:'),
    'items that are one of two schemas': (copy) =>
      copy.replace(
        TRANSACTION_PAGE,
        "items: { $ref: '#/schemas/Transaction' }",
        "items: { oneOf: [{ $ref: '#/schemas/Transaction' }, { $ref: '#/schemas/TransactionDetail' }] }",
      ),
  },
  'contract/unique-names': {
    'a parameter with the name of a schema': (copy) => copy.rename('common.yaml#/parameters/CursorQuery', 'Cursor'),
    'a response with the name of a schema in other case': (copy) => copy.rename(CHAIN_FOUND, 'CHain'),
  },
  'contract/property-names': {
    'a property in snake_case': (copy) => copy.replace(CHAIN, '  blockIntervalMs:\n', '  block_interval_ms:\n'),
    'a query parameter in kebab-case': (copy) => copy.replace(LIMIT, 'name: limit', 'name: page-limit'),
  },
  'contract/rpc-operations': {
    'a method of the RPC elsewhere': (copy) =>
      copy.replace(CHAIN_PATH, '      tags:', '      x-rpc-method: status\n      tags:'),
  },
  'contract/rate-limit-headers': {
    'an answer behind a token without what is left': (copy) =>
      withoutHeader(copy, problem('NotFound'), 'answer', 'RateLimit'),
    'an answer behind a token without the quota': (copy) =>
      withoutHeader(copy, problem('NotFound'), 'answer', 'RateLimit-Policy'),
  },
  'contract/answer-headers': {
    'an answer without X-Request-Id': (copy) => withoutHeader(copy, CHAIN_FOUND, 'answer', 'X-Request-Id'),
    'an error without Cache-Control': (copy) => withoutHeader(copy, problem('NotFound'), 'answer', 'Cache-Control'),
    'a 401 without WWW-Authenticate': (copy) => copy.drop(problem('Unauthenticated'), 'WWW-Authenticate:'),
    'a 429 without Retry-After': (copy) => withoutHeader(copy, problem('RateLimited'), 'retriable', 'Retry-After'),
    'a 503 without Retry-After': (copy) => copy.replace(problem('NotReady'), 'beforeQuotaRetriable', 'beforeQuota'),
    'a default without WWW-Authenticate': (copy) => copy.drop(problem('AnyProblem'), 'WWW-Authenticate:'),
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
    'a tag that is not in the index': (copy) => copy.replace(CHAIN_PATH, '[Chain]', '[Chains]'),
  },
  'no-invalid-media-type-examples': {
    'an example that does not fit': (copy) => copy.replace(DEVELOPMENT_CHAIN, 'height: 42', 'height: "42"'),
    'an example with a member too many': (copy) =>
      copy.replace(DEVELOPMENT_CHAIN, '      height: 42\n', '      height: 42\n      extra: 1\n'),
  },
  'no-invalid-schema-examples': {
    'an example of a property that does not fit': (copy) => copy.replace(AMOUNT, "['100']", "['0']"),
  },
  'no-invalid-parameter-examples': {
    'an example of a parameter that does not fit': (copy) => copy.replace(LIMIT, 'example: 10', 'example: 1001'),
  },
  'scalar-property-missing-example': {
    'a property without an example': (copy) => copy.replace(AMOUNT, "    examples: ['100']\n", ''),
  },
  'component-name-unique': {
    'two schemas of one name': (copy) => {
      copy.add(
        'common.yaml',
        'schemas',
        '  Chain: { description: Another., type: string, maxLength: 1, examples: [a] }\n',
      );
      copy.replace(CHAIN, 'properties:\n', "properties:\n      other: { $ref: 'common.yaml#/schemas/Chain' }\n");
    },
  },
  'no-required-schema-properties-undefined': {
    'a required member that does not exist': (copy) =>
      copy.replace(CHAIN, 'required:\n', 'required:\n      - supply\n'),
  },
  'no-unresolved-refs': {
    'a file that does not exist': (copy) => copy.remove('chain.yaml'),
  },
};
