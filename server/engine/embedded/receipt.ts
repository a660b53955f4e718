/** Receipts from the blocks of chain.db. */
import { resultsTree, type DeterministicResult, type Validator } from '../encoding/index.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import type { ReceiptOutcome } from '../port.ts';
import type { Clock } from '../ports.ts';
import { makeReceipt, type ReceiptBlockParts } from '../receipt.ts';
import type { BlockReader } from './rpc/block-reader.ts';

const NO_BYTES = new Uint8Array(0);

export interface ReceiptSource {
  reader: BlockReader;
  genesis: GenesisDocument;
  clock: Clock;
  /** Height of the last block. */
  tipHeight: () => number;
}

export async function receiptFromBlocks(
  { reader, genesis, clock, tipHeight }: ReceiptSource,
  height: number,
  txHash: string,
): Promise<ReceiptOutcome> {
  if (height >= tipHeight()) return { kind: 'no_next_block' };
  const read = reader.block(height);
  const index = read.indexOf(txHash);
  const raw = read.block.transactions[index];
  if (raw === undefined) throw new Error(`block ${height} has no transaction ${txHash}`);
  const results = reader.codes(height).map(resultOf);
  // The embedded engine never changes its validators.
  const validators = genesis.validators.map(({ publicKey, power }): Validator => ({
    publicKey: Buffer.from(publicKey, 'hex'),
    power,
  }));
  const blockAt = (at: number): ReceiptBlockParts => ({
    header: reader.block(at).block.header,
    commit: reader.commit(at),
    validators,
  });
  const parts = {
    raw,
    transactionProof: read.proof(index),
    result: results[index] as DeterministicResult,
    resultProof: resultsTree(results).proof(index),
    block: blockAt(height),
    nextBlock: blockAt(height + 1),
  };
  return { kind: 'receipt', receipt: await makeReceipt(parts, clock) };
}

/** Only the code of a result is hashed, because this ledger's results have no other hashed member. */
function resultOf(code: number): DeterministicResult {
  return { code, data: NO_BYTES, gasWanted: 0n, gasUsed: 0n };
}
