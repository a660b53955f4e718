/** Header hash: the root over the header's fourteen fields, each encoded by itself (CometBFT types/block.go, Header.Hash). */
import { merkleRoot } from './merkle.ts';
import { bytesField, cdcBytes, cdcInt64, cdcString, message, messageField, varintField } from './proto.ts';
import { encodeTimestamp } from './time.ts';
import type { BlockId, Header } from './types.ts';

export function headerHash(header: Header): Uint8Array {
  return merkleRoot([
    message(varintField(1, header.version.block), varintField(2, header.version.app)),
    cdcString(header.chainId),
    cdcInt64(header.height),
    encodeTimestamp(header.timeNs),
    encodeBlockId(header.lastBlockId),
    cdcBytes(header.lastCommitHash),
    cdcBytes(header.dataHash),
    cdcBytes(header.validatorsHash),
    cdcBytes(header.nextValidatorsHash),
    cdcBytes(header.consensusHash),
    cdcBytes(header.appHash),
    cdcBytes(header.lastResultsHash),
    cdcBytes(header.evidenceHash),
    cdcBytes(header.proposerAddress),
  ]);
}

/** BlockID; its part-set header is written even when it is empty. Canonical votes use the same bytes. */
export function encodeBlockId(id: BlockId): Buffer {
  return message(
    bytesField(1, id.hash),
    messageField(2, message(varintField(1, id.parts.total), bytesField(2, id.parts.hash))),
  );
}
