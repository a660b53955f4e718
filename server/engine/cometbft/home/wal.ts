/**
 * The consensus log (WAL) of a node that has finished a height and signed nothing after it: one entry that records this (consensus/wal.go,
 * v0.38).
 *
 * Without it the node starts all the same and logs an error, which an operator would have to interpret at the worst moment.
 */
import { crc32c } from './crc32c.ts';
import { message, messageField, varintField } from '../../encoding/proto.ts';
import { encodeTimestamp } from '../../encoding/time.ts';

const HEAD_BYTES = 8;

/** TimedWALMessage{1 time, 2 WALMessage{4 EndHeight{1 height}}} after its checksum and length, both big endian. */
export function endOfHeight(height: number, timeNs: bigint): Buffer {
  const data = message(
    messageField(1, encodeTimestamp(timeNs)),
    messageField(2, messageField(4, varintField(1, height))),
  );
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(crc32c(data), 0);
  head.writeUInt32BE(data.length, 4);
  return Buffer.concat([head, data]);
}
