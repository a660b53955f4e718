/** docs/examples/verify_receipt.py verifies receipts as the client does, and refuses every one of which anything was changed. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Receipt, verifyReceipt } from '../../client/src/index.ts';
import { randomNumbers } from '../engine/support/random-transactions.ts';
import type { SignedChain } from '../engine/support/signed-chain.ts';
import { randomChain, receiptsOf } from '../receipts/chain.ts';
import { verifyWithPython } from '../receipts/python.ts';
import { flipByte, tamperings } from '../receipts/tamper.ts';

const SEED = 66;

let chain: SignedChain;
let receipts: Receipt[];
beforeAll(async () => {
  chain = randomChain(SEED, 30);
  receipts = await receiptsOf(chain);
});

test('it proves what the client proves', async () => {
  const { status, lines, stderr } = verifyWithPython(
    chain.genesis.bytes,
    receipts.map((receipt) => JSON.stringify(receipt)),
  );
  expect([status, stderr]).toEqual([0, '']);
  const proven = lines.map((line) => JSON.parse(line.replace(/^proven /, '')));
  const expected = await Promise.all(
    receipts.map((receipt) => verifyReceipt(receipt, { genesis: chain.genesis.bytes })),
  );
  expect(proven).toEqual(expected.map((facts) => ({ ...facts, ...('paid' in facts && { paid: undefined }) })));
});

test('it takes the hash of either header, and one receipt in a file of any layout', () => {
  const [receipt] = receipts as [Receipt];
  const { height, block, nextBlock } = receipt;
  for (const trust of [
    `${height}:${block.commit.block_id.hash}`,
    `${height + 1}:${nextBlock.commit.block_id.hash.toLowerCase()}`,
  ]) {
    expect(verifyWithPython(trust, [JSON.stringify(receipt, null, 2)])).toMatchObject({
      status: 0,
      lines: [expect.stringMatching(/^proven /)],
    });
  }
  for (const trust of [
    `${height}:${nextBlock.commit.block_id.hash}`,
    `${height + 2}:${nextBlock.commit.block_id.hash}`,
  ]) {
    expect(verifyWithPython(trust, [JSON.stringify(receipt)])).toMatchObject({
      status: 1,
      lines: ['refused: the trusted header is another one'],
    });
  }
});

test('it refuses a receipt with any member or byte changed, and ends with a sentence', () => {
  const random = randomNumbers(SEED);
  const found = receipts.find(
    ({ transactionProof, block }) =>
      Number(transactionProof.total) > 2 && block.commit.signatures.some(({ signature }) => signature === null),
  ) as Receipt;
  const changes = [
    ...tamperings(found, random),
    ...receipts.flatMap((receipt) => Array.from({ length: 10 }, () => flipByte(JSON.stringify(receipt), random))),
  ];
  const { status, lines, stderr } = verifyWithPython(
    chain.genesis.bytes,
    changes.map(({ text }) => text),
  );
  expect(lines.length).toBe(changes.length);
  expect(changes.filter((_, i) => !lines[i]?.startsWith('refused: ')).map(({ what }) => what)).toEqual([]);
  expect([status, stderr]).toEqual([1, `${changes.length} of the receipts prove nothing: do not rely on them.\n`]);
}, 120_000);
