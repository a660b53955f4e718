/**
 * Opens the port, with an error that says which one and why.
 *
 * @module
 */
import type { Server } from 'node:http';

/** Why the service cannot be reached where the configuration wants it: a sentence for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** @throws ListenError when the port is taken, not permitted, or the host has no such address. */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens there; stop it, or set PORT to another port' : error.message;
      reject(new ListenError(`Cannot listen on HOST ${host}, PORT ${port}: ${reason}.`));
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}
