/**
 * Cuts a stream of bytes into frames: each message has its length before it, as an unsigned varint (protoio's delimited form).
 *
 * A frame is assembled only when all of it has arrived, so that a large length alone costs no memory.
 */

/** InitChain carries the genesis and ProcessProposal a block; CometBFT bounds both by 100 MiB. */
export const FRAME_BYTES_MAX = 100 * 1024 * 1024;
/** A length below 2^35 in five bytes of seven bits. */
const LENGTH_BYTES_MAX = 5;

/** The bytes are not a stream of frames: the connection ends here. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export class FrameReader {
  /** Bytes received and not taken yet. */
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Position in the first chunk at which reading continues. */
  #offset = 0;
  /** Length of the frame whose length was read. */
  #expected: number | undefined;

  /** Number of bytes received and not taken yet. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Returns the next frame if it is complete. Throws FrameError for a length that no frame has. */
  next(): Uint8Array | undefined {
    this.#expected ??= this.#readLength();
    if (this.#expected === undefined || this.#bytes < this.#expected) return undefined;
    const frame = this.#take(this.#expected);
    this.#expected = undefined;
    return frame;
  }

  /** True when `next` has a frame to return. */
  get ready(): boolean {
    this.#expected ??= this.#readLength();
    return this.#expected !== undefined && this.#bytes >= this.#expected;
  }

  /** True while part of a frame has arrived and the rest has not. */
  get withinFrame(): boolean {
    return !this.ready && (this.#bytes > 0 || this.#expected !== undefined);
  }

  #readLength(): number | undefined {
    let length = 0;
    for (let i = 0; i < LENGTH_BYTES_MAX; i++) {
      const byte = this.#peek(i);
      if (byte === undefined) return undefined;
      length += (byte & 0x7f) * 2 ** (7 * i);
      if (byte >= 0x80) continue;
      if (length > FRAME_BYTES_MAX)
        throw new FrameError(`a frame of ${length} bytes, at most ${FRAME_BYTES_MAX} are read`);
      this.#take(i + 1);
      return length;
    }
    throw new FrameError(`a length of more than ${LENGTH_BYTES_MAX} bytes`);
  }

  #peek(index: number): number | undefined {
    let at = index + this.#offset;
    for (const chunk of this.#chunks) {
      if (at < chunk.length) return chunk[at];
      at -= chunk.length;
    }
    return undefined;
  }

  /** Takes `count` bytes. The caller has checked that so many are there. */
  #take(count: number): Uint8Array {
    this.#bytes -= count;
    const [first] = this.#chunks;
    if (first && first.length - this.#offset >= count) {
      const taken = first.subarray(this.#offset, this.#offset + count);
      this.#advance(count);
      return taken;
    }
    const parts: Uint8Array[] = [];
    for (let rest = count; rest > 0;) {
      const chunk = this.#chunks[0] as Uint8Array;
      const part = chunk.subarray(this.#offset, this.#offset + rest);
      parts.push(part);
      rest -= part.length;
      this.#advance(part.length);
    }
    return Buffer.concat(parts);
  }

  #advance(count: number): void {
    this.#offset += count;
    if (this.#offset < (this.#chunks[0]?.length ?? 0)) return;
    this.#chunks.shift();
    this.#offset = 0;
  }
}
