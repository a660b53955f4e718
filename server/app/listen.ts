/**
 * Opens the port; its error names the port and the reason.
 *
 * @module
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ExplainedError } from './explained-error.ts';

/** Error of a service that cannot be reached at the configured address: a sentence for the operator. */
export class ListenError extends ExplainedError {
  override readonly name = 'ListenError';
}

/** Returns the message of the system with a remedy. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return 'another program listens there; stop it, or set PORT to another port (0 takes a free one)';
  if (code === 'EACCES')
    return 'this user may not open that port, which most systems keep for root below 1024; set PORT to another one';
  if (code === 'EADDRNOTAVAIL')
    return 'this machine has no such address; set HOST to one that it has, such as 127.0.0.1';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'no address is known for this name; set HOST to an address of this machine, such as 127.0.0.1';
  if (code === 'EAFNOSUPPORT') return 'this machine does not speak that kind of address; set HOST to 127.0.0.1';
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'no more files can be opened; raise the limit of open files (ulimit -n), at least to 1024';
  return message;
}

/**
 * Opens the port. `shared`: other sockets of this user may listen there too, and the system distributes the connections.
 * @returns the port; for port 0 the system chooses it.
 * @throws ListenError when the port is taken, not permitted, or the host has no such address.
 */
export function listen(
  server: Server,
  host: string,
  port: number,
  { shared = false }: { shared?: boolean } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      reject(new ListenError(`Cannot listen on HOST ${host}, PORT ${port}: ${reasonOf(error)}.`));
    };
    server.once('error', onError);
    server.listen({ port, host, reusePort: shared }, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Makes sure that no other program listens there: a socket with a shared port gets no error if another program shares the port too, and
 * half of the clients would reach that program.
 * @returns the address of the host, which all threads have to use.
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
