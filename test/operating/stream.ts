/** How long a proxy with the files of ops/proxy holds an event back, beside a service that says nothing about buffering: ours sends X-Accel-Buffering, which would hide a fault of nginx's file. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { freePort } from '../e2e/support/server.ts';
import { type CertificateFiles, signedBy } from '../support/certificates.ts';
import { Proxy } from './site.ts';

export const EVENT_DELAY_MS_MAX = 1000;
/** After its first event the stream is quiet for so long, then it ends: what was held back comes then. */
const QUIET_MS = 2500;

/** One event after the head, then nothing. */
function quietService(): Promise<Server> {
  const service = createServer((asked, answer) => {
    if (asked.url !== '/events') return void answer.end();
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.flushHeaders();
    setImmediate(() => answer.write('id: 1\ndata: {}\n\n'));
    setTimeout(() => answer.end(), QUIET_MS);
  });
  return new Promise((resolve) => service.listen(0, '127.0.0.1', () => resolve(service)));
}

/** @returns milliseconds from the request to the event. */
export async function streamThrough(
  name: 'nginx' | 'caddy',
  folder: string,
  authority: CertificateFiles,
  plant?: (text: string) => string,
): Promise<number> {
  const service = await quietService();
  const port = await freePort();
  const own = mkdtempSync(path.join(folder, `${name}-stream-`));
  const proxy = new Proxy(name, {
    folder: own,
    port,
    upstreamPort: (service.address() as AddressInfo).port,
    certificate: signedBy(authority, own, name, 'DNS:localhost'),
    ...(plant && { plant }),
  });
  try {
    await proxy.start();
    const startMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          servername: 'localhost',
          port,
          path: '/events',
          ca: readFileSync(authority.cert),
          agent: false,
          headers: { host: 'localhost', 'accept-encoding': 'gzip' },
        },
        (incoming) => {
          if (incoming.statusCode !== 200) reject(new Error(`/events was answered ${incoming.statusCode}`));
          incoming.once('data', () => {
            resolve();
            outgoing.destroy();
          });
          incoming.once('end', () => reject(new Error('the stream ended without an event')));
        },
      );
      outgoing.on('error', reject).end();
    });
    return Math.round(performance.now() - startMs);
  } finally {
    await proxy.stop();
    service.closeAllConnections();
    service.close();
  }
}

/** Faults of the files, each of which must be noticed. Caddy has no directive to lose here: it passes text/event-stream on as it comes. */
export const STREAM_PLANTS: readonly { name: 'nginx' | 'caddy'; what: string; plant: (text: string) => string }[] = [
  {
    name: 'nginx',
    what: 'buffering as usual for /events',
    plant: (text) => text.replace('    proxy_buffering off;\n', ''),
  },
  {
    name: 'nginx',
    what: 'no location of its own for /events',
    plant: (text) => text.replace('location ~ /events$ {', 'location ~ /no-events$ {'),
  },
];
