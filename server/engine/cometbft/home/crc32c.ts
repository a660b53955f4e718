/**
 * CRC-32C (RFC 3720 section 12.1, reflected polynomial 0x82F63B78), bit by bit: for a few dozen bytes once. Node's zlib has the other
 * CRC-32.
 */
const POLYNOMIAL = 0x82f63b78;
const BITS = 8;

export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < BITS; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
