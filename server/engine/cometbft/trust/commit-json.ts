/** Reads a commit from a node's JSON, whose form is not trusted (types/block.go, v0.38). */
import { parseTime, type Commit, type CommitSig } from '../../encoding/index.ts';
import { blockIdOf, demand, hex, integer } from '../blocks/header-json.ts';

/** A commit names each validator once; this is more than any set of this ledger has (VALIDATORS_MAX). */
const SIGNATURES_MAX = 1_024;
/** CometBFT counts rounds in an int32. */
const INT32_MAX = 2 ** 31 - 1;

function signatureOf(value: unknown): CommitSig {
  const {
    block_id_flag: flag,
    validator_address: address,
    timestamp,
    signature,
  } = (value ?? {}) as Record<string, unknown>;
  demand(typeof flag === 'number', 'a signature of its commit is of no kind');
  const timestampNs = typeof timestamp === 'string' ? parseTime(timestamp) : undefined;
  demand(timestampNs !== undefined, 'a signature of its commit has no time');
  demand(signature === null || typeof signature === 'string', 'a signature of its commit is no text');
  return {
    blockIdFlag: flag,
    validatorAddress: hex(address, 'validator_address'),
    timestampNs,
    signature: Buffer.from(signature ?? '', 'base64'),
  };
}

/** Throws BlockLie when it is not a commit. */
export function commitOfJson(value: unknown): Commit {
  const { height, round, block_id: blockId, signatures: given } = (value ?? {}) as Record<string, unknown>;
  // Go writes null for an empty list.
  const signatures = given ?? [];
  demand(
    typeof round === 'number' && Number.isInteger(round) && round >= 0 && round <= INT32_MAX,
    'its commit has no round',
  );
  demand(Array.isArray(signatures) && signatures.length <= SIGNATURES_MAX, 'its commit has no list of signatures');
  return {
    height: integer(height, 'the height of its commit'),
    round,
    blockId: blockIdOf(blockId, 'block_id of its commit'),
    signatures: signatures.map(signatureOf),
  };
}
