/**
 * Receipts: the proof of one transaction to third parties, made from two blocks. The schema `Receipt` of the contract describes how it is
 * verified.
 *
 * Everything in it is covered by a hash or a signature. The rest of a commit (votes for no block, signatures that the STRICT rule refuses)
 * would be bytes that anyone could change, so the validators who made them count as absent.
 */
import { verifyStrict } from '../ledger/index.ts';
import {
  BLOCK_ID_FLAG_ABSENT,
  BLOCK_ID_FLAG_COMMIT,
  precommitSignBytes,
  sha256,
  sortValidators,
  upperHex,
  validatorAddress,
  type Commit,
  type CommitSig,
  type DeterministicResult,
  type Header,
  type MerkleProof,
  type Validator,
} from './encoding/index.ts';
import { Pacer } from './pacer.ts';
import type { Clock } from './ports.ts';
import { base64, bytesJson } from './rpc/go-json.ts';
import { commitJson, headerJson } from './rpc/signed-header-json.ts';
import { proofJson } from './rpc/tx-proof-json.ts';

export interface ReceiptBlockParts {
  header: Header;
  commit: Commit;
  /** The validators that sign this block, in any order. */
  validators: readonly Validator[];
}

export interface ReceiptParts {
  raw: Uint8Array;
  transactionProof: MerkleProof;
  result: DeterministicResult;
  resultProof: MerkleProof;
  block: ReceiptBlockParts;
  nextBlock: ReceiptBlockParts;
}

/** Go's zero time, where no one signed. */
const NO_TIME_NS = -62_135_596_800n * 1_000_000_000n;
const NO_BYTES = new Uint8Array(0);
const ABSENT: CommitSig = {
  blockIdFlag: BLOCK_ID_FLAG_ABSENT,
  validatorAddress: NO_BYTES,
  timestampNs: NO_TIME_NS,
  signature: NO_BYTES,
};

export type Receipt = Awaited<ReturnType<typeof makeReceipt>>;

export async function makeReceipt(
  { raw, transactionProof, result, resultProof, block, nextBlock }: ReceiptParts,
  clock: Clock,
) {
  const pacer = new Pacer(clock);
  return {
    chainId: block.header.chainId,
    txHash: upperHex(sha256(raw)),
    height: block.header.height,
    index: transactionProof.index,
    transaction: base64(raw),
    transactionProof: proofJson(transactionProof),
    result: {
      code: result.code,
      data: bytesJson(result.data),
      gas_wanted: String(result.gasWanted),
      gas_used: String(result.gasUsed),
    },
    resultProof: proofJson(resultProof),
    block: await receiptBlock(block, pacer),
    nextBlock: await receiptBlock(nextBlock, pacer),
  };
}

export async function receiptBlock({ header, commit, validators }: ReceiptBlockParts, pacer: Pacer) {
  const sorted = sortValidators(validators);
  const signatures: CommitSig[] = [];
  for (const [i, { publicKey }] of sorted.entries()) {
    if (pacer.due) await pacer.pause();
    const signature = commit.signatures[i] ?? ABSENT;
    signatures.push(isSound(header.chainId, commit, signature, publicKey) ? signature : ABSENT);
  }
  return {
    header: headerJson(header),
    commit: commitJson({ ...commit, signatures }),
    validators: sorted.map(validatorJson),
  };
}

function isSound(
  chainId: string,
  { height, round, blockId }: Commit,
  { blockIdFlag, timestampNs, signature }: CommitSig,
  publicKey: Uint8Array,
): boolean {
  return (
    blockIdFlag === BLOCK_ID_FLAG_COMMIT &&
    verifyStrict(publicKey, precommitSignBytes({ chainId, height, round, blockId, timestampNs }), signature)
  );
}

function validatorJson({ publicKey, power }: Validator) {
  return {
    address: upperHex(validatorAddress(publicKey)),
    pub_key: { type: 'tendermint/PubKeyEd25519' as const, value: base64(publicKey) },
    voting_power: String(power),
  };
}
