/** The list of accepted findings is exact, and each has a reason. The linters themselves run in CI (test/linters/run.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type AcceptedRules, differences, type Findings, updated } from '../linters/accepted.ts';
import { REPOSITORY } from './support/contract.ts';

const listed: AcceptedRules = {
  ibm: { casing: { reason: 'Members are camelCase throughout.', counts: { 'openapi.json': 2 } } },
};
const found = (rules: Record<string, number>, linter = 'ibm', document = 'openapi.json'): Findings[] => [
  { linter, document, rules },
];

describe('findings of linters', () => {
  test('are accepted where they are listed, as often as they are listed', () => {
    expect(differences(found({ casing: 2 }), listed)).toEqual([]);
  });

  test.each<[string, Findings[], string]>([
    ['one more than listed', found({ casing: 3 }), 'casing has 3 findings; 2 are listed.'],
    ['one less', found({ casing: 1 }), 'casing has 1 findings; 2 are listed.'],
    ['none any more', found({}), 'casing has 0 findings; 2 are listed.'],
    ['a rule that is not listed', found({ casing: 2, order: 1 }), 'order has 1 findings; 0 are listed.'],
    [
      'a linter that has no list',
      [...found({ casing: 2 }), ...found({ order: 1 }, 'spectral:oas')],
      'spectral:oas, openapi.json: order has 1 findings; 0 are listed.',
    ],
    [
      'a document that is not listed',
      [...found({ casing: 2 }), ...found({ casing: 1 }, 'ibm', 'openapi.client.json')],
      'ibm, openapi.client.json: casing has 1 findings; 0 are listed.',
    ],
  ])('are refused: %s', (_what, findings, complaint) => {
    expect(differences(findings, listed)).toEqual([expect.stringContaining(complaint)]);
  });

  test('are not accepted without a reason, nor for a document that is not read', () => {
    const bare = { ibm: { casing: { reason: '', counts: { 'openapi.json': 2, 'old.json': 1 } } } };
    expect(differences(found({ casing: 2 }), bare)).toEqual([
      'ibm: casing is listed without a reason.',
      'ibm: casing is listed for old.json, which was not read.',
    ]);
  });

  test('can be written again: numbers change, reasons stay, and a new rule waits for one', () => {
    const list = updated(found({ casing: 5, order: 1 }), listed);
    expect(list).toEqual({
      ibm: {
        casing: { reason: 'Members are camelCase throughout.', counts: { 'openapi.json': 5 } },
        order: { reason: '', counts: { 'openapi.json': 1 } },
      },
    });
  });

  test('none are listed for Redocly and for the rules of Spectral itself, but that the rendition for clients has one answer for all errors', () => {
    const accepted = parse(readFileSync(join(REPOSITORY, 'test', 'linters', 'accepted.yaml'), 'utf8'));
    const { ibm: _ibm, owasp: _owasp, ...others } = accepted;
    expect(others).toEqual({
      'redocly recommended-strict': {
        'operation-4xx-response': { reason: expect.any(String), counts: { 'openapi.client.json': expect.any(Number) } },
      },
    });
  });
});
