/** The websocket to one node: receives every header that it commits, until it is closed or the connection proves to be dead. */
import { WebSocket } from 'ws';
import type { Clock, Timer } from '../../ports.ts';
import { HEADER_MESSAGE_BYTES_MAX, WEBSOCKET_OPEN_MS_MAX, WEBSOCKET_PING_MS } from '../limits.ts';
import type { Subscriber, Subscription } from './node-port.ts';
import { heightOfJson } from './node-status.ts';

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" },
});

interface HeaderMessage {
  error?: { data?: unknown };
  result?: { data?: { value?: { header?: { height?: unknown } } } };
}

function readMessage(text: string): HeaderMessage | undefined {
  try {
    return JSON.parse(text) as HeaderMessage;
  } catch {
    return undefined;
  }
}

/** The address of a node's websocket. */
export function websocketUrl(url: string): string {
  return `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/websocket`;
}

export function subscribeToHeaders(url: string, { onHeight, onEnd }: Subscriber, clock: Clock): Subscription {
  const socket = new WebSocket(websocketUrl(url), {
    maxPayload: HEADER_MESSAGE_BYTES_MAX,
    handshakeTimeout: WEBSOCKET_OPEN_MS_MAX,
  });
  let timer: Timer | undefined;
  let isAlive = true;
  let isOver = false;

  const end = (reason: string | undefined): void => {
    if (isOver) return;
    isOver = true;
    timer?.cancel();
    socket.terminate();
    if (reason !== undefined) onEnd(reason);
  };
  // A connection whose other side is gone stays open silently; the answer to a ping shows that the peer is there.
  const ping = (): void => {
    if (!isAlive) return end('the node did not answer a ping');
    isAlive = false;
    socket.ping();
    timer = clock.setTimer(ping, WEBSOCKET_PING_MS);
  };

  socket.on('open', () => {
    if (isOver) return;
    socket.send(SUBSCRIBE);
    timer = clock.setTimer(ping, WEBSOCKET_PING_MS);
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', (data: Buffer) => {
    if (isOver) return;
    const message = readMessage(data.toString());
    if (message === undefined || message.error !== undefined)
      return end(`the node refuses the subscription: ${String(message?.error?.data ?? data).slice(0, 100)}`);
    const height = heightOfJson(message.result?.data?.value?.header?.height);
    if (height !== undefined) onHeight(height);
  });
  socket.on('error', (error) => end(error.message));
  socket.on('close', () => end('the node closed it'));
  return { close: () => end(undefined) };
}
