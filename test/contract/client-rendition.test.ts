/** The rendition for generators of clients: as true as the bundle, in forms that languages without unions can read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { clientRendition } from '../../scripts/contract/client-rendition.ts';
import { closedContract } from '../../server/http/contract/closed.ts';
import { contract, operations as all, REPOSITORY, resolve } from './support/contract.ts';

type Json = any;

/** Without spaces. Half of the rendition before was answers with errors, repeated. */
const BYTES_MAX = 250_000;
const PROBLEM = 'application/problem+json';

const published: Json = JSON.parse(readFileSync(join(REPOSITORY, 'generated', 'openapi.client.json'), 'utf8'));
const outsideRpc = all.filter(({ path }) => !/^\/rpc(\/|$)/.test(path));

/** Every schema node that stands in a document at one of these places, and below. */
function* nodesOf(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const [key, child] of Object.entries<Json>(value))
    if (key !== 'examples' && key !== 'example') yield* nodesOf(child);
}

const isError = (response: Json): boolean => PROBLEM in (resolve(response).content ?? {});

/** Whether a body fits an answer of an operation; closed, with no members and values but those of this version. */
function judgeOf(document: Json, closed: boolean) {
  const judge = new Ajv2020({ strict: false });
  addFormats.default(judge);
  judge.addFormat('uint128', true);
  judge.addSchema(closed ? closedContract(document) : document, 'rendition');
  return ({ path, method }: { path: string; method: string }, status: string, value: unknown): string[] => {
    const { responses } = document.paths[path][method];
    const at = status in responses ? status : 'default';
    const [mediaType] = Object.keys(responses[at].content);
    const pointer = ['paths', path, method, 'responses', at, 'content', mediaType!, 'schema'];
    const escaped = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = judge.compile({ $ref: `rendition#/${escaped.join('/')}` });
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** Every example of an answer in JSON or with an error. */
const examples = outsideRpc.flatMap((operation) =>
  Object.entries<Json>(operation.operation.responses).flatMap(([status, response]) =>
    ['application/json', PROBLEM].flatMap((mediaType) =>
      Object.entries<Json>(resolve(response).content?.[mediaType]?.examples ?? {}).map(([name, named]) => ({
        name,
        id: operation.id,
        operation,
        status,
        value: resolve(named).value,
      })),
    ),
  ),
);

describe('the rendition for generators of clients', () => {
  test('has every operation outside the RPC and no other', () => {
    const found = Object.entries<Json>(published.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(found).toEqual(outsideRpc.map(({ method, path }) => `${method} ${path}`));
    expect(found.length).toBeGreaterThanOrEqual(12);
  });

  test.each(outsideRpc)(
    '$id is as in the bundle, with its successes written out and its errors as one',
    ({ method, path, operation }) => {
      const { requestBody, responses, ...written }: Json = published.paths[path][method];
      const { requestBody: body, responses: answers, ...rest } = operation;
      expect(written).toEqual(rest);
      expect(Object.keys(requestBody?.content ?? {})).toEqual(Object.keys(resolve(body ?? {}).content ?? {}));
      const successes = Object.keys(answers).filter((status) => !isError(answers[status]));
      expect(Object.keys(responses)).toEqual([...successes, 'default']);
      for (const status of successes) expect(responses[status].description).toBe(resolve(answers[status]).description);
      for (const response of [requestBody ?? {}, ...Object.values<Json>(responses)]) {
        expect(response).not.toHaveProperty('$ref');
        expect(Object.keys(response.content ?? {}).length).toBeLessThanOrEqual(1);
      }
    },
  );

  test('says of the errors of all operations the same, but for the codes', () => {
    const errors = outsideRpc.map(({ path, method }) => published.paths[path][method].responses.default);
    const { 'x-problem-codes': _, ...first } = errors[0];
    for (const { 'x-problem-codes': codes, ...error } of errors) {
      expect(error).toEqual(first);
      expect(codes).toEqual([...new Set(codes)]);
    }
    expect(published.paths['/transactions'].post.responses.default['x-problem-codes']).toContain('nonce_conflict');
    expect(first.content[PROBLEM].schema).toEqual({ $ref: '#/components/schemas/Problem' });
    expect(first.headers['Retry-After']).toMatchObject({ required: false });
  });

  test('is true of every example of an answer', () => {
    const judge = judgeOf(published, true);
    const faults = examples.flatMap(({ name, id, operation, status, value }) =>
      judge(operation, status, value).map((fault) => `${id} ${status} ${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
    expect(examples.length).toBeGreaterThan(100);
  });

  test('has no union, no extension, no closed list and no reference to an answer', () => {
    const forms = ['oneOf', 'anyOf', 'allOf', 'discriminator', 'const', 'if', 'not'];
    const schemas = [...nodesOf(published.components.schemas)];
    expect(schemas.filter((node) => forms.some((form) => form in node))).toEqual([]);
    // What answers refer to, however far: a list of values there is one that a later version extends.
    const reached = new Set<Json>();
    const pending: Json[] = Object.values<Json>(published.paths)
      .flatMap((item) => Object.values<Json>(item))
      .map(({ responses }) => responses);
    for (let root = pending.pop(); root !== undefined; root = pending.pop())
      for (const node of nodesOf(root)) {
        if (reached.has(node)) continue;
        reached.add(node);
        if (typeof node.$ref !== 'string') continue;
        const [, , kind, name] = node.$ref.split('/');
        pending.push(published.components[kind][name]);
      }
    expect([...reached].filter((node) => Array.isArray(node.enum))).toEqual([]);
    expect(reached).toContain(published.components.schemas.HistoryEntry);
    for (const kind of ['responses', 'requestBodies', 'examples'])
      expect(published.components).not.toHaveProperty(kind);
    const bounds = ['pattern', 'minLength', 'maxLength'];
    expect(
      [...nodesOf(published)].filter(
        ({ type, format, ...rest }) =>
          type === 'string' && typeof format === 'string' && bounds.some((bound) => bound in rest),
      ),
    ).toEqual([]);
  });

  test('has one Transaction, whose status is text, and one Problem', () => {
    const names = Object.keys(published.components.schemas);
    expect(names.filter((name) => /Transaction(Detail)?$/.test(name))).toEqual(['Transaction', 'EventTransaction']);
    expect(names.filter((name) => name.endsWith('Problem'))).toEqual(['Problem']);
    const { TransactionStatus, Transaction } = published.components.schemas;
    expect(TransactionStatus).not.toHaveProperty('enum');
    expect(TransactionStatus['x-extensible-enum']).toEqual(['pending', 'committed', 'failed', 'cancelled', 'expired']);
    expect(Transaction.properties.height.description).toContain('Absent with `pending`.');
    expect(Transaction.properties.history.description).toContain('Only getTransaction answers it.');
  });

  test('takes a status, a code and members that a later version may add', () => {
    const judge = judgeOf(published, false);
    const read = all.find(({ id }) => id === 'getTransaction')!;
    const { value } = examples.find(({ id, status }) => id === 'getTransaction' && status === '200')!;
    expect(judge(read, '200', { ...value, status: 'frozen', later: 1 })).toEqual([]);
    const refused = examples.find(({ id, status }) => id === 'getTransaction' && status === '404')!.value;
    expect(judge(read, '404', { ...refused, code: 'not_known_yet', later: 1 })).toEqual([]);
    const { txHash: _, ...without } = value;
    expect(judge(read, '200', without)).toEqual([expect.stringContaining('txHash')]);
  });

  test('gives every component another name, also where case does not count, and uses each', () => {
    const names = Object.entries<Json>(published.components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => ({ kind, name })),
    );
    expect(new Set(names.map(({ name }) => name.toLowerCase())).size).toBe(names.length);
    const text = JSON.stringify(published);
    for (const { kind, name } of names)
      if (kind !== 'securitySchemes') expect(text).toContain(`"#/components/${kind}/${name}"`);
    for (const [, reference] of text.matchAll(/"#\/components\/([^"]+)"/g)) {
      const [kind, name] = reference!.split('/');
      expect(Object.keys(published.components[kind!])).toContain(name);
    }
  });

  test(`is smaller than ${BYTES_MAX} bytes without spaces`, () => {
    expect(JSON.stringify(published).length).toBeLessThan(BYTES_MAX);
  });

  test('has the tags of its operations, no messages to webhooks, and everything else as in the bundle', () => {
    expect(new Set(published.tags.map(({ name }: Json) => name))).toEqual(
      new Set(outsideRpc.flatMap(({ operation }) => operation.tags)),
    );
    const { tags: _tags, paths: _paths, components: _components, webhooks: _webhooks, ...rest } = contract;
    expect(published).toMatchObject(rest);
    expect(published).not.toHaveProperty('webhooks');
  });
});

describe('a contract that has grown', () => {
  /** One more status with a member of its own. */
  function grown(): Json {
    const copy = structuredClone(contract);
    const { schemas } = copy.components;
    schemas.FrozenTransaction = structuredClone(schemas.PendingTransaction);
    Object.assign(schemas.FrozenTransaction.properties, {
      status: { description: 'Always `frozen`.', type: 'string', enum: ['frozen'] },
      frozenBy: { description: 'Who froze it.', type: 'string' },
    });
    schemas.Transaction.anyOf.unshift({ $ref: '#/components/schemas/FrozenTransaction' });
    return copy;
  }

  test('has a flat rendition too, with the new status and its member', () => {
    const rendition: Json = clientRendition(grown());
    const { Transaction, Problem } = rendition.components.schemas;
    expect(Transaction.required).not.toContain('frozenBy');
    expect(Transaction.properties.frozenBy.description).toMatch(/^Who froze it\. Absent with `pending`, /);
    expect(Transaction.properties.status).toMatchObject({
      type: 'string',
      'x-extensible-enum': ['frozen', 'pending', 'committed', 'failed', 'cancelled', 'expired'],
    });
    expect(Problem.properties).toHaveProperty('nextNonce');
    const { responses } = rendition.paths['/transactions/{txHash}'].get;
    expect(Object.keys(responses)).toEqual(['200', 'default']);
    expect(responses.default['x-problem-codes']).toContain('not_found');
  });

  test('is refused where a union has no flat form, with the name of the schema', () => {
    const copy = grown();
    copy.components.schemas.Chain.properties.height = { oneOf: [{ type: 'integer' }, { type: 'string' }] };
    expect(() => clientRendition(copy)).toThrow('ChainHeight is a union of integer and string');
  });

  test('is left as it was, and a reference to nothing is named', () => {
    const copy = structuredClone(contract);
    clientRendition(copy);
    expect(copy).toEqual(contract);
    delete copy.components.schemas.Chain;
    expect(() => clientRendition(copy)).toThrow('#/components/schemas/Chain');
  });
});
