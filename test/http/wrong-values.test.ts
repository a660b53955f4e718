/**
 * A wrong value of any parameter, header or member of a body is answered in words about what it is, and never with a bare pattern. The
 * parameters and members are those of the contract, so a new one is tried here as it comes.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { placeInWords } from '../../server/gateway/field-place.ts';
import { resolve } from '../../server/http/contract/bundle.ts';
import { type OperationSpec, readOperations } from '../../server/http/contract/operations.ts';
import { schemaNameAt } from '../../server/http/contract/schema-names.ts';
import { RULES } from '../../server/http/field-messages.ts';
import { HEADER_BYTES_MAX } from '../../server/http/limits.ts';
import { contract } from './support/contract-check.ts';
import { TestServer } from './support/server.ts';

interface Schema {
  type?: string;
  pattern?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: unknown;
  properties?: Record<string, unknown>;
}
interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  schema: unknown;
  description: string;
  example: unknown;
}

const { document } = contract;
const operations = readOperations(document);
const schemaOf = (node: unknown): Schema => resolve(document, node) as Schema;

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

function parametersOf({ path, method }: OperationSpec): Parameter[] {
  const item = document.paths[path] as { parameters?: unknown[] } & Record<string, { parameters?: unknown[] }>;
  return [...(item.parameters ?? []), ...(item[method.toLowerCase()]?.parameters ?? [])].map(
    (each) => resolve(document, each) as unknown as Parameter,
  );
}

/** Texts that do not fit the schema, one for each way not to fit it. */
function wrongFor(node: unknown): string[] {
  const schema = schemaOf(node);
  if (schema.type === 'array') return wrongFor(schema.items);
  if (schema.type === 'boolean') return ['perhaps'];
  const { pattern, minimum = 0, maximum, maxLength } = schema;
  if (schema.type === 'integer')
    return [
      'x',
      ...(minimum > 0 ? [`${minimum - 1}`] : []),
      ...(maximum === undefined ? [] : [`${BigInt(maximum) + 1n}`]),
    ];
  const wrong = schema.enum !== undefined ? ['other'] : [];
  if (pattern !== undefined) {
    const unfit = ['!', '"', 'x', '\n'].find((text) => !new RegExp(pattern).test(text));
    if (unfit === undefined) throw new Error(`no text is known that does not match ${pattern}`);
    wrong.push(unfit);
  }
  // What is longer is refused as a header section.
  if (maxLength !== undefined && maxLength < HEADER_BYTES_MAX / 2) wrong.push('1'.repeat(maxLength + 1));
  return wrong;
}

/** Any value fits these: what cannot be used is passed over, as the contract says of each. */
const TAKES_ANYTHING = ['If-None-Match', 'Prefer', 'X-Request-Id'];

const wrong = operations.flatMap((operation) =>
  parametersOf(operation).flatMap((parameter) =>
    wrongFor(parameter.schema).map(
      (value) =>
        [
          `${operation.id}: ${parameter.in} ${parameter.name} ${value.slice(0, 24)}`,
          operation,
          parameter,
          value,
        ] as const,
    ),
  ),
);
const isRpc = ({ path }: OperationSpec): boolean => path.startsWith('/rpc');

/** What a JSON body of the operation is: its schema and the contract's examples of it. */
function bodyOf({ path, method }: OperationSpec): { schema: unknown; examples: Record<string, unknown> } {
  const operation = document.paths[path]?.[method.toLowerCase()] as { requestBody?: unknown } | undefined;
  const content = resolve(document, operation?.requestBody).content as Record<string, ReturnType<typeof bodyOf>>;
  const json = content['application/json'];
  if (json === undefined) throw new Error(`${method} ${path} takes no JSON`);
  return json;
}
const exampleOf = (operation: OperationSpec): object =>
  structuredClone(resolve(document, Object.values(bodyOf(operation).examples)[0]).value) as object;

async function sent(operation: OperationSpec, parameter: Parameter, value: string): ReturnType<TestServer['ask']> {
  const parameters = parametersOf(operation);
  let path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(
      parameter.in === 'path' && name === parameter.name
        ? value
        : String(parameters.find((each) => each.in === 'path' && each.name === name)?.example),
    ),
  );
  // What else the query must have is right.
  const needed = parameters.filter((each) => each.in === 'query' && each.required === true && each !== parameter);
  if (parameter.in === 'header' && needed.length > 0)
    path += `?${needed.map(({ name, example }) => `${name}=${String([example].flat()[0])}`).join('&')}`;
  if (parameter.in === 'query') path += `?${parameter.name}=${encodeURIComponent(value)}`;
  return await server.ask({
    method: operation.method,
    path,
    headers: parameter.in === 'header' ? { [parameter.name]: value } : {},
    body: operation.body ? exampleOf(operation) : undefined,
    operation: `${operation.method} ${operation.path}`,
  });
}

