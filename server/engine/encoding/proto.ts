/**
 * The few protobuf wire forms that CometBFT hashes and signs.
 *
 * A generated codec is not used here because what is hashed is not always what is sent: canonical votes and the
 * google.protobuf wrapper values have no generated TypeScript, and one omitted empty sub-message changes a hash.
 * The rules are proto3's as gogoproto applies them: a scalar equal to its zero value is omitted, and a non-nullable
 * sub-message is written even when it is empty.
 */

const VARINT_BITS = 7n;
const VARINT_MORE = 0x80;
const UINT64_MASK = (1n << 64n) - 1n;

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;

const EMPTY = Buffer.alloc(0);

/** Unsigned LEB128 of a 64-bit value; a negative int64 takes ten bytes, as in every protobuf implementation. */
export function uvarint(value: number | bigint): Buffer {
  if (typeof value === 'number' && value >= 0 && value < VARINT_MORE) return Buffer.of(value);
  let rest = BigInt(value) & UINT64_MASK;
  const out: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= VARINT_BITS;
    out.push(rest === 0n ? low : low | VARINT_MORE);
  } while (rest !== 0n);
  return Buffer.from(out);
}

/** A scalar of wire type 0 (int32, int64, uint32, enum); nothing when it is zero. */
export function varintField(field: number, value: number | bigint): Buffer {
  return value === 0 || value === 0n ? EMPTY : Buffer.concat([tag(field, WIRE_VARINT), uvarint(value)]);
}

/** sfixed64, little endian; nothing when it is zero. */
export function fixed64Field(field: number, value: number | bigint): Buffer {
  if (value === 0 || value === 0n) return EMPTY;
  const out = Buffer.alloc(9);
  tag(field, WIRE_FIXED64).copy(out);
  out.writeBigInt64LE(BigInt(value), 1);
  return out;
}

/** bytes; nothing when there are none. */
export function bytesField(field: number, value: Uint8Array): Buffer {
  return value.length === 0 ? EMPTY : messageField(field, value);
}

/** string in UTF-8; nothing when it is empty. */
export function stringField(field: number, value: string): Buffer {
  return bytesField(field, Buffer.from(value, 'utf8'));
}

/** A sub-message, written even when it is empty: gogoproto's non-nullable fields. */
export function messageField(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([tag(field, WIRE_BYTES), uvarint(value.length), value]);
}

export function message(...fields: readonly Uint8Array[]): Buffer {
  return Buffer.concat(fields);
}

/** A message with its length before it (protoio's delimited form), which is what validators sign. */
export function lengthDelimited(value: Uint8Array): Buffer {
  return Buffer.concat([uvarint(value.length), value]);
}

/** CometBFT's cdcEncode of an int64: google.protobuf.Int64Value. */
export function cdcInt64(value: number | bigint): Buffer {
  return varintField(1, value);
}

/** CometBFT's cdcEncode of a string: google.protobuf.StringValue. */
export function cdcString(value: string): Buffer {
  return stringField(1, value);
}

/** CometBFT's cdcEncode of bytes: google.protobuf.BytesValue. */
export function cdcBytes(value: Uint8Array): Buffer {
  return bytesField(1, value);
}

function tag(field: number, wireType: number): Buffer {
  return Buffer.of((field << 3) | wireType);
}
