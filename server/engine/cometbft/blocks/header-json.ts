/** Reads a header and a block id from a node's JSON, whose form is not trusted (types/block.go, v0.38). */
import { parseTime, type BlockId, type Header } from '../../encoding/index.ts';
import { heightOfJson } from '../nodes/node-status.ts';

/** A node's answer that cannot be correct. */
export class BlockLie extends Error {
  override readonly name = 'BlockLie';
}

const HEX = /^(?:[0-9A-F]{2})*$/;

export function demand(holds: boolean, complaint: string): asserts holds {
  if (!holds) throw new BlockLie(complaint);
}

export function hex(value: unknown, name: string): Uint8Array {
  demand(typeof value === 'string' && HEX.test(value), `${name} is not hex`);
  return Buffer.from(value, 'hex');
}

export function integer(value: unknown, name: string): number {
  const found = heightOfJson(value ?? '0');
  demand(found !== undefined, `${name} is not an integer`);
  return found;
}

export function blockIdOf(value: unknown, name: string): BlockId {
  const { hash, parts } = (value ?? {}) as { hash?: unknown; parts?: { total?: unknown; hash?: unknown } };
  const total = parts?.total;
  demand(typeof total === 'number', `${name} has no parts`);
  return { hash: hex(hash, name), parts: { total, hash: hex(parts?.hash, name) } };
}

/** Reads a header from its JSON. Throws BlockLie when it is not one. */
export function headerOfJson(json: Record<string, unknown>): Header {
  const version = (json['version'] ?? {}) as { block?: unknown; app?: unknown };
  const [time, chainId] = [json['time'], json['chain_id']];
  const timeNs = typeof time === 'string' ? parseTime(time) : undefined;
  demand(timeNs !== undefined, 'the time of the header is none');
  demand(typeof chainId === 'string', 'the header has no chain id');
  return {
    version: { block: integer(version.block, 'version'), app: integer(version.app, 'version') },
    chainId,
    height: integer(json['height'], 'the height of the header'),
    timeNs,
    lastBlockId: blockIdOf(json['last_block_id'], 'last_block_id'),
    lastCommitHash: hex(json['last_commit_hash'], 'last_commit_hash'),
    dataHash: hex(json['data_hash'], 'data_hash'),
    validatorsHash: hex(json['validators_hash'], 'validators_hash'),
    nextValidatorsHash: hex(json['next_validators_hash'], 'next_validators_hash'),
    consensusHash: hex(json['consensus_hash'], 'consensus_hash'),
    appHash: hex(json['app_hash'], 'app_hash'),
    lastResultsHash: hex(json['last_results_hash'], 'last_results_hash'),
    evidenceHash: hex(json['evidence_hash'], 'evidence_hash'),
    proposerAddress: hex(json['proposer_address'], 'proposer_address'),
  };
}