test('every parameter of the contract has wrong values here, but those that take anything', () => {
  const without = operations
    .flatMap(parametersOf)
    .filter(({ schema }) => wrongFor(schema).length === 0)
    .map(({ name }) => name);
  expect([...new Set(without)].toSorted()).toEqual(TAKES_ANYTHING);
  expect(wrong.length).toBeGreaterThan(100);
});

describe('a wrong parameter', () => {
  test.each(wrong.filter(([, operation]) => !isRpc(operation)))('%s', async (_, operation, parameter, value) => {
    const { status, body } = await sent(operation, parameter, value);
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
    const pointer = `#/${parameter.in}/${name}`;
    expect({
      status,
      code: body.code,
      pointers: body.errors?.map((error: { pointer: string }) => error.pointer),
    }).toEqual({
      status: 400,
      code: 'invalid_request',
      pointers: [pointer],
    });
    const [{ message }] = body.errors;
    expect(message).not.toMatch(/pattern|\^[[(]/);
    const kind = { query: 'query', path: 'params', header: 'headers' }[parameter.in];
    const steps = [kind, parameter.name, ...(schemaOf(parameter.schema).type === 'array' ? ['0'] : [])];
    const rule = RULES[schemaNameAt(document, operation, steps) ?? ''];
    // An integer that is no plain number is refused before there is a value to judge.
    if (rule !== undefined && schemaOf(parameter.schema).type !== 'integer') expect(message).toContain(rule.expected);
    const says = `The request does not fit the contract in ${placeInWords(pointer)}. ${message} What it is: `;
    expect(body.detail.startsWith(says)).toBe(true);
    const [about, example] = body.detail.slice(says.length).split(' For example: ');
    expect(parameter.description.replaceAll('\n', ' ').startsWith(about)).toBe(true);
    expect(example).toBe(`${String([parameter.example].flat()[0])}.`);
    expect(body.detail).not.toMatch(/pattern|\^[[(]|\{[0-9]+,|\[0-9/);
    expect(server.gateway.calls).toEqual([]);
  });

  test.each(wrong.filter(([, operation]) => isRpc(operation)))('%s', async (_, operation, parameter, value) => {
    const { text } = await sent(operation, parameter, value);
    // CometBFT's words, or what the method says of a value that CometBFT reads.
    expect(text).not.toMatch(/pattern|does not fit the contract/);
  });
});

/** Members of a body whose schema has a pattern, and lists of such values. */
const members = operations
  .filter(({ body, id }) => body && id !== 'callRpc' && id !== 'submitTransactionBatch')
  .flatMap((operation) =>
    Object.entries(schemaOf(bodyOf(operation).schema).properties ?? {}).flatMap(([member, node]) => {
      const list = schemaOf(node).items;
      const named = list ?? node;
      if (schemaOf(named).pattern === undefined) return [];
      const [value] = wrongFor(named);
      return [[`${operation.id} /${member}`, operation, member, list === undefined ? value : [value]] as const];
    }),
  );

test.each(members)('a wrong member of a body is told what it is: %s', async (_, operation, member, value) => {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_match, name: string) =>
    String(parametersOf(operation).find((each) => each.in === 'path' && each.name === name)?.example),
  );
  const { status, text, body } = await server.ask({
    method: operation.method,
    path,
    body: { ...exampleOf(operation), [member]: value },
    operation: `${operation.method} ${operation.path}`,
  });
  expect(status).toBe(400);
  expect(text).not.toMatch(/pattern/);
  const steps = ['body', member, ...(Array.isArray(value) ? ['0'] : [])];
  const rule = RULES[schemaNameAt(document, operation, steps) ?? ''];
  if (!isRpc(operation) || body.code !== undefined) {
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].pointer).toBe(`/${steps.slice(1).join('/')}`);
    expect(body.errors[0].message).toContain(rule?.expected);
  }
});

describe('places', () => {
  test.each(['a/b', 'a~b', 'a~1b', 'transactions/0', 'from/'])(
    'an unknown member %j is a step of the JSON pointer',
    async (name) => {
      const { body } = await server.submit({ ...exampleOf(submit), [name]: 1 } as never);
      expect(body.errors).toEqual([
        {
          pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          message: `The member ${JSON.stringify(name)} is not known here. Leave it out.`,
        },
      ]);
    },
  );

  test('a header is named in lower case, whoever refuses it', async () => {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '9999999999999999' };
    const { status, body } = await server.ask({ path: '/events', headers });
    expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: '#/header/last-event-id' });
  });

  test('a problem of a batch names one place in its sentence and in its errors', async () => {
    const transfer = exampleOf(submit);
    const { body } = await server.ask({
      method: 'POST',
      path: '/transactions/batch',
      body: { transactions: [transfer, { ...transfer, amount: '-1' }] },
    });
    const { problem } = body.results[1];
    expect(problem.errors[0].pointer).toBe('/transactions/1/amount');
    expect(problem.detail).toContain('at /transactions/1/amount. ');
  });
});

const submit = operations.find(({ id }) => id === 'submitTransaction') as OperationSpec;
