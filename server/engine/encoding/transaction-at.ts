/**
 * Reads one transaction from a block's bytes, without decoding the others: a page of a search takes each of its transactions from another
 * block.
 *
 * tendermint.types.Block has its Data in field 2, and Data its transactions in field 1, one after another.
 */
const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
const BLOCK_DATA_FIELD = 2;
const DATA_TXS_FIELD = 1;

/** Iterates over the length-delimited fields of a message; everything a block holds at these two levels is one. */
class Fields {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** The next field of this number; undefined when there is none. Throws at bytes that are not a message. */
  next(field: number): { start: number; end: number } | undefined {
    while (this.#at < this.#end) {
      const tag = this.#varint();
      const wire = tag & 7;
      if (wire !== WIRE_VARINT && wire !== WIRE_BYTES)
        throw new RangeError(`wire type ${wire} has no place in a block`);
      const length = this.#varint();
      if (wire === WIRE_VARINT) continue;
      const start = this.#at;
      this.#at += length;
      if (this.#at > this.#end) throw new RangeError('a field ends after its message');
      if (tag >>> 3 === field) return { start, end: this.#at };
    }
    return undefined;
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; this.#at < this.#end; factor *= 128) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError('a number ends after its message');
  }
}

/** The transaction at `index`; undefined when the block has fewer. */
export function transactionAt(blockBytes: Uint8Array, index: number): Uint8Array | undefined {
  const data = new Fields(blockBytes, 0, blockBytes.length).next(BLOCK_DATA_FIELD);
  if (data === undefined) return undefined;
  const transactions = new Fields(blockBytes, data.start, data.end);
  let found = transactions.next(DATA_TXS_FIELD);
  for (let i = 0; i < index && found !== undefined; i++) found = transactions.next(DATA_TXS_FIELD);
  return found && blockBytes.subarray(found.start, found.end);
}
