/**
 * What a later version may add breaks no client of this one: every answer that the contract shows still fits it when it has another code, another
 * status and another member. Requests stay closed, and so do our own answers (closed-answers.test.ts).
 */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contract, resolve, responses } from './support/contract.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addFormat('uint128', true);
ajv.addSchema(contract, 'contract');

/** Members whose values later versions may add to. */
const GROWING = ['code', 'status', 'outcome', 'signatureStatus', 'transactionStatus', 'event', 'kind'];
const ADDED = 'added_in_2030';

/** A copy in which every object has a member more, and each text of a growing list is one that nobody knows. */
function grown(value: any): any {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== 'object' || value === null) return value;
  // The code of a currency is no list of ours.
  if ('scale' in value) return { ...value, addedMember: { more: 1 } };
  const members = Object.entries(value).map(([name, member]) => [
    name,
    GROWING.includes(name) && typeof member === 'string' && !CLOSED.includes(member) ? ADDED : grown(member),
  ]);
  return { ...Object.fromEntries(members), addedMember: { more: 1 } };
}
/** Of the probes' `status` there is one value. */
const CLOSED = ['ok', 'ready'];

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
