/**
 * Tokens of several owners are revoked while websockets of many addresses are open with them: nothing more is broadcast or received with them, 5 s
 * after at most. On the landed build it went on for as long as the websocket did.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ADDRESSES, addressOf, tokensOf } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const HELD_MS_MAX = 5_000;
const PAUSE_MS = 200;
const OWNERS = 4;

const checkout = checkoutOfArguments();
const target = await Target.start({ command: 'serve', checkout });
try {
  const url = `${target.baseUrl.replace('http', 'ws')}/rpc/websocket`;
  const tokens = await tokensOf(target, OWNERS);
  const opened = async (
    number: number,
  ): Promise<{
    socket: WebSocket;
    closed: Promise<{ code: number; atMs: number }>;
    heard: number[];
  }> => {
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${tokens[number % OWNERS]}` },
      localAddress: addressOf(number),
    });
    const heard: number[] = [];
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => void (data.includes('tendermint/event') && heard.push(performance.now())));
    await once(socket, 'open');
    const closed = once(socket, 'close').then(([code]) => ({ code: code as number, atMs: performance.now() }));
    return { socket, closed, heard };
  };
  const numbers = Array.from({ length: ADDRESSES }, (_, at) => at);
  const broadcasting = await Promise.all(numbers.map(opened));
  const listening = await Promise.all(numbers.map(opened));
  for (const { socket } of listening)
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }),
    );
  // The mempool checks invalid bytes too: its answer shows that they reached it.
  const answered: number[] = [];
  let number = 0;
  for (const { socket } of broadcasting)
    socket.on(
      'message',
      (data: Buffer) => void (data.includes('"code"') && !data.includes('"error"') && answered.push(performance.now())),
    );
  const broadcast = (): void => {
    for (const { socket } of broadcasting) {
      number += 1;
      const tx = Buffer.from(`not a transfer ${number}`).toString('base64');
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: number, method: 'broadcast_tx_sync', params: { tx } }));
    }
  };
  broadcast();
  while (answered.length < broadcasting.length) await sleep(PAUSE_MS);
  for (const token of tokens) await target.txledger('token', 'revoke', token.split('_')[1] ?? '');
  const revokedMs = performance.now();
  for (const endMs = revokedMs + HELD_MS_MAX + PAUSE_MS; performance.now() < endMs; await sleep(PAUSE_MS)) broadcast();
  const all = [...broadcasting, ...listening];
  const closed = await Promise.all(all.map((each) => Promise.race([each.closed, sleep(PAUSE_MS)])));
  const heard = listening.flatMap((each) => each.heard);
  const after = (times: readonly number[]): number => times.filter((atMs) => atMs > revokedMs + HELD_MS_MAX).length;
  const refused = closed.filter((each) => each?.code === 1008);
  const held = refused.length === all.length && after(answered) === 0 && after(heard) === 0;
  report('revoked-token', target, held, {
    broadcastsAfterMs: Math.round(Math.max(0, ...answered.map((atMs) => atMs - revokedMs))),
    eventsAfterMs: Math.round(Math.max(0, ...heard.map((atMs) => atMs - revokedMs))),
    owners: OWNERS,
    websockets: all.length,
    refused: refused.length,
    lastAfterMs: Math.round(Math.max(...closed.map((each) => (each?.atMs ?? Number.NaN) - revokedMs))),
  });
  for (const { socket } of all) socket.terminate();
} finally {
  await target.stop();
}
