/** What the attacks on sockets share: a chain with long blocks, and peers that send and then do nothing. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEV_ACCOUNTS, signedTransfer } from '../ledger/support.ts';
import { call } from '../e2e/support/server.ts';
import { ADDRESSES, addressOf } from './load.ts';
import type { Target } from './target.ts';

/** Requests of one JSON-RPC batch. */
const BATCH = 10;
const BATCHES_AT_ONCE = 8;
const FILL_MS_MAX = 20_000;
/** Transfers of one account that wait are bounded by the nonces ahead: the chain takes 1,024. */
const NONCES_AHEAD = 500;

/** Sends transfers of all development accounts until there are so many, or time is up. @returns how many blocks there are. */
export async function fillBlocks(target: Target, transfers: number): Promise<number> {
  const endMs = performance.now() + FILL_MS_MAX;
  const chainId = 'txledger-dev-1';
  for (let nonce = 0; nonce * DEV_ACCOUNTS < transfers && performance.now() < endMs; nonce += NONCES_AHEAD) {
    const wanted = Array.from(
      { length: Math.min(NONCES_AHEAD, transfers / DEV_ACCOUNTS - nonce) * DEV_ACCOUNTS },
      (_, i) => ({ from: i % DEV_ACCOUNTS, nonce: nonce + Math.floor(i / DEV_ACCOUNTS) }),
    );
    const worker = async (): Promise<void> => {
      while (wanted.length > 0 && performance.now() < endMs) {
        const part = wanted.splice(0, BATCH);
        const body = part.map(({ from, nonce: at }, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'broadcast_tx_async',
          params: {
            tx: Buffer.from(
              signedTransfer({ from, to: (from + 1) % DEV_ACCOUNTS, nonce: at, amount: 1n, chainId }).raw,
            ).toString('base64'),
          },
        }));
        await post(target, '/rpc', body);
      }
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker));
    while ((await result(target, 'num_unconfirmed_txs')).n_txs !== '0' && performance.now() < endMs) await sleep(50);
  }
  return Number((await result(target, 'status')).sync_info.latest_block_height);
}

async function post(target: Target, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${target.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
}

async function result(target: Target, method: string): Promise<any> {
  const { body } = await call(`${target.baseUrl}/rpc/${method}`);
  return (body as { result: unknown }).result;
}

export interface Peer {
  socket: Socket;
  closed: boolean;
}

/** Connections from so many addresses, in turn, that send these bytes and neither read nor close. */
export async function silentPeers(
  target: Target,
  count: number,
  bytes: string,
  addresses = ADDRESSES,
): Promise<Peer[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const localAddress = addressOf(at % addresses);
      const socket = connect({ port: target.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
      const peer = { socket, closed: false };
      socket.on('error', () => undefined);
      socket.once('close', () => {
        peer.closed = true;
      });
      socket.pause();
      await once(socket, 'connect');
      socket.write(bytes);
      return peer;
    }),
  );
}

/** The most that the server takes over this time, MiB. */
export async function residentPeak(target: Target, forMs: number): Promise<number> {
  let peak = 0;
  for (const endMs = performance.now() + forMs; performance.now() < endMs; await sleep(50))
    peak = Math.max(peak, target.residentMib());
  return peak;
}

export const SEARCH =
  'GET /rpc/block_search?query=%22block.height%20%3E%201%22&per_page=100 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
