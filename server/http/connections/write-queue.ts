/**
 * How much of what was written to a socket the operating system has not taken.
 *
 * The writable side of a socket counts a chunk until all of it is taken. Only the handle knows how much of a chunk is left; net.Socket
 * reads it there too, before it calls a socket idle. The field is not documented: without it, progress is seen by whole chunks.
 */
import type { Duplex } from 'node:stream';

interface Handle {
  writeQueueSize?: number;
}

export function bytesNotTaken(stream: Duplex): number {
  let handle = Reflect.get(stream, '_handle') as Handle | null | undefined;
  if (typeof handle?.writeQueueSize !== 'number') return stream.writableLength;
  let bytes = 0;
  // The handle of the connection is below that of TLS.
  for (; handle; handle = Reflect.get(handle, '_parent') as Handle | undefined) bytes += handle.writeQueueSize ?? 0;
  return bytes;
}
