/**
 * What the STRICT rule refuses must not depend on node:crypto refusing it too: Node 24 happens to refuse points of small order, Python's
 * build of the same OpenSSL accepts them, and either may change. So here node:crypto says yes to everything.
 */
import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';

const crypto = await import('node:crypto');
jest.unstable_mockModule('node:crypto', () => ({ ...crypto, verify: () => true, createPublicKey: () => ({}) }));
const { verifyStrict } = await import('../../server/ledger/ed25519.ts');

interface Case {
  readonly name: string;
  readonly publicKey: string;
  readonly message: string;
  readonly signature: string;
  readonly accepted: boolean;
}
const cases = JSON.parse(readFileSync(new URL('../../spec/vectors/ed25519.json', import.meta.url), 'utf8')) as Case[];
const judge = (name: string) => {
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`no case "${name}"`);
  return verifyStrict(
    Buffer.from(found.publicKey, 'hex'),
    Buffer.from(found.message, 'hex'),
    Buffer.from(found.signature, 'hex'),
  );
};

test('with a library that accepts everything, a wrong message passes: the equation is the library’s part', () => {
  expect(judge('another message')).toBe(true);
});

test.each([
  'S raised by L: the same equation holds',
  'S = L',
  'R the identity, S = k a: the equation holds, made by the owner of the key',
  'the identity as key: one signature for every message',
  'the identity as key, with a sign bit',
  'the identity as key, encoded as p + 1',
  'the identity as key and as R, S = 0',
  '63 bytes',
  '65 bytes',
  'a key of 31 bytes',
])('%s: refused without the library’s help', (name) => {
  expect(judge(name)).toBe(false);
});
