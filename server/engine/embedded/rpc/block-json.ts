/** Blocks, headers and commits in CometBFT's JSON (types/block.go, v0.38). */
import { formatTime, upperHex, type Block, type BlockId, type Commit, type Header } from '../../encoding/index.ts';
import type { StoredBlock } from '../stores.ts';
import { base64 } from '../../rpc/go-json.ts';

/** What stands where there is no block. */
export const NO_BLOCK_ID_JSON = { hash: '', parts: { total: 0, hash: '' } };

export function blockIdJson({ hash, parts }: BlockId) {
  return { hash: upperHex(hash), parts: { total: parts.total, hash: upperHex(parts.hash) } };
}

export function headerJson(header: Header) {
  return {
    version: { block: String(header.version.block), app: String(header.version.app) },
    chain_id: header.chainId,
    height: String(header.height),
    time: formatTime(header.timeNs),
    last_block_id: blockIdJson(header.lastBlockId),
    last_commit_hash: upperHex(header.lastCommitHash),
    data_hash: upperHex(header.dataHash),
    validators_hash: upperHex(header.validatorsHash),
    next_validators_hash: upperHex(header.nextValidatorsHash),
    consensus_hash: upperHex(header.consensusHash),
    app_hash: upperHex(header.appHash),
    last_results_hash: upperHex(header.lastResultsHash),
    evidence_hash: upperHex(header.evidenceHash),
    proposer_address: upperHex(header.proposerAddress),
  };
}

export function commitJson({ height, round, blockId, signatures }: Commit) {
  return {
    height: String(height),
    round,
    block_id: blockIdJson(blockId),
    signatures: signatures.map((sig) => ({
      block_id_flag: sig.blockIdFlag,
      validator_address: upperHex(sig.validatorAddress),
      timestamp: formatTime(sig.timestampNs),
      signature: base64(sig.signature),
    })),
  };
}

export function blockJson({ header, transactions, lastCommit }: Block) {
  return {
    header: headerJson(header),
    data: { txs: transactions.map(base64) },
    evidence: { evidence: [] },
    last_commit: commitJson(lastCommit),
  };
}

/** BlockMeta, as `blockchain` lists it. */
export function blockMetaJson(stored: StoredBlock, header: Header) {
  return {
    block_id: blockIdJson(stored.id),
    block_size: String(stored.bytes.length),
    header: headerJson(header),
    num_txs: String(stored.transactionCount),
  };
}
