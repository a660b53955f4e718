/** docs/SIGNING.md: its worked example is a published vector, byte for byte. */
import { expect, test } from '@jest/globals';
import { documentText } from './support/tables.ts';

const page = documentText('docs/SIGNING.md');
const blocks = [...page.matchAll(/^```(?:text|json)\n(.*?)\n```$/gms)].map(([, block = '']) => block);

test('the worked example is the vector with a reference and an end, and its rows of hex are the first bytes', () => {
  const vectors = JSON.parse(documentText('spec/vectors/signing-vectors.json')) as {
    name: string;
    seed: string;
    publicKey: string;
    signBytes: string;
    raw: string;
    txHash: string;
    request: { from: string; signature: string };
  }[];
  const vector = vectors.find(({ name }) => name === 'with a reference and an end');
  if (vector === undefined) throw new Error('the vector of the worked example is gone');
  const { seed, publicKey, signBytes, raw, txHash, request } = vector;
  for (const part of [seed, publicKey, request.from, signBytes, request.signature, raw, txHash])
    expect(blocks).toContain(part);
  expect(blocks.flatMap((block) => (block.startsWith('{"from"') ? [JSON.parse(block)] : []))).toEqual([request]);
  expect(page).toContain(`the ${signBytes.length} bytes to sign`);
  const rows = [...page.matchAll(/^[0-9a-f]{4} {2}((?:[0-9a-f]{2} ?){16}) /gm)].map(([, hex = '']) =>
    hex.replaceAll(' ', ''),
  );
  expect(rows.length).toBeGreaterThan(2);
  expect(Buffer.from(rows.join(''), 'hex').toString()).toBe(signBytes.slice(0, rows.length * 16));
});
