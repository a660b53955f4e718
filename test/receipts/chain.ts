/** Chains of several validators with random transfers, and the receipts of their transactions: the same ones for the same seed. */
import {
  resultsTree,
  sha256,
  merkleProof,
  type Commit,
  type DeterministicResult,
  type Validator,
} from '../../server/engine/encoding/index.ts';
import { Pacer } from '../../server/engine/pacer.ts';
import { makeReceipt, receiptBlock, type ReceiptBlockParts } from '../../server/engine/receipt.ts';
import type { Receipt } from '../../client/src/index.ts';
import { RandomTransactions, randomNumbers } from '../engine/support/random-transactions.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { SignedChain, type Vote } from '../engine/support/signed-chain.ts';
import { DEV_BALANCE, signedCancel, signedTransfer, validatorKey } from '../ledger/support.ts';

const POWERS = [10, 7, 7, 1];
const TRANSACTIONS_PER_BLOCK_MAX = 24;

/** A block of the chain with its receipts' parts. */
function partsAt(chain: SignedChain, height: number): ReceiptBlockParts {
  const validators = chain
    .signersAt(height)
    .map(({ publicKey, power }): Validator => ({ publicKey: Buffer.from(publicKey, 'hex'), power }));
  const { block, commit } = chain.at(height);
  return { header: block.header, commit, validators };
}

export async function receiptAt(
  chain: SignedChain,
  height: number,
  index: number,
  commit: Commit = chain.at(height).commit,
): Promise<Receipt> {
  const { block, results } = chain.at(height);
  const hashed = results.map(({ code }): DeterministicResult => ({
    code,
    data: new Uint8Array(0),
    gasWanted: 0n,
    gasUsed: 0n,
  }));
  const receipt = await makeReceipt(
    {
      raw: block.transactions[index] as Uint8Array,
      transactionProof: merkleProof(block.transactions.map(sha256), index),
      result: hashed[index] as DeterministicResult,
      resultProof: resultsTree(hashed).proof(index),
      block: { ...partsAt(chain, height), commit },
      nextBlock: partsAt(chain, height + 1),
    },
    realClock,
  );
  return receipt as Receipt;
}

export async function receiptBlockAt(chain: SignedChain, height: number): Promise<Receipt['block']> {
  return (await receiptBlock(partsAt(chain, height), new Pacer(realClock))) as Receipt['block'];
}

/** Transfers with and without their optional members, one that fails, and cancels, in blocks that not everyone signed. */
export function randomChain(seed: number, transfers: number): SignedChain {
  const below = randomNumbers(seed);
  const chain = SignedChain.of(...POWERS);
  const random = new RandomTransactions(seed);
  chain.add([]);
  chain.add(random.brokenPromise());
  const nonces = new Map<number, number>([
    [2, 1],
    [3, 1],
  ]);
  for (let made = 0; made < transfers;) {
    const transactions: Uint8Array[] = [];
    const count = 1 + below(TRANSACTIONS_PER_BLOCK_MAX);
    for (; transactions.length < count && made < transfers; made++) {
      const from = below(10);
      const nonce = nonces.get(from) ?? 0;
      nonces.set(from, nonce + 1);
      const members = {
        ...(below(2) === 0 && { reference: `INV-${made} (order ${below(1000)})` }),
        ...(below(3) === 0 && { validUntil: 4_000_000_000 + made }),
      };
      const tooMuch = below(25) === 0 ? DEV_BALANCE * 20n : 0n;
      transactions.push(
        signedTransfer({ from, to: below(10), nonce, amount: tooMuch + BigInt(1 + below(10 ** 6)), ...members }).raw,
      );
    }
    const lazy: Vote = below(2) === 0 ? 'absent' : 'nil';
    chain.add(transactions, { round: below(3), votes: below(2) === 0 ? { [validatorKey(3)]: lazy } : {} });
  }
  const last = [...nonces][0] ?? [0, 0];
  chain.add([signedCancel({ from: last[0], nonce: last[1], txHash: 'AB'.repeat(32) }).raw]);
  chain.add([]);
  return chain;
}

/** Of every transaction of the chain whose next block exists. */
export async function receiptsOf(chain: SignedChain): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let height = 1; height < chain.height; height++) {
    for (const index of chain.at(height).block.transactions.keys())
      receipts.push(await receiptAt(chain, height, index));
  }
  return receipts;
}
