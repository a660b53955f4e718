/**
 * Reads the timestamp from precommit sign bytes.
 *
 * Needed once, after a crash between signing and storing the commit: the signature on disk is for the time that was signed, not for now.
 * Only the timestamp is read; the caller encodes the vote again with it and compares every byte, so a lenient reader can do no harm.
 */
import { BinaryReader } from 'cosmjs-types/binary';
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import { joinNs } from './time.ts';

const TIMESTAMP_FIELD = 5;

/** Nanoseconds since the Unix epoch; undefined when the bytes hold no timestamp. */
export function readPrecommitTimeNs(signBytes: Uint8Array): bigint | undefined {
  try {
    const reader = new BinaryReader(signBytes);
    const end = reader.uint32() + reader.pos;
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag >>> 3 !== TIMESTAMP_FIELD) reader.skipType(tag & 7);
      else {
        const { seconds, nanos } = Timestamp.decode(reader, reader.uint32());
        return joinNs(seconds, nanos);
      }
    }
    return undefined;
  } catch {
    return undefined;
  }
}
