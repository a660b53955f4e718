/**
 * A token is revoked while its websocket is open: nothing more is broadcast or received with it, 5 s after at most. On the
 * landed build it went on for as long as the websocket did.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { checkoutOfArguments, report, Target } from './target.ts';

const HELD_MS_MAX = 5_000;
const PAUSE_MS = 200;

const checkout = checkoutOfArguments();
const target = await Target.start({ command: 'serve', checkout });
try {
  const url = `${target.baseUrl.replace('http', 'ws')}/rpc/websocket`;
  const opened = async (): Promise<{
    socket: WebSocket;
    closed: Promise<{ code: number; atMs: number }>;
    heard: number[];
  }> => {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${target.token}` } });
    const heard: number[] = [];
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => void (data.includes('tendermint/event') && heard.push(performance.now())));
    await once(socket, 'open');
    const closed = once(socket, 'close').then(([code]) => ({ code: code as number, atMs: performance.now() }));
    return { socket, closed, heard };
  };
  const [broadcasting, listening] = [await opened(), await opened()];
  listening.socket.send(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }),
  );
  // The mempool checks invalid bytes too: its answer shows that they reached it.
  const answered: number[] = [];
  let number = 0;
  broadcasting.socket.on(
    'message',
    (data: Buffer) => void (data.includes('"code"') && !data.includes('"error"') && answered.push(performance.now())),
  );
  const broadcast = (): void => {
    number += 1;
    const tx = Buffer.from(`not a transfer ${number}`).toString('base64');
    if (broadcasting.socket.readyState === WebSocket.OPEN)
      broadcasting.socket.send(
        JSON.stringify({ jsonrpc: '2.0', id: number, method: 'broadcast_tx_sync', params: { tx } }),
      );
  };
  broadcast();
  while (answered.length === 0) await sleep(PAUSE_MS);
  await target.txledger('token', 'revoke', target.token.split('_')[1] ?? '');
  const revokedMs = performance.now();
  for (const endMs = revokedMs + HELD_MS_MAX + PAUSE_MS; performance.now() < endMs; await sleep(PAUSE_MS)) broadcast();
  const [first, second] = await Promise.all(
    [broadcasting.closed, listening.closed].map((closed) => Promise.race([closed, sleep(PAUSE_MS)])),
  );
  const after = (times: readonly number[]): number => times.filter((atMs) => atMs > revokedMs + HELD_MS_MAX).length;
  const held = first?.code === 1008 && second?.code === 1008 && after(answered) === 0 && after(listening.heard) === 0;
  report('revoked-token', target, held, {
    broadcastsAfterMs: Math.round(Math.max(0, ...answered.map((atMs) => atMs - revokedMs))),
    eventsAfterMs: Math.round(Math.max(0, ...listening.heard.map((atMs) => atMs - revokedMs))),
    broadcasting: first && { code: first.code, afterMs: Math.round(first.atMs - revokedMs) },
    listening: second && { code: second.code, afterMs: Math.round(second.atMs - revokedMs) },
  });
  broadcasting.socket.terminate();
  listening.socket.terminate();
} finally {
  await target.stop();
}
