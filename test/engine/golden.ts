/** Reads the recorded answers of a stock node and turns CometBFT's JSON into our block values. */
import { readFileSync } from 'node:fs';
import { parseTime, type Block, type BlockId, type Commit, type Header } from '../../server/engine/encoding/index.ts';

/** CometBFT's JSON, walked freely: the tests below name every field they read. */
export type Json = any;

export function golden(name: string): Json {
  const text = readFileSync(new URL(`./golden/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text).body.result;
}

export function hex(text: string): Uint8Array {
  return Buffer.from(text, 'hex');
}

export function base64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

export function timeNs(text: string): bigint {
  const ns = parseTime(text);
  if (ns === undefined) throw new Error(`not a time: ${text}`);
  return ns;
}

export function blockIdOf(json: Json): BlockId {
  return { hash: hex(json.hash), parts: { total: json.parts.total, hash: hex(json.parts.hash) } };
}

export function headerOf(json: Json): Header {
  return {
    version: { block: Number(json.version.block), app: Number(json.version.app) },
    chainId: json.chain_id,
    height: Number(json.height),
    timeNs: timeNs(json.time),
    lastBlockId: blockIdOf(json.last_block_id),
    lastCommitHash: hex(json.last_commit_hash),
    dataHash: hex(json.data_hash),
    validatorsHash: hex(json.validators_hash),
    nextValidatorsHash: hex(json.next_validators_hash),
    consensusHash: hex(json.consensus_hash),
    appHash: hex(json.app_hash),
    lastResultsHash: hex(json.last_results_hash),
    evidenceHash: hex(json.evidence_hash),
    proposerAddress: hex(json.proposer_address),
  };
}

export function commitOf(json: Json): Commit {
  return {
    height: Number(json.height),
    round: json.round,
    blockId: blockIdOf(json.block_id),
    signatures: json.signatures.map((sig: Json) => ({
      blockIdFlag: sig.block_id_flag,
      validatorAddress: hex(sig.validator_address),
      timestampNs: timeNs(sig.timestamp),
      signature: base64(sig.signature),
    })),
  };
}

export function blockOf(json: Json): Block {
  return {
    header: headerOf(json.header),
    transactions: json.data.txs.map(base64),
    lastCommit: commitOf(json.last_commit),
  };
}
