/** The rendition for generators of clients says about its operations what the bundle says, in one place each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { clientRendition } from '../../scripts/contract/client-rendition.ts';
import { withOneProblem } from '../../scripts/contract/one-problem.ts';
import { contract, operations as all, REPOSITORY } from './support/contract.ts';

type Json = any;

const rendition: Json = JSON.parse(readFileSync(join(REPOSITORY, 'generated', 'openapi.client.json'), 'utf8'));
const text = JSON.stringify(rendition);

/** What the rendition is made of. */
const bundle: Json = withOneProblem(contract);
const named = (node: Json): Json =>
  node.$ref === undefined
    ? node
    : node.$ref
        .slice(2)
        .split('/')
        .reduce((parent: Json, key: string) => parent[key], bundle);
/** Where an answer has several forms, generators are given the one that every client reads: JSON, or else the first. */
const inOneForm = (response: Json): Json => {
  const { 'application/json': json, ...others } = response.content ?? {};
  const [first] = Object.entries(others);
  if (json !== undefined) return { ...response, content: { 'application/json': json } };
  return first === undefined ? response : { ...response, content: Object.fromEntries([first]) };
};
const outsideRpc = all
  .filter(({ path }) => !/^\/rpc(\/|$)/.test(path))
  .map(({ id, method, path }) => ({ id, method, path, operation: bundle.paths[path][method] }));
const references = [...text.matchAll(/"(#\/components\/[^"]+)"/g)].map(([, reference]) => reference!);

describe('the rendition for generators of clients', () => {
  test('has every operation outside the RPC and no other', () => {
    const found = Object.entries<Json>(rendition.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(found).toEqual(outsideRpc.map(({ method, path }) => `${method} ${path}`));
    expect(found.length).toBeGreaterThanOrEqual(12);
  });

  test.each(outsideRpc)(
    '$id is as in the bundle, with body and responses written out',
    ({ method, path, operation }) => {
      const written: Json = rendition.paths[path][method];
      const responses = Object.entries<Json>(operation.responses).map(([status, response]) => [
        status,
        inOneForm(named(response)),
      ]);
      const body = operation.requestBody === undefined ? {} : { requestBody: named(operation.requestBody) };
      expect(written).toEqual({ ...operation, ...body, responses: Object.fromEntries(responses) });
    },
  );

  test('has the components of the bundle that it uses, unchanged, and none that it does not use', () => {
    for (const [kind, ofKind] of Object.entries<Json>(rendition.components)) {
      for (const [name, component] of Object.entries(ofKind)) {
        expect(component).toEqual(bundle.components[kind][name]);
        if (kind !== 'securitySchemes') expect(references).toContain(`#/components/${kind}/${name}`);
      }
    }
    expect(Object.keys(rendition.components.securitySchemes)).toEqual(['bearerAuth']);
    expect(Object.keys(rendition.components)).not.toContain('requestBodies');
    expect(Object.keys(rendition.components)).not.toContain('responses');
    expect(text).not.toMatch(/#\/components\/[a-zA-Z]+\/Rpc/);
  });

  test('has one form of each answer', () => {
    const responses = Object.values<Json>(rendition.paths)
      .flatMap((item) => Object.values<Json>(item))
      .flatMap((operation) => Object.values<Json>(operation.responses));
    expect(responses.filter(({ content }) => Object.keys(content ?? {}).length > 1)).toEqual([]);
    expect(Object.keys(rendition.paths['/accounts/{address}/entries'].get.responses['200'].content)).toEqual([
      'application/json',
    ]);
  });

  test('refers to nothing that it does not have', () => {
    for (const reference of references) {
      const [, , kind, name] = reference.split('/');
      expect(Object.keys(rendition.components[kind!])).toContain(name);
    }
  });

  test('has the tags of its operations, no messages to webhooks, and everything else as in the bundle', () => {
    expect(new Set(rendition.tags.map(({ name }: Json) => name))).toEqual(
      new Set(outsideRpc.flatMap(({ operation }) => operation.tags)),
    );
    const { tags: _tags, paths: _paths, components: _components, webhooks: _webhooks, ...rest } = contract;
    expect(rendition).toMatchObject(rest);
    expect(rendition).not.toHaveProperty('webhooks');
  });

  test('leaves the bundle as it was, and says of a reference to nothing which one it is', () => {
    const copy = structuredClone(contract);
    clientRendition(copy);
    expect(copy).toEqual(contract);
    delete copy.components.schemas.Chain;
    expect(() => clientRendition(copy)).toThrow('#/components/schemas/Chain');
  });
});
