/**
 * Connections of many addresses that the server has ended and whose peers never close theirs: a request that never gets complete (408 after 15 s), broken bytes, a
 * tunnel, an upgrade that is refused, an answer with `Connection: close`. None may stay.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutOfArguments, report, Target } from './target.ts';
import { silentPeers } from './never-reading.ts';

const EACH = 60;
/** The deadline of a request, the look that finds it, and the second after our FIN, with time to spare. */
const WATCH_MS = 20_000;
const KINDS = {
  'half a request': 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'no request': '',
  'broken bytes': 'nonsense\r\n\r\n',
  'a tunnel': 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',
  'an upgrade':
    'GET /rpc/websocket HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  'an answer that closes': 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
};

/** Sockets that the process holds. */
function sockets({ pid }: Target): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { LOG_LEVEL: 'error' },
});
try {
  const before = sockets(target);
  const peers = (await Promise.all(Object.values(KINDS).map((bytes) => silentPeers(target, EACH, bytes)))).flat();
  const opened = sockets(target) - before;
  for (const endMs = performance.now() + WATCH_MS; performance.now() < endMs && sockets(target) > before;)
    await sleep(100);
  const left = Math.max(0, sockets(target) - before);
  report('half-open', target, left === 0, { connections: peers.length, opened, left });
  for (const { socket } of peers) socket.destroy();
} finally {
  await target.stop();
}
