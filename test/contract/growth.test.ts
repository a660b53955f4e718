/**
 * What a later version may add breaks no client of this one: every answer that the contract shows still fits it when it has another code, another
 * status and another member. Requests stay closed, and so do our own answers (closed-answers.test.ts).
 */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contract, resolve, responses } from './support/contract.ts';
import { ADDED, grown } from './support/grown.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addFormat('uint128', true);
ajv.addSchema(contract, 'contract');

const shown = [
  ...new Map(
    responses
      .filter(({ where }) => !/^(?:getRpc|postRpc|callRpc)/.test(where))
      .flatMap(({ where, response }) =>
        Object.entries<any>(response.content ?? {})
          .filter(([mediaType]) => mediaType.endsWith('json'))
          .flatMap(([, { schema, examples }]) =>
            Object.entries<any>(examples).map(
              ([name, example]) =>
                [`${name} ${JSON.stringify(schema)}`, { where, name, schema, value: resolve(example).value }] as const,
            ),
          ),
      ),
  ).values(),
];

describe('an answer of a later version', () => {
  test.each(shown)('$where: $name still fits the contract', ({ schema, value }) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')));
    expect([validate(value), validate.errors]).toEqual([true, null]);
    expect([validate(grown(value)), validate.errors]).toEqual([true, null]);
  });

  test('is among others a transaction with another status, and a problem with another code', () => {
    const texts = shown.map(({ value }) => JSON.stringify(grown(value)));
    for (const member of ['status', 'code'])
      expect(texts.some((text) => text.includes(`"${member}":"${ADDED}"`))).toBe(true);
  });
});
