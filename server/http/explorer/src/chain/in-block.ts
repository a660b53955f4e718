/** One transaction of a block, with its Merkle proof: the RPC returns it to anyone. */
import { rpc } from '../api.ts';
import { asProblem } from '../problem.ts';
import { type ChainTransaction, decode } from './blocks.ts';
import type { Proof } from './merkle-path.ts';

export interface InBlock {
  readonly transaction: ChainTransaction;
  readonly height: number;
  readonly code: number;
  readonly proof: Proof;
}

interface TxAnswer {
  readonly height: string;
  readonly tx_result: { readonly code: number };
  readonly tx: string;
  readonly proof: { readonly proof: Proof };
}

/** Undefined if the transaction is in no block. */
export async function transactionInBlock(hash: string, signal: AbortSignal): Promise<InBlock | undefined> {
  try {
    const {
      height,
      tx,
      tx_result: result,
      proof,
    } = await rpc<TxAnswer>('tx', { hash: `0x${hash}`, prove: true }, signal);
    return { transaction: await decode(tx), height: Number(height), code: result.code, proof: proof.proof };
  } catch (error) {
    if (asProblem(error).status === 404) return undefined;
    throw error;
  }
}
