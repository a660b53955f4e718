/**
 * Rejects a frame with so many fields that the objects read from it take many times its bytes.
 *
 * An empty transaction has two bytes on the wire and a hundred in memory: a frame of 100 MiB would become gigabytes. Only repeated fields
 * are counted.
 */
import { FrameError } from './frames.ts';

/** More transactions than fit into a frame of the largest size, if they are transactions; read, some 100 MB. */
export const FIELDS_MAX = 500_000;
/** A frame of fewer bytes cannot have FIELDS_MAX fields. */
const FIELDS_BYTES_MIN = 2 * FIELDS_MAX;

/** Fields, by number, that hold messages with a repeated field (cometbft/proto/tendermint/abci/types.proto). */
interface Repeating {
  readonly [field: number]: Repeating;
}
const COMMIT: Repeating = { 2: {} };
const REQUEST: Repeating = {
  5: { 3: { 3: {} }, 4: {} },
  16: { 3: COMMIT, 4: {} },
  17: { 2: COMMIT, 3: {} },
  20: { 2: COMMIT, 3: {} },
};

/** Throws FrameError for too many fields. A malformed frame is left to its reader. */
export function refuseManyFields(frame: Uint8Array): void {
  if (frame.length < FIELDS_BYTES_MIN) return;
  const left = FIELDS_MAX - countFields(frame, 0, frame.length, REQUEST, FIELDS_MAX);
  if (left <= 0) throw new FrameError(`a frame of more than ${FIELDS_MAX} fields`);
}

/** Counts fields from `start` to `end`, and inside those that repeat; stops at `max`. */
function countFields(bytes: Uint8Array, start: number, end: number, repeating: Repeating, max: number): number {
  let at = start;
  /** A varint; its lower 32 bits are enough for a tag and a length. */
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < end; shift += 7) {
      const byte = bytes[at++] as number;
      if (shift < 35) value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Infinity;
  };
  let count = 0;
  while (at < end && count < max) {
    count += 1;
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      const inside = repeating[Math.floor(tag / 8)];
      const stop = Math.min(at + length, end);
      count += inside === undefined ? 0 : countFields(bytes, at, stop, inside, max - count);
      at = stop;
    } else return count;
  }
  return count;
}
