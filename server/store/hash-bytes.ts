/** Hashes as a database keeps them (32 bytes) and as everything else names them (64 upper-case hex digits). */

export const bytesOfHash = (hash: string): Buffer => Buffer.from(hash, 'hex');

export const hexOfHash = (bytes: Uint8Array): string => bufferOf(bytes).toString('hex').toUpperCase();

/** The same bytes, not a copy of them. */
export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
