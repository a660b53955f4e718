/** Every text of the published contract: in sentences, in one form, and in words that a reader of HTTP and CometBFT knows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { contract } from './support/contract.ts';

interface Text {
  where: string;
  text: string;
}

/** Members that people read. `detail` and `message` are words of problems in examples; other values are data. */
const READ = new Set(['description', 'summary', 'title', 'detail', 'message', 'cause', 'resolution']);
/** Under these the keys are names that somebody chose. */
const NAMED = new Set([
  'properties',
  'parameters',
  'responses',
  'schemas',
  'headers',
  'examples',
  'requestBodies',
  'x-problems',
  'x-scopes',
]);

function* texts(node: unknown, where: string, named: boolean): Generator<Text> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    const at = `${where}/${key}`;
    if (typeof value === 'string') {
      if (!named && READ.has(key)) yield { where: at, text: value };
    } else yield* texts(value, at, !named && NAMED.has(key));
  }
}

const all = [...texts(contract, '', false)];
/** What a stock node says is quoted as it says it. */
const ours = all.filter(({ where }) => !/\/examples\/Rpc/.test(where));

/** Words that a reader would have to learn from us, or that are no English of today. */
const FORBIDDEN =
  /\b(anew|whoever|whom?ever|nobody|stands|told|doors?|for ever|is none|cure|he|him|his|used up|one way that)\b|\b\d+ more\b/i;
/** An allowance that is spent is used up; a nonce is used or void. */
const ALLOWED = /quota[^.]*is used up/i;

describe('the texts of the contract', () => {
  test('are found', () => {
    expect(all.length).toBeGreaterThan(1_000);
    for (const place of [
      '/info/description',
      '/components/examples/NonceConflictProblem/value/detail',
      '/components/schemas/ProblemCode/x-problems/internal/resolution',
    ]) {
      expect(all.map(({ where }) => where)).toContain(place);
    }
  });

  test('have none of the words that are left out', () => {
    expect(ours.filter(({ text }) => FORBIDDEN.test(text.replace(ALLOWED, '')))).toEqual([]);
  });

  test('nor has the changelog', () => {
    const lines = readFileSync(path.join(ROOT, 'spec/CHANGELOG.md'), 'utf8').split('\n');
    // In code spans stand names, also those of before.
    expect(lines.filter((line) => FORBIDDEN.test(line.replaceAll(/`[^`]*`/g, '')))).toEqual([]);
  });

  test('name the void of a nonce and the cancel of a transfer, never a cancelled nonce', () => {
    expect(
      ours.filter(({ text }) => /nonces? (was|is|were|are|be|been) cancelled|cancelled nonce/i.test(text)),
    ).toEqual([]);
  });

  test('call the id of a transaction txHash', () => {
    expect(JSON.stringify(contract)).not.toMatch(/transaction_?id\b/i);
  });

  test('are sentences: each description, and each cause and resolution, begins with a capital or a name and ends with a full stop', () => {
    // What an owner calls a webhook is data.
    const sentences = ours.filter(
      ({ where }) => /\/(description|cause|resolution)$/.test(where) && !/\/value\/(.*\/)?description$/.test(where),
    );
    expect(sentences.filter(({ text }) => !/^[A-Z0-9`*"].*([.:]|```)$/s.test(text.trim()))).toEqual([]);
  });

  test('of titles begin with a capital and have no full stop', () => {
    const titles = ours.filter(({ where }) => where.endsWith('/title'));
    expect(titles.filter(({ text }) => !/^[A-Z].*[^.]$/s.test(text))).toEqual([]);
  });

  test('of problems in examples are sentences, as the service makes them', () => {
    const details = ours.filter(({ where }) => /Problem\/value\/(detail|errors\/\d+\/message)$/.test(where));
    expect(details.length).toBeGreaterThan(30);
    expect(details.filter(({ text }) => !/^[A-Z].*\.$/s.test(text))).toEqual([]);
  });
});

describe('the first sentence of an operation', () => {
  const first = (description: string): string => description.slice(0, description.indexOf('. ') + 1);

  test('of submitTransaction says what 202, 201 and 200 mean', () => {
    const sentence = first(contract.paths['/transactions'].post.description);
    expect(sentence).toBe(
      'Answers 202 when the transfer is accepted but not committed (after `Prefer: wait=N` read `status`: it may also have failed, been cancelled or expired), 201 only when a block committed it within that wait, and 200 when the same transfer was known already, whatever its status.',
    );
  });

  test('of cancelTransaction says what 200 and 202 mean', () => {
    const sentence = first(contract.paths['/transactions/{txHash}'].delete.description);
    expect(sentence).toMatch(
      /^Answers 200 when the transfer is cancelled .* and 202 when the cancel is recorded but no block has decided within the wait/,
    );
  });
});
