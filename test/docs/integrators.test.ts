/** docs/INTEGRATORS.md against the client package: every name that it gives is there. Its programs are run by scripts/snippets.ts. */
import { describe, expect, test } from '@jest/globals';
import * as client from '../../client/src/index.ts';
import { codes, documentText, table } from './support/tables.ts';

const PAGE = 'docs/INTEGRATORS.md';
const text = documentText(PAGE);
const tabled = table(PAGE, '| `error.name` | Do |').flatMap(([name]) => codes(name));

describe('docs/INTEGRATORS.md', () => {
  test('names only errors of the package', () => {
    const named = [...new Set(text.match(/\b[A-Z][A-Za-z]+Error\b/g))];
    expect(named.filter((name) => !(name in client))).toEqual([]);
  });

  test('says what to do with every error that is no problem of the contract, once', () => {
    const bases = new Set(['LedgerClientError', 'RequestError', 'ProblemError']);
    const own = Object.entries(client).filter(
      ([name, value]) =>
        name.endsWith('Error') &&
        !bases.has(name) &&
        !(typeof value === 'function' && value.prototype instanceof client.ProblemError),
    );
    expect(own.map(([name]) => name).filter((name) => !tabled.includes(name))).toEqual([]);
    expect(own.length).toBeGreaterThan(3);
    expect(new Set(tabled).size).toBe(tabled.length);
  });

  test('names only functions of the package in its text', () => {
    const called = [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`(\w+)\([^`]*\)`/g)].map(
      ([, name = '']) => name,
    );
    expect(called.filter((name) => !(name in client))).toEqual([]);
    expect(called).toContain('signerFromKeyPair');
  });
});
