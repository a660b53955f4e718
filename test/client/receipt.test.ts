/** `verifyReceipt` accepts the receipts of a chain under each kind of trust, and refuses every one of which anything was changed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidReceiptError, type Receipt, verifyReceipt } from '../../client/src/index.ts';
import { ROOT } from '../../scripts/steps.ts';
import { commitJson } from '../../server/engine/rpc/signed-header-json.ts';
import { randomNumbers } from '../engine/support/random-transactions.ts';
import { SignedChain } from '../engine/support/signed-chain.ts';
import { devAddress, signedTransfer, validatorKey } from '../ledger/support.ts';
import { randomChain, receiptAt, receiptBlockAt, receiptsOf } from '../receipts/chain.ts';
import { verifyWithPython } from '../receipts/python.ts';
import { flipByte, tamperings } from '../receipts/tamper.ts';
import { cases } from '../support/many-cases.ts';

const SEED = 15;
const TRANSFERS = 40;
/** Some two thousand verifications, on a machine that does other things too. */
const WALK_MS_MAX = 120_000;

let chain: SignedChain;
let receipts: Receipt[];
const trust = () => ({ genesis: chain.genesis.bytes });

beforeAll(async () => {
  chain = randomChain(SEED, TRANSFERS);
  receipts = await receiptsOf(chain);
});

/** The check that refuses it; undefined when it is accepted. */
async function refusal(
  receipt: Receipt,
  trusted: Parameters<typeof verifyReceipt>[1] = trust(),
): Promise<string | undefined> {
  try {
    await verifyReceipt(receipt, trusted);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidReceiptError) return error.check;
    throw error;
  }
}

test('a receipt proves what its transfer or cancel says and what became of it', async () => {
  const seen = new Set<string>();
  for (const receipt of receipts) {
    const { block, results } = chain.at(receipt.height);
    const {
      signature: _,
      txHash: cancels,
      ...fields
    } = JSON.parse(Buffer.from(block.transactions[receipt.index] as Uint8Array).toString());
    const proven = await verifyReceipt(receipt, trust());
    const code = results[receipt.index]?.code;
    expect(proven).toEqual({
      ...fields,
      ...(cancels === undefined ? { kind: 'transfer', paid: code === 0 } : { kind: 'cancel', cancels }),
      code,
      txHash: receipt.txHash,
      height: receipt.height,
      time: receipt.block.header.time,
    });
    seen.add(`${proven.kind} ${code}`).add(`reference ${'reference' in proven}, validUntil ${'validUntil' in proven}`);
  }
  // 18: the last of the first block's comes too late.
  const members = [true, false].flatMap((reference) =>
    [true, false].map((validUntil) => `reference ${reference}, validUntil ${validUntil}`),
  );
  expect([...seen].sort()).toEqual([...members, 'cancel 0', 'cancel 18', 'transfer 0', 'transfer 1'].sort());
});

