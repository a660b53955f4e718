/**
 * The number of bytes written to a socket that the operating system has not taken.
 *
 * The writable side of a socket counts a chunk until all of it is taken. Only the handle has the remaining bytes of a chunk; net.Socket
 * reads them there too, before it treats a socket as idle. The field is not documented: without it, progress is counted in whole chunks.
 */
import type { Duplex } from 'node:stream';

interface Handle {
  writeQueueSize?: number;
}

export function bytesNotTaken(stream: Duplex): number {
  let handle = Reflect.get(stream, '_handle') as Handle | null | undefined;
  if (typeof handle?.writeQueueSize !== 'number') return stream.writableLength;
  let bytes = 0;
  // With TLS the handle of the connection is the parent of the TLS handle.
  for (; handle; handle = Reflect.get(handle, '_parent') as Handle | undefined) bytes += handle.writeQueueSize ?? 0;
  return bytes;
}
