/** A server of node:http, or of node:https if there is a certificate; above TLS they are the same. */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';

import { TLS_HANDSHAKE_MS_MAX } from './limits.ts';

/** A certificate (followed by its chain) and its key, in PEM form. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** TLS 1.0 and 1.1 are broken (RFC 8996). */
const OLDEST = { minVersion: 'TLSv1.2' } as const;

export function createPlainOrSecureServer(options: ServerOptions, tls: TlsPair | undefined): Server {
  if (tls === undefined) return createServer(options);
  const { cert, key } = tls;
  // Never longer than a request may take; tests shorten that.
  const handshakeTimeout = Math.min(TLS_HANDSHAKE_MS_MAX, options.requestTimeout ?? TLS_HANDSHAKE_MS_MAX);
  const server = createHttpsServer({ ...options, cert, key, ...OLDEST, handshakeTimeout });
  // By default this becomes `clientError`, whose answer would wait for a handshake that never ends, and keep the connection open.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  // It has every method and event of http.Server that is used here; the types of Node.js derive it only from tls.Server.
  return server as unknown as Server;
}

/** Uses the pair for new connections; open ones keep theirs. @param server made with a TlsPair. */
export function replaceTlsPair(server: Server, { cert, key }: TlsPair): void {
  (server as unknown as HttpsServer).setSecureContext({ cert, key, ...OLDEST });
}
