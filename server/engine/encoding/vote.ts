/**
 * The bytes a validator signs for a block: a length-delimited CanonicalVote (types/canonical.go, Vote.SignBytes).
 *
 * Height and round are sfixed64 so that a hardware signer can find them at fixed offsets; a zero round is omitted.
 */
import { encodeBlockId } from './header.ts';
import { fixed64Field, lengthDelimited, message, messageField, stringField, varintField } from './proto.ts';
import { encodeTimestamp } from './time.ts';
import type { BlockId } from './types.ts';

/** SignedMsgType: a vote that commits. */
const PRECOMMIT_TYPE = 2;

export interface Precommit {
  chainId: string;
  height: number;
  round: number;
  blockId: BlockId;
  timestampNs: bigint;
}

export function precommitSignBytes(vote: Precommit): Buffer {
  return lengthDelimited(
    message(
      varintField(1, PRECOMMIT_TYPE),
      fixed64Field(2, vote.height),
      fixed64Field(3, vote.round),
      messageField(4, encodeBlockId(vote.blockId)),
      messageField(5, encodeTimestamp(vote.timestampNs)),
      stringField(6, vote.chainId),
    ),
  );
}
