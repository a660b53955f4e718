/** Receipts from blocks, commits and validators that were verified against the trusted chain. */
import type { DeterministicResult } from '../../encoding/index.ts';
import type { ReceiptOutcome } from '../../port.ts';
import type { Clock } from '../../ports.ts';
import { makeReceipt, type ReceiptBlockParts } from '../../receipt.ts';
import { RpcFailure } from '../../rpc/failure.ts';
import { BlockNotAvailable } from '../blocks/block-errors.ts';
import type { TrustedChain } from '../trust/trusted-chain.ts';
import type { ChainSearch } from './chain-search.ts';
import type { VerifiedReads } from './verified-reads.ts';

export interface ReceiptSource {
  trusted: TrustedChain;
  search: Pick<ChainSearch, 'verified'>;
  reads: Pick<VerifiedReads, 'signedHeader'>;
  clock: Clock;
}

export async function receiptFromNodes(source: ReceiptSource, height: number, txHash: string): Promise<ReceiptOutcome> {
  if (height >= source.trusted.height) return { kind: 'no_next_block' };
  try {
    return await readReceipt(source, height, txHash);
  } catch (error) {
    if (error instanceof BlockNotAvailable || error instanceof RpcFailure) return { kind: 'unavailable' };
    throw error;
  }
}

async function readReceipt(
  { trusted, search, reads, clock }: ReceiptSource,
  height: number,
  txHash: string,
): Promise<ReceiptOutcome> {
  const verified = await search.verified(height);
  const wanted = Buffer.from(txHash, 'hex');
  const index = verified.transactionHashes.findIndex((hash) => wanted.equals(hash));
  const raw = verified.transactions[index];
  if (raw === undefined) throw new Error(`block ${height} has no transaction ${txHash}`);
  const blockAt = async (at: number): Promise<ReceiptBlockParts> => {
    const members = trusted.validatorsAt(at)?.members ?? [];
    return {
      ...(await reads.signedHeader(at)),
      validators: members.map(({ publicKey, power }) => ({ publicKey, power: Number(power) })),
    };
  };
  const parts = {
    raw,
    transactionProof: verified.proof(index),
    result: verified.deterministicResults[index] as DeterministicResult,
    resultProof: verified.resultProof(index),
    block: await blockAt(height),
    nextBlock: await blockAt(height + 1),
  };
  return { kind: 'receipt', receipt: await makeReceipt(parts, clock) };
}
