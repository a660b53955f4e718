/** A proxy that serves a service below a path and takes that path off, as nginx does with `location /ledger/ { proxy_pass http://service/; }`. */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PrefixProxy {
  readonly origin: string;
  close(): void;
}

export async function prefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith(`${prefix}/`) !== true) return void outgoing.writeHead(404).end();
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' };
    const onward = httpRequest(
      { host: hostname, port, method: incoming.method, path: incoming.url.slice(prefix.length), headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
