/**
 * Reads CheckTx in the one form in which a node writes it, which is most of what comes over the socket.
 *
 * Request.check_tx is field 8, and of RequestCheckTx tx is field 1 and type field 2 (cometbft/proto/tendermint/abci/types.proto, v0.38).
 * The general reader reads every other form and every other request; it makes an object of sixteen fields for each and copies the bytes.
 */
import type { RequestCheckTx } from 'cosmjs-types/tendermint/abci/types';

const TAG_CHECK_TX = 0x42;
const TAG_TX = 0x0a;
const TAG_TYPE = 0x10;
const TYPE_RECHECK = 1;
/** A type that is not 0 is its tag and one byte. */
const TYPE_BYTES = 2;
/** Lengths below 2^14 in two bytes of seven bits: a transaction of this ledger is far shorter. */
const LENGTH_TWO_BYTES_MIN = 0x80;

/**
 * Reads a CheckTx; `tx` is a view of the frame. Returns undefined when the frame is not exactly of this form: the general reader then
 * decides what it is.
 */
export function readCheckTx(frame: Uint8Array): RequestCheckTx | undefined {
  if (frame[0] !== TAG_CHECK_TX) return undefined;
  const message = lengthAt(frame, 1);
  if (message === undefined || message.end + message.length !== frame.length || frame[message.end] !== TAG_TX)
    return undefined;
  const tx = lengthAt(frame, message.end + 1);
  if (tx === undefined) return undefined;
  const end = tx.end + tx.length;
  const hasType = end + TYPE_BYTES === frame.length && frame[end] === TAG_TYPE && frame[end + 1] === TYPE_RECHECK;
  if (end !== frame.length && !hasType) return undefined;
  return { tx: frame.subarray(tx.end, end), type: hasType ? TYPE_RECHECK : 0 };
}

/** Reads a length in as few bytes as it needs, at most two, and returns where it ends. */
function lengthAt(frame: Uint8Array, at: number): { length: number; end: number } | undefined {
  const low = frame[at];
  const high = frame[at + 1];
  if (low === undefined) return undefined;
  if (low < LENGTH_TWO_BYTES_MIN) return { length: low, end: at + 1 };
  if (high === undefined || high === 0 || high >= LENGTH_TWO_BYTES_MIN) return undefined;
  return { length: (low & 0x7f) + high * LENGTH_TWO_BYTES_MIN, end: at + 2 };
}
