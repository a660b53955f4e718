/**
 * The bundled contract as tests look at it: parts found by `$ref`, operations with their responses, values
 * validated against a schema by Ajv, which is also what the server's validator uses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closedContract } from '../../../server/http/contract/closed.ts';

type Json = any;

export const REPOSITORY = join(import.meta.dirname, '..', '..', '..');

export const contract: Json = JSON.parse(readFileSync(join(REPOSITORY, 'generated', 'openapi.json'), 'utf8'));

/** Follows `$ref`s within the bundle until there is none. */
export function resolve(node: Json): Json {
  let found = node;
  while (typeof found?.$ref === 'string') {
    const keys = found.$ref.slice(2).split('/');
    found = keys.reduce(
      (parent: Json, key: string) => parent[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      contract,
    );
  }
  return found;
}

export type Operation = { id: string; method: string; path: string; operation: Json };

/** Every operation of the contract. */
export const operations: Operation[] = Object.entries<Json>(contract.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
);

/** Every response that an operation lists, with its status; `default` has none (NaN). */
export const responses: Array<{ where: string; status: number; response: Json }> = operations.flatMap(
  ({ id, operation }) =>
    Object.entries<Json>(operation.responses).map(([status, response]) => ({
      where: `${id} ${status}`,
      status: Number(status),
      response: resolve(response),
    })),
);

/** The error codes that a response lists: every kind of its body but the last, which takes any other. */
export function codesOf(response: Json): string[] {
  const schema = response.content?.['application/problem+json']?.schema;
  if (schema === undefined) {
    return [];
  }
  return (schema.anyOf ?? []).slice(0, -1).flatMap((leaf: Json) => {
    const own = resolve(leaf).allOf.find((part: Json) => part.properties !== undefined);
    return own.properties.code.enum;
  });
}

/** Whether an error is told in CometBFT's envelope, as under /rpc, and not as a problem. */
export function isEnvelope(response: Json): boolean {
  return Object.hasOwn(response.content ?? {}, 'application/json');
}

const UINT128_MAX = 2n ** 128n - 1n;

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat('uint128', {
  type: 'string',
  validate: (text: string) => /^[0-9]+$/.test(text) && BigInt(text) <= UINT128_MAX,
});
ajv.addVocabulary(['x-problems', 'x-extensible-enum', 'discriminator']);
// Closed, as our own answers are judged: what is published leaves them open.
ajv.addSchema({ $id: 'contract', $defs: withReferences(closedContract(contract).components.schemas) });

/** A validator for a schema that stands in the contract, such as `{ $ref: '#/components/schemas/Chain' }`. */
export function validatorOf(schema: Json): ValidateFunction {
  return ajv.compile(withReferences(schema));
}

/** Ajv wants schemas that are referred to under `$defs` of one that has a name. */
function withReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"contract#/$defs/'));
}

/** What a schema of components says against a value: nothing, if it fits. */
export function violations(schemaName: string, value: unknown): string[] {
  const validate = validatorOf({ $ref: `#/components/schemas/${schemaName}` });
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** The value of a named example: a fresh copy, so that a test may change it. */
export function example(name: string): Json {
  return structuredClone(contract.components.examples[name].value);
}
