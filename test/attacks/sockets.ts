/**
 * Websockets of an attacker, in a thread of their own: what the attacker itself is busy with must not be counted as the
 * server's slowness.
 */
import { isMainThread, parentPort, Worker, type MessagePort } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { link } from '../../server/app/threads/link.ts';
import { addressOf } from './load.ts';

export interface AttackPlan {
  url: string;
  /** How many attackers' addresses the sockets come from, in turn. */
  addresses: number;
  sockets: number;
  /** Queries that each socket subscribes to; `#` in one is the number of the socket. */
  queries: readonly string[];
  /** Whether they read what comes. */
  reads: boolean;
}

export interface AttackCounts {
  open: number;
  subscribed: number;
  refused: number;
  /** Messages and bytes that came after the subscriptions were answered. */
  events: number;
  eventBytes: number;
  /** Subscriptions that the server ended, and sockets that it closed. */
  ended: number;
  closed: number;
}

const IN_FLIGHT_MAX = 50;

interface Attacker {
  run(plan: AttackPlan): Promise<void>;
  counts(): Promise<AttackCounts>;
}

/** Opens the sockets and subscribes. Resolves when every one has been answered. */
export async function attack(plan: AttackPlan): Promise<{ counts(): Promise<AttackCounts>; stop(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url));
  // A Worker speaks the same messages as a MessagePort but is not one.
  const attacker = link<Attacker>(worker as unknown as MessagePort);
  await attacker.run(plan);
  return { counts: () => attacker.counts(), stop: async () => void (await worker.terminate()) };
}

const counts: AttackCounts = { open: 0, subscribed: 0, refused: 0, events: 0, eventBytes: 0, ended: 0, closed: 0 };
const sockets: WebSocket[] = [];

async function run({ url, addresses, sockets: wanted, queries, reads }: AttackPlan): Promise<void> {
  const open = async (number: number): Promise<void> => {
    const options = { localAddress: addressOf(number % addresses), perMessageDeflate: false };
    const socket = new WebSocket(url, options);
    sockets.push(socket);
    let answers = 0;
    await new Promise<void>((resolve) => {
      const refuse = (): void => {
        counts.refused += 1;
        resolve();
      };
      socket.on('error', refuse);
      socket.on('open', () => {
        counts.open += 1;
        queries.forEach((query, id) =>
          socket.send(
            JSON.stringify({
              jsonrpc: '2.0',
              id,
              method: 'subscribe',
              params: { query: query.replaceAll('#', String(number)) },
            }),
          ),
        );
      });
      socket.on('close', () => (counts.closed += 1));
      socket.on('message', (data: Buffer) => {
        if (data.length < 512 && data.includes('subscription was canceled')) counts.ended += 1;
        else if (data.length < 512 && data.includes('"result":{}')) {
          counts.subscribed += 1;
          answers += 1;
          if (answers < queries.length) return;
          if (!reads) socket.pause();
          resolve();
        } else {
          counts.events += 1;
          counts.eventBytes += data.length;
        }
      });
    });
  };
  for (let at = 0; at < wanted; at += IN_FLIGHT_MAX) {
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT_MAX, wanted - at) }, (_, offset) => open(at + offset)));
  }
}

if (!isMainThread && parentPort !== null) {
  const functions: Attacker = { run, counts: async () => counts };
  link(parentPort, functions);
}
