/**
 * Bodies of 1 MiB that are announced and hardly sent, from many addresses: without a token, with one owner's token from all of them, and with tokens
 * of as many owners. First nothing of a body comes, or a part and then a byte a second: payments, reads of rows and batches go on. Then all of each
 * body comes but its last byte: payments and reads go on, and memory rises by what such bodies may have.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { ANONYMOUS, BATCH } from '../../server/http/limits/classes.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { ADDRESSES, addressOf, type Asked, Client, HONEST, tokensOf } from './load.ts';
import { residentPeak } from './never-reading.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const MIB = 1024 * 1024;
const ANNOUNCED = MIB;
const PATHS = ['/rpc', '/transactions', '/transactions/batch'];
const DRIP_MS = 1_000;
const REOPEN_MS = 1_000;
const SETTLE_MS = 1_000;
const WATCH_MS = 8_000;
const PAUSE_MS = 20;
/** Transfers of an honest batch: a body that takes room. */
const BATCH_OF = 100;
/** What long bodies may have, twice: what was let go of is not collected at once. */
const ROOM_MIB = (2 * (ANONYMOUS.unsentBytesMax + BATCH.unsentBytesMax)) / MIB;
/** A connection with a request, and the first 16 KiB of its body, for which no room is taken. */
const CONNECTION_MIB = 64 / 1024;

/** What is sent of a body at once, and whether a byte comes every second after it. */
interface Form {
  first: Buffer;
  drips: boolean;
}
type Kind = 'payment' | 'row' | 'batch';
const EXPECTED: Readonly<Record<Kind, string>> = { payment: '202', row: '200', batch: '200' };

interface Phase {
  forms: readonly Form[];
  /** Connections of each address to each path, for each of those who ask. */
  each: number;
  /** What goes on meanwhile. */
  honest: readonly Kind[];
}
const PHASES: Readonly<Record<string, Phase>> = {
  'hardly sent': {
    forms: [
      { first: Buffer.alloc(0), drips: false },
      { first: Buffer.alloc(0), drips: true },
      { first: Buffer.alloc(16 * 1024, ' '), drips: true },
    ],
    each: 3,
    honest: ['payment', 'row', 'batch'],
  },
  // Room for long bodies is what is used up here: batches are told to wait.
  'all but a byte': {
    forms: [{ first: Buffer.alloc(ANNOUNCED - 1, ' '), drips: false }],
    each: 9,
    honest: ['payment', 'row'],
  },
};

/** Sends such bodies until it is stopped; what the service closes is opened again. */
function sendSlowly(
  target: Target,
  { forms, each }: Phase,
  tokens: readonly string[],
): { answers: Record<string, number>; open(): number; stop(): void } {
  const answers: Record<string, number> = {};
  const sockets = new Set<Socket>();
  let stopped = false;
  const open = (to: string, localAddress: string, token: string | undefined, form: Form): void => {
    if (stopped) return;
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    socket.once('connect', () => {
      socket.write(
        `POST ${to} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${ANNOUNCED}\r\n\r\n`,
      );
      if (form.first.length > 0) socket.write(form.first);
    });
    const drip = form.drips ? setInterval(() => socket.write(' '), DRIP_MS) : undefined;
    socket.on('data', (chunk: Buffer) => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1];
      if (status !== undefined) answers[status] = (answers[status] ?? 0) + 1;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
      if (!stopped) setTimeout(() => open(to, localAddress, token, form), REOPEN_MS);
    });
  };
  const [ofOne, ...ofMany] = tokens;
  for (let at = 0; at < ADDRESSES; at += 1)
    for (const token of [undefined, ofOne, ofMany[at % ofMany.length]])
      for (const to of PATHS)
        for (const form of forms) for (let count = 0; count < each; count += 1) open(to, addressOf(at), token, form);
  return {
    answers,
    open: () => sockets.size,
    stop: () => {
      stopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { LOG_LEVEL: 'error' },
});
try {
  const { accounts, chainId, token } = JSON.parse(
    readFileSync(path.join(target.dataDir, 'dev.json'), 'utf8'),
  ) as DevelopmentFile;
  const [payer, batcher, receiver] = accounts;
  if (payer === undefined || batcher === undefined || receiver === undefined)
    throw new Error('the development chain has no accounts');
  const tokens = await tokensOf(target, 1 + ADDRESSES);
  const headers = { authorization: `Bearer ${token}` };
  const honest = new Client(target, HONEST, 2);
  const nonces = new Map<string, number>();
  const sign = (sender: typeof payer): object => {
    const nonce = nonces.get(sender.address) ?? 0;
    nonces.set(sender.address, nonce + 1);
    return signedBody(sender, { chainId, to: receiver.address, amount: 1n, nonce });
  };
  const ask: Readonly<Record<Kind, () => Asked>> = {
    payment: () => ({ method: 'POST', path: '/transactions', headers, body: JSON.stringify(sign(payer)) }),
    row: () => ({ path: `/accounts/${payer.address}`, headers }),
    batch: () => ({
      method: 'POST',
      path: '/transactions/batch',
      headers,
      body: JSON.stringify({ transactions: Array.from({ length: BATCH_OF }, () => sign(batcher)) }),
    }),
  };

  for (const [name, phase] of Object.entries(PHASES)) {
    // What the first ones build is not part of the attack.
    for (const kind of phase.honest) await honest.ask(ask[kind]());
    const beforeMib = target.residentMib();
    const attack = sendSlowly(target, phase, tokens);
    const peak = residentPeak(target, SETTLE_MS + WATCH_MS);
    await sleep(SETTLE_MS);
    const statuses: Record<string, Record<string, number>> = {};
    for (const endMs = performance.now() + WATCH_MS; performance.now() < endMs; await sleep(PAUSE_MS)) {
      for (const kind of phase.honest) {
        const { status } = await honest.ask(ask[kind]());
        const of = (statuses[kind] ??= {});
        of[status] = (of[status] ?? 0) + 1;
      }
    }
    const riseMib = Math.round((await peak) - beforeMib);
    const connections = attack.open();
    attack.stop();
    const riseMibMax = Math.round(ROOM_MIB + connections * CONNECTION_MIB);
    const held =
      riseMib < riseMibMax && phase.honest.every((kind) => Object.keys(statuses[kind] ?? {}).join() === EXPECTED[kind]);
    report(`slow-bodies ${name}`, target, held, {
      addresses: ADDRESSES,
      owners: tokens.length,
      connections,
      attackers: attack.answers,
      statuses,
      beforeMib: Math.round(beforeMib),
      riseMib,
      riseMibMax,
    });
    await sleep(SETTLE_MS);
  }
  honest.close();
} finally {
  await target.stop();
}
process.exit();
