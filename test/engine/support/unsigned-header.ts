import { EMPTY_ROOT, ZERO_BLOCK_ID, type Header } from '../../../server/engine/encoding/index.ts';

/** The header of a block that is stored and read, and whose hashes nothing looks at. */
export function unsignedHeader(chainId: string, height: number): Header {
  return {
    version: { block: 11, app: 1 },
    chainId,
    height,
    timeNs: BigInt(height) * 1_000_000_000n,
    lastBlockId: ZERO_BLOCK_ID,
    lastCommitHash: EMPTY_ROOT,
    dataHash: EMPTY_ROOT,
    validatorsHash: EMPTY_ROOT,
    nextValidatorsHash: EMPTY_ROOT,
    consensusHash: EMPTY_ROOT,
    appHash: EMPTY_ROOT,
    lastResultsHash: EMPTY_ROOT,
    evidenceHash: EMPTY_ROOT,
    proposerAddress: new Uint8Array(20),
  };
}
