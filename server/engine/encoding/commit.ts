/** Commit hash (last_commit_hash of the next header): the root over the commit's signatures (types/block.go, Commit.Hash). */
import { merkleRoot } from './merkle.ts';
import { bytesField, message, messageField, varintField } from './proto.ts';
import { encodeTimestamp } from './time.ts';
import type { Commit, CommitSig } from './types.ts';

export function commitHash(commit: Commit): Uint8Array {
  return merkleRoot(commit.signatures.map(encodeCommitSig));
}

function encodeCommitSig(sig: CommitSig): Buffer {
  return message(
    varintField(1, sig.blockIdFlag),
    bytesField(2, sig.validatorAddress),
    messageField(3, encodeTimestamp(sig.timestampNs)),
    bytesField(4, sig.signature),
  );
}
