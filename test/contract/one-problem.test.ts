/** One schema for every error, in which nothing that any error carries is missing and no code of a later version is refused. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { withOneProblem } from '../../scripts/contract/one-problem.ts';
import { closedContract } from '../../server/http/contract/closed.ts';
import { codesOf, contract, resolve } from './support/contract.ts';

const document: any = withOneProblem(contract);
const problems = Object.entries<any>(contract.components.examples).filter(([name]) => /Problem$|^NotReady$/.test(name));

/** @param closed with no members but the declared ones. */
function validator(closed: boolean) {
  const judge = new Ajv2020({ strict: false });
  addFormats.default(judge);
  judge.addFormat('uint128', true);
  judge.addSchema(closed ? closedContract(document) : document, 'contract');
  return judge.compile({ $ref: 'contract#/components/schemas/Problem' });
}

describe('one schema for every error', () => {
  test('is the body of every error, with the codes beside it', () => {
    for (const [name, response] of Object.entries<any>(contract.components.responses)) {
      const body = document.components.responses[name].content?.['application/problem+json'];
      if (body === undefined) continue;
      expect(body.schema).toEqual({ $ref: '#/components/schemas/Problem' });
      const codes = codesOf(resolve(response));
      expect(document.components.responses[name]['x-problem-codes']).toEqual(codes.length > 0 ? codes : undefined);
    }
  });

  test.each(problems)('declares every member of %s', (_name, { value }) => {
    const validate = validator(true);
    expect([validate(value), validate.errors]).toEqual([true, null]);
  });

  test('takes a code and a member that a later version may add', () => {
    const [, { value }] = problems[0]!;
    expect(validator(false)({ ...value, code: 'not_known_yet', later: 1 })).toBe(true);
    expect(validator(true)({ ...value, code: 'not_known_yet' })).toBe(false);
    expect(validator(true)({ ...value, later: 1 })).toBe(false);
  });

  test('says which codes a member belongs to', () => {
    expect(document.components.schemas.Problem.properties.signBytes).toMatchObject({
      description: expect.any(String),
      'x-problem-codes': ['invalid_signature'],
    });
    expect(document.components.schemas.Problem.properties.detail).not.toHaveProperty('x-problem-codes');
  });

  test('is not made of members that mean different things', () => {
    const clash: any = structuredClone(contract);
    clash.components.schemas.NonceTooLowProblem.allOf[1].properties.signBytes = { type: 'integer' };
    expect(() => withOneProblem(clash)).toThrow('different members signBytes');
  });

  test('leaves the contract that it is given as it is', () => {
    expect(contract.components.responses.NotFound.content['application/problem+json'].schema).not.toEqual({
      $ref: '#/components/schemas/Problem',
    });
  });
});
