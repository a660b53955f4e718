/**
 * Memory that websockets hold: one of each of sixteen addresses that sends 8 messages of 1 MiB at once, and a hundred from twenty addresses that
 * subscribe to whole blocks and never read.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ADDRESSES, addressOf } from './load.ts';
import { attack } from './sockets.ts';
import { signPayments } from './payments.ts';
import { checkoutOfArguments, probe, report, Target } from './target.ts';

const MESSAGES = 8;
const MESSAGE_BYTES = 1024 * 1024 - 1024;
const SENDERS = ADDRESSES;
const SAMPLE_MS = 20;
const LARGE_MIB_MAX = 100;
const BACKLOG_MIB_MAX = 200;
const READERS = 100;
const READING_ADDRESSES = 20;
const PER_ACCOUNT = 150;

/** Samples resident memory until it is stopped. @returns the highest, MiB. */
function watchMemory(target: Target): { stop(): number } {
  let highest = 0;
  const timer = setInterval(() => (highest = Math.max(highest, target.residentMib())), SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.max(highest, target.residentMib());
    },
  };
}

const checkout = checkoutOfArguments();
const target = await Target.start({
  command: 'start',
  checkout,
  variables: { BLOCK_INTERVAL_MS: '100', NODE_DISABLE_COMPILE_CACHE: '1' },
});
try {
  const url = `${target.baseUrl.replace('http', 'ws')}/rpc/websocket`;
  const livez = probe(`${target.baseUrl}/livez`);
  const quietMib = target.residentMib();

  // A call that waits for its block holds up those behind it.
  const memory = watchMemory(target);
  const senders: WebSocket[] = [];
  for (let number = 0; number < SENDERS; number++) {
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${target.token}` },
      localAddress: addressOf(number),
    });
    socket.on('error', () => undefined);
    senders.push(socket);
    await once(socket, 'open');
    socket.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tx_search',
        params: { query: "transfer.sender CONTAINS 'x'", per_page: '100' },
      }),
    );
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'broadcast_tx_commit',
      params: { tx: 'A'.repeat(MESSAGE_BYTES) },
    });
    for (let count = 0; count < MESSAGES; count++) socket.send(message, () => undefined);
  }
  await sleep(3000);
  const largeMib = memory.stop() - quietMib;
  for (const socket of senders) socket.terminate();

  const queries = [
    "tm.event='NewBlock'",
    "tm.event='Tx'",
    "tm.event = 'NewBlock'",
    "tm.event = 'Tx'",
    "tm.event ='Tx'",
  ];
  const attacker = await attack({ url, addresses: READING_ADDRESSES, sockets: READERS, queries, reads: false });
  const beforeMib = target.residentMib();
  const backlog = watchMemory(target);
  const payments = await signPayments(target, PER_ACCOUNT);
  const executed = await payments.pay(10_000);
  await sleep(2000);
  const backlogMib = backlog.stop() - beforeMib;
  const counts = await attacker.counts();
  await attacker.stop();

  const latencies = await livez.stop();
  const held =
    largeMib < LARGE_MIB_MAX && backlogMib < BACKLOG_MIB_MAX && executed === payments.count && latencies.failed === 0;
  report('websocket-backlog', target, held, {
    largeMib: Math.round(largeMib),
    backlogMib: Math.round(backlogMib),
    executed,
    livez: latencies,
    ...counts,
  });
} finally {
  await target.stop();
}
