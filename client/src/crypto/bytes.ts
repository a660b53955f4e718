/**
 * Bytes in a buffer of their own, as WebCrypto takes them. From TypeScript 5.7 on this is `Uint8Array<ArrayBuffer>`, before it
 * `Uint8Array`, which had no parameter then. Written this way, the package's types are correct for each compiler.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor['from']>;