test('the example of the contract is a receipt of the transfer that the contract signs as its example', async () => {
  const { components } = JSON.parse(readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8'));
  const { value } = components.examples.PaymentReceipt;
  const proven = await verifyReceipt(value, { height: value.height, headerHash: value.block.commit.block_id.hash });
  expect(proven).toMatchObject({
    kind: 'transfer',
    paid: true,
    amount: '100',
    nonce: 0,
    txHash: '2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800',
  });
});

describe('trust', () => {
  let receipt: Receipt;
  beforeAll(() => {
    receipt = receipts.at(-2) as Receipt;
  });

  test('is the genesis file as bytes, text or parsed, the validators, or the header of either block', async () => {
    const text = Buffer.from(chain.genesis.bytes).toString();
    const { height, chainId, block, nextBlock } = receipt;
    for (const trusted of [
      { genesis: chain.genesis.bytes },
      { genesis: text },
      { genesis: JSON.parse(text) },
      { chainId, validators: block.validators.toReversed() },
      { height, headerHash: block.commit.block_id.hash.toLowerCase() },
      { height: height + 1, headerHash: nextBlock.commit.block_id.hash },
    ]) {
      expect(await refusal(receipt, trusted)).toBeUndefined();
    }
  });

  test('of something else refuses it', async () => {
    const { height, chainId, block } = receipt;
    const [first] = block.validators as [Receipt['block']['validators'][number]];
    const other = SignedChain.of(10, 7, 7, 2).genesis.bytes;
    for (const trusted of [
      { genesis: other },
      { genesis: { ...JSON.parse(Buffer.from(chain.genesis.bytes).toString()), chain_id: 'txledger-other-1' } },
      { chainId: 'txledger-other-1', validators: block.validators },
      { chainId, validators: block.validators.slice(1) },
      { chainId, validators: [{ ...first, voting_power: '11' }, ...block.validators.slice(1)] },
      { height, headerHash: 'AB'.repeat(32) },
      { height: height + 1, headerHash: block.commit.block_id.hash },
      { height: height - 1, headerHash: block.header.last_block_id.hash },
      { height: height + 2, headerHash: block.commit.block_id.hash },
    ]) {
      expect(await refusal(receipt, trusted)).toBe('trust');
    }
    expect(await refusal(receipt, {} as never)).toBe('form');
  });

  test('of genesis ends with a change of validators, and that of a header does not', async () => {
    const { rotated, receipt: late } = await rotatedChain();
    expect(await refusal(late, { genesis: rotated.genesis.bytes })).toBe('trust');
    expect(
      await verifyReceipt(late, { height: late.height, headerHash: late.block.commit.block_id.hash }),
    ).toMatchObject({ paid: true, to: devAddress(4) });
    expect(await refusal(late, { chainId: late.chainId, validators: late.block.validators })).toBeUndefined();
  });
});

/** Other validators sign from block 3 on. */
async function rotatedChain(): Promise<{ rotated: SignedChain; receipt: Receipt }> {
  const rotated = SignedChain.of(10, 10, 10);
  const later = [0, 1, 5].map((i) => ({ publicKey: validatorKey(i), power: 10 }));
  for (let height = 1; height <= 2; height++) rotated.add([]);
  rotated.add([signedTransfer({ to: 4, amount: 77n }).raw], { signers: later });
  rotated.add([], { signers: later });
  rotated.signersAt = (height) => (height >= 3 ? later : rotated.genesis.validators);
  return { rotated, receipt: await receiptAt(rotated, 3, 0) };
}

test(
  'a receipt with any member changed is refused',
  async () => {
    const random = randomNumbers(SEED);
    // One of a block of several, with an absent signature, an aunt and optional members.
    const found = receipts.find(
      ({ transactionProof, block, transaction }) =>
        Number(transactionProof.total) > 2 &&
        block.commit.signatures.some(({ signature }) => signature === null) &&
        Buffer.from(transaction, 'base64').includes('validUntil'),
    );
    const all = tamperings(found as Receipt, random);
    expect(all.length).toBeGreaterThan(1_000);
    const changes = all.filter((_, at) => at % cases(4, 1) === 0);
    const accepted: string[] = [];
    const checks = new Set<string>();
    for (const { what, text } of changes) {
      const check = await refusal(JSON.parse(text));
      if (check === undefined) accepted.push(what);
      else checks.add(check);
    }
    expect(accepted).toEqual([]);
    expect([...checks].sort()).toEqual([
      'commit',
      'form',
      'header',
      'resultProof',
      'transaction',
      'transactionProof',
      'validators',
    ]);
  },
  WALK_MS_MAX,
);

describe('a forged receipt of well-signed parts is refused:', () => {
  const strangers = [20, 21, 22].map((i) => ({ publicKey: validatorKey(i), power: 10 }));
  const votes = (vote: 'nil' | 'absent', ...places: number[]) =>
    Object.fromEntries(places.map((i) => [validatorKey(i), vote]));
  let honest: SignedChain;
  let receipt: Receipt;

  beforeAll(async () => {
    honest = SignedChain.of(10, 10, 10);
    honest.add([0, 1, 2].map((nonce) => signedTransfer({ nonce, amount: BigInt(nonce + 1) }).raw));
    honest.add([]);
    receipt = await receiptAt(honest, 1, 1);
  });

  const refusedBy = async (forged: Partial<Receipt>) =>
    await refusal({ ...receipt, ...forged }, { genesis: honest.genesis.bytes });

  test('unchanged it is good', async () => {
    expect(await refusedBy({})).toBeUndefined();
  });

  test('a next block of another history', async () => {
    const other = SignedChain.of(10, 10, 10);
    other.add([]);
    other.add([]);
    expect(await refusedBy({ nextBlock: await receiptBlockAt(other, 2) })).toBe('link');
  });

  test('a next block that others signed', async () => {
    const other = SignedChain.of(10, 10, 10);
    other.add(honest.at(1).block.transactions);
    other.add([], { signers: strangers });
    other.signersAt = (height) => (height === 2 ? strangers : other.genesis.validators);
    expect(await refusedBy({ nextBlock: await receiptBlockAt(other, 2) })).toBe('link');
  });

  test('a block that others signed', async () => {
    const other = SignedChain.of(10, 10, 10);
    for (let height = 1; height <= 2; height++) other.add(honest.at(height).block.transactions, { signers: strangers });
    other.signersAt = () => strangers;
    expect(await refusal(await receiptAt(other, 1, 1), { genesis: honest.genesis.bytes })).toBe('trust');
  });

  test('the result of another transaction', async () => {
    const { result, resultProof } = await receiptAt(honest, 1, 2);
    expect(await refusedBy({ result, resultProof })).toBe('resultProof');
  });

  test('a path that would fit a block of another size too', async () => {
    const first = await receiptAt(honest, 1, 0);
    for (const name of ['transactionProof', 'resultProof'] as const) {
      const forged = { ...first, [name]: { ...first[name], total: '4' } };
      expect(await refusal(forged, { genesis: honest.genesis.bytes })).toBe('resultProof');
      expect(verifyWithPython(honest.genesis.bytes, [JSON.stringify(forged)]).lines).toEqual([
        expect.stringContaining('blocks of different sizes'),
      ]);
    }
  });

  test('a transaction that its account never signed, though validators took it', async () => {
    const lying = SignedChain.of(10, 10, 10);
    const raw = Buffer.from(signedTransfer({ amount: 5n }).raw).toString();
    lying.add([Buffer.from(raw.replace('"amount":"5"', '"amount":"6"'))]);
    lying.add([]);
    expect(await refusal(await receiptAt(lying, 1, 0), { genesis: lying.genesis.bytes })).toBe('signature');
  });

  test('the bytes of something else than a transfer or a cancel', async () => {
    const odd = SignedChain.of(10, 10, 10);
    const raw = Buffer.from(signedTransfer({}).raw).toString();
    odd.add([
      Buffer.from(raw.replace('"nonce":0', '"nonce":0,"note":"x"')),
      Buffer.from(raw.replace(',', ', ')),
      signedTransfer({ chainId: 'txledger-other-1' }).raw,
    ]);
    odd.add([]);
    for (const index of [0, 1, 2])
      expect(await refusal(await receiptAt(odd, 1, index), { genesis: odd.genesis.bytes })).toBe('transaction');
  });

  test.each([
    ['exactly two thirds', votes('absent', 2), 'commit'],
    ['exactly two thirds, the rest for no block', votes('nil', 2), 'commit'],
    ['all', {}, undefined],
  ])('signed by %s', async (_, missing, expected) => {
    const few = SignedChain.of(10, 10, 10);
    few.add([signedTransfer({}).raw], { votes: missing });
    few.add([]);
    expect(await refusal(await receiptAt(few, 1, 0), { genesis: few.genesis.bytes })).toBe(expected);
  });

  test('a vote for no block given as one for the block', async () => {
    const chainOfFour = SignedChain.of(10, 10, 10, 1);
    chainOfFour.add([signedTransfer({}).raw], { votes: votes('nil', 3) });
    chainOfFour.add([]);
    const good = await receiptAt(chainOfFour, 1, 0);
    expect(await refusal(good, { genesis: chainOfFour.genesis.bytes })).toBeUndefined();
    const { signatures } = commitJson(chainOfFour.at(1).commit);
    const withNil = (flag: 2 | 3) =>
      ({
        ...good,
        block: {
          ...good.block,
          commit: {
            ...good.block.commit,
            signatures: signatures.map((one) => ({ ...one, block_id_flag: one.block_id_flag === 3 ? flag : 2 })),
          },
        },
      }) as Receipt;
    for (const flag of [2, 3] as const)
      expect(await refusal(withNil(flag), { genesis: chainOfFour.genesis.bytes })).toBe('commit');
  });
});

test(
  'a receipt with any byte changed is refused',
  async () => {
    const random = randomNumbers(SEED + 1);
    for (const receipt of receipts) {
      const text = JSON.stringify(receipt);
      for (let i = 0; i < 10; i++) {
        const { what, text: flipped } = flipByte(text, random);
        expect([what, await refusal(JSON.parse(flipped))]).toEqual([what, expect.any(String)]);
      }
    }
  },
  WALK_MS_MAX,
);
