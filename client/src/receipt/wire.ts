/**
 * The protobuf forms that CometBFT hashes and signs. A zero number and empty bytes are left out; some empty sub-messages are not.
 */
import type { Bytes } from '../crypto/bytes.ts';

export function join(...parts: readonly Uint8Array[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A varint of 64 bits; a negative number takes ten bytes. */
function varint(value: bigint): Bytes {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); bytes.length === 0 || rest > 0n; rest >>= 7n)
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
  return Uint8Array.from(bytes);
}

export function numberField(field: number, value: number | bigint): Bytes {
  return value ? join(Uint8Array.of(field << 3), varint(BigInt(value))) : join();
}

/** 8 bytes, little endian. */
export function fixedField(field: number, value: number | bigint): Bytes {
  if (!value) return join();
  const bytes = new Uint8Array(9);
  bytes[0] = (field << 3) | 1;
  new DataView(bytes.buffer).setBigInt64(1, BigInt(value), true);
  return bytes;
}

export function messageField(field: number, value: Uint8Array): Bytes {
  return join(Uint8Array.of((field << 3) | 2), delimited(value));
}

export function bytesField(field: number, value: Uint8Array): Bytes {
  return value.length > 0 ? messageField(field, value) : join();
}

/** With its length before it. */
export function delimited(value: Uint8Array): Bytes {
  return join(varint(BigInt(value.length)), value);
}
