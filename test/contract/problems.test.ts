/**
 * The catalogue of error codes, held against the schemas, the responses and the examples that use it, in both
 * directions.
 */
import { describe, expect, test } from '@jest/globals';
import { codesByOperation } from '../../server/http/contract/answered.ts';
import { codesOf, contract, isEnvelope, operations, resolve, responses } from './support/contract.ts';

const { schemas, examples } = contract.components;
const catalogue: Record<
  string,
  { status: number; title: string; retriable: boolean; operations: string[]; cause: string; resolution: string }
> = schemas.ProblemCode['x-problems'];
const codes = Object.keys(catalogue);
/** Answers a method that a path does not have, which no operation can declare. */
const OUTSIDE_OPERATIONS = ['method_not_allowed'];

const answeredBy = codesByOperation(contract);
/** Members that every problem may have. */
const hasCommonMembersOnly = (schema: any): boolean =>
  Object.keys(schema.allOf[1].properties).every((name) => Object.hasOwn(schemas.Problem.properties, name));

const pascalCase = (code: string) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

describe('the catalogue of problems', () => {
  test('has an entry for each code of the list and none besides, in the same order', () => {
    expect(codes).toEqual(schemas.ProblemCode['x-extensible-enum']);
  });

  test('says status, title, retriable, cause and resolution of every code', () => {
    for (const { operations: _names, except: _but, ...entry } of Object.values<any>(catalogue)) {
      expect(entry).toEqual({
        status: expect.any(Number),
        title: expect.stringMatching(/^[A-Z][^.]{5,60}$/),
        retriable: expect.any(Boolean),
        cause: expect.stringMatching(/^[A-Z].*\.$/s),
        resolution: expect.stringMatching(/^[A-Z].*\.$/s),
      });
    }
  });

  test('gives no two codes the same title, which would make them one to a reader', () => {
    expect(new Set(codes.map((code) => catalogue[code]!.title)).size).toBe(codes.length);
  });

  test('keeps the codes that version 1 was published with', () => {
    const published = `
      malformed_json invalid_request unauthenticated insufficient_scope not_submitter not_found body_too_large
      nonce_too_low nonce_conflict nonce_cancelled already_settled invalid_address invalid_signature tx_hash_mismatch
      insufficient_funds nonce_too_high rate_limited too_many_pending pool_full engine_unavailable store_unavailable
      internal origin_not_allowed method_not_allowed not_acceptable request_timeout unsupported_media_type
      host_not_allowed headers_too_large shutting_down`;
    expect(codes).toEqual(expect.arrayContaining(published.trim().split(/\s+/)));
  });

  test('is used up: every code is answered by at least one operation', () => {
    const answered = new Set([...answeredBy.values()].flatMap((some) => [...some]));
    expect(codes.filter((code) => !answered.has(code))).toEqual(OUTSIDE_OPERATIONS);
  });

  test('says of every code that an operation lists that this operation answers it', () => {
    const wrong = operations.flatMap(({ id, operation }) =>
      Object.values<any>(operation.responses)
        .flatMap((response) => codesOf(resolve(response)))
        .filter((code) => answeredBy.get(id)?.has(code) !== true)
        .map((code) => `${id}: ${code}`),
    );
    expect(wrong).toEqual([]);
  });

  test('leaves no code with members of its own to default, whose schema does not have them', () => {
    const own = codes.filter((code) => schemas[`${pascalCase(code)}Problem`]?.allOf[1].required !== undefined);
    const wrong = operations.flatMap(({ id, operation }) => {
      const listed = new Set(Object.values<any>(operation.responses).flatMap((response) => codesOf(resolve(response))));
      return own
        .filter((code) => answeredBy.get(id)?.has(code) === true && !listed.has(code))
        .filter((code) => !hasCommonMembersOnly(schemas[`${pascalCase(code)}Problem`]))
        .map((code) => `${id}: ${code}`);
    });
    expect(wrong).toEqual([]);
  });

  test('names no operation and no group that the contract does not have', () => {
    const copy = structuredClone(contract);
    copy.components.schemas.ProblemCode['x-problems'].internal.operations = ['getNothing'];
    expect(() => codesByOperation(copy)).toThrow('internal is answered by getNothing');
  });

  test('knows every code that a response declares, with the status of that response', () => {
    const wrong = responses.flatMap(({ where, status, response }) =>
      codesOf(response)
        .filter((code) => catalogue[code]?.status !== status)
        .map((code) => `${where}: ${code}`),
    );
    expect(wrong).toEqual([]);
  });

  test('calls retriable what answers with Retry-After and what time alone brings, and nothing that the caller must change', () => {
    for (const [code, { status, retriable }] of Object.entries(catalogue)) {
      expect({ code, retriable }).toEqual({
        code,
        retriable:
          [408, 429, 500, 503].includes(status) ||
          ['receipt_not_ready', 'height_not_reached', 'webhook_busy'].includes(code),
      });
    }
  });
});

describe('every error response', () => {
  test('declares at least one code', () => {
    const without = responses.filter(
      ({ status, response }) => status >= 400 && !isEnvelope(response) && codesOf(response).length === 0,
    );
    expect(without.map(({ where }) => where)).toEqual([]);
  });

  test('shows an example of each of its codes, told as the catalogue tells it', () => {
    for (const { where, response } of responses.filter(
      ({ status, response }) => status >= 400 && !isEnvelope(response),
    )) {
      // Its body is one problem with the same checks whatever the code, so one example shows it.
      if (where === 'getReadiness 503') {
        continue;
      }
      const shown = Object.keys(response.content['application/problem+json'].examples);
      expect({ where, shown }).toEqual({ where, shown: codesOf(response).map((code) => `${pascalCase(code)}Problem`) });
    }
  });

  test.each([...new Set([...responses.flatMap(({ response }) => codesOf(response)), 'internal'])])(
    'tells %s as the catalogue does',
    (code) => {
      const { status, title, retriable } = catalogue[code]!;
      expect(examples[`${pascalCase(code)}Problem`].value).toMatchObject({
        type: `./docs/errors#${code}`,
        title,
        status,
        code,
        retriable,
      });
    },
  );
});
