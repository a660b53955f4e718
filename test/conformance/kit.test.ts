/** The kit's own house: what can be said of it without a server. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { ROOT } from '../../scripts/steps.ts';
import { FAULTS } from './matrix/faults.ts';
import { withoutFault } from './matrix/operation-faults.ts';
import { promisedIn } from './promised.ts';
import { SENTENCES } from './sentences.ts';
import { CATALOGUE } from './src/catalogue.ts';
import { CHECKS, chosenChecks } from './src/kit.ts';
import { junitOf } from './src/report.ts';
import { ACCOUNT_FUNDS } from './src/session.ts';

const README = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');

describe('the conformance kit', () => {
  test('names each check once, and says in a file that is there where its promise is written', () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    const files = CHECKS.flatMap(({ where }) => /^(docs|spec)\/[\w./-]+/.exec(where)?.[0] ?? []);
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test('knows the codes of the contract, with their status', () => {
    const problems = parse(readFileSync(path.join(ROOT, 'spec/problems.yaml'), 'utf8'));
    const catalogue = problems.schemas.ProblemCode['x-problems'];
    const inContract = Object.entries<{ status: number; retriable: boolean }>(catalogue).map(
      ([code, { status, retriable }]) => [code, { status, retriable }],
    );
    expect(CATALOGUE).toEqual(Object.fromEntries(inContract));
  });

  test('has a check for every sentence of the contract with never, always, once, exactly or at least, or a reason', () => {
    const contract = JSON.parse(readFileSync(path.join(ROOT, 'generated/openapi.json'), 'utf8'));
    const [listed, promised] = [SENTENCES.map(({ sentence }) => sentence), promisedIn(contract)];
    expect({
      missing: promised.filter((sentence) => !listed.includes(sentence)),
      'no longer in the contract': listed.filter((sentence) => !promised.includes(sentence)),
    }).toEqual({ missing: [], 'no longer in the contract': [] });
    expect(new Set(listed).size).toBe(listed.length);
    const ids = new Set(CHECKS.map(({ id }) => id));
    for (const each of SENTENCES) {
      if ('unseen' in each) expect(each.unseen).toMatch(/^[A-Z].*\.$/);
      else expect(each.checks.filter((id) => !ids.has(id))).toEqual([]);
    }
  });

  test('has in its README as many checks, faults and minor units as there are', () => {
    const funds = CHECKS.reduce((sum, { accounts = 0 }) => sum + accounts, 0) * ACCOUNT_FUNDS;
    for (const text of [`${CHECKS.length} checks`, `${FAULTS.length} in all`, funds.toLocaleString('en')])
      expect(README).toContain(text);
  });

  test('plants a fault for each operation, and each fault for checks that exist', () => {
    expect(withoutFault()).toEqual([]);
    for (const { expected } of FAULTS)
      expect(chosenChecks(expected.replace(/^passes:/, '').split(',')).length).toBeGreaterThan(0);
    expect(() => chosenChecks(['nothing'])).toThrow('there is no check or group nothing');
  });

  test('writes JUnit that stays XML whatever a server has answered', () => {
    const result = {
      id: 'list.filters',
      promise: 'a & b',
      where: 'here',
      outcome: 'failed' as const,
      message: '<"\u0000&',
      seconds: 0.1,
    };
    const text = junitOf({
      baseUrl: 'http://ledger',
      chainId: 'a-1',
      results: [result],
      notReturned: 0n,
      called: [],
      uncalled: [],
      seconds: 1,
    });
    expect(text).toContain('<failure message="&lt;&quot;?&amp;">a &amp; b (here)');
    expect(text).toContain('tests="1" failures="1" errors="0" skipped="0"');
  });
});
