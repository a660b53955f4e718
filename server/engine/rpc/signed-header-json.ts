/** Headers and commits in CometBFT's JSON (types/block.go, v0.38). */
import { formatTime, upperHex, type BlockId, type Commit, type Header } from '../encoding/index.ts';
import { bytesJson } from './go-json.ts';

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
      // []byte: null when there is none.
      signature: bytesJson(sig.signature),
    })),
  };
}
