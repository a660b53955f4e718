/**
 * Opens the port, with an error that says which one and why.
 *
 * @module
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ExplainedError } from './explained-error.ts';

/** Why the service cannot be reached where the configuration wants it: a sentence for the operator. */
export class ListenError extends ExplainedError {
  override readonly name = 'ListenError';
}

/**
 * `shared`: other sockets of this user may listen there too, and the system shares the connections out among them.
 * @throws ListenError when the port is taken, not permitted, or the host has no such address.
 */
export function listen(server: Server, host: string, port: number, { shared = false }: { shared?: boolean } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens there; stop it, or set PORT to another port' : error.message;
      reject(new ListenError(`Cannot listen on HOST ${host}, PORT ${port}: ${reason}.`));
    };
    server.once('error', onError);
    server.listen({ port, host, reusePort: shared }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

/**
 * Makes sure that no other program listens there: a socket that shares the port would not notice one that shares it as well, and half of the
 * clients would reach that program.
 * @returns the address that the host stands for, which all threads have to use alike.
 */
export async function probePort(host: string, port: number): Promise<string> {
  const probe = createServer();
  await listen(probe, host, port);
  const { address } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return address;
}
