/** What express-openapi-validator compiles later judges as what it compiles at once. */
import { beforeAll, expect, test } from '@jest/globals';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { compileLater, hideFromWalks } from '../../server/http/contract/compile-later.ts';

const OPTIONS = { strict: false, formats: {} };

const branch = (name: string) => ({
  type: 'object',
  required: ['kind', name],
  properties: { kind: { const: name }, [name]: { $ref: '#/components/schemas/Count' } },
});

function document(): any {
  const cat = { $ref: '#/components/schemas/Cat' };
  const problem = {
    description: '',
    content: { 'application/json': { schema: { type: 'object', required: ['detail'] } } },
  };
  const body = {
    oneOf: [cat, { $ref: '#/components/schemas/Dog' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
    },
  };
  const answer = { description: '', content: { 'application/json': { schema: cat } } };
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {
      '/pets': {
        post: {
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: { 200: answer, 400: problem },
        },
      },
    },
    components: { schemas: { Count: { type: 'integer', minimum: 1 }, Cat: branch('cat'), Dog: branch('dog') } },
  };
}

beforeAll(compileLater);

test('a branch of a discriminator', () => {
  const doc = document();
  new SchemaPreprocessor(doc, OPTIONS as never, undefined as never).preProcess();
  const { schema } = doc.paths['/pets'].post.requestBody.content['application/json'];
  // The library's name for what it keeps beside the schema.
  const { options, validators } = schema['_discriminator'];
  expect(options.map(({ option }: { option: string }) => option)).toEqual(['cat', 'dog']);
  expect(validators.cat({ kind: 'cat', cat: 1 })).toBe(true);
  expect(validators.cat.errors).toBeNull();
  expect(validators.cat({ kind: 'cat', cat: 0 })).toBe(false);
  expect(validators.cat.errors).toMatchObject([{ keyword: 'minimum', instancePath: '/cat' }]);
  expect(validators.dog({ kind: 'cat', cat: 1 })).toBe(false);
});

test.each([
  [200, { kind: 'cat', cat: 1 }, undefined],
  [200, { kind: 'cat', cat: 0 }, '/response/cat must be >= 1'],
  [400, { detail: '' }, undefined],
  [400, {}, "/response must have required property 'detail'"],
  [404, {}, "no schema defined for status code '404' in the openapi spec"],
])('an answer of status %d: %j', (statusCode, body, fault) => {
  const doc = document();
  const judge: any = new ResponseValidator(doc, OPTIONS as never);
  const validators = judge.buildValidators(doc.paths['/pets'].post.responses, 'POST-/pets');
  const judged = (): unknown =>
    judge['_validate']({ validators, body, statusCode, path: '/pets', accepts: ['application/json'] });
  if (fault === undefined) expect(judged()).toBeUndefined();
  else expect(judged).toThrow(fault);
  expect(Object.keys(doc.components)).toEqual(statusCode === 404 ? ['schemas'] : []);
});

test('what is hidden from walks is found by its name', () => {
  const doc = document();
  hideFromWalks(doc);
  expect([Object.keys(doc.components), Object.keys(doc.paths)]).toEqual([[], []]);
  expect(doc.components.schemas.Cat).toEqual(branch('cat'));
});
