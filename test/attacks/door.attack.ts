/**
 * Ten addresses without a token open 1,024 connections each, more than there are places, and hold them in one of four forms: silent, with half a
 * request, idle after an answer, or with an answer that the system has and they do not read. What the service closes they open again a second later. Meanwhile each
 * payment comes on a new connection from another address, and none may be refused.
 *
 * With three HTTP threads there is a fifth form: the id of each answer tells which thread gave it, and the attackers keep the connections to two of
 * them, so that the third has nothing that it could end when a payment arrives there. And on a door of few places they ask for more than the system
 * takes for them, so that the service itself waits with the answers: on loopback it takes 2.5 MiB for each.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { addressOf, addUp, Client, flood, HONEST, latencies } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const ADDRESSES = 10;
/** As many as one address may have. */
const EACH = 1_024;
/** TXLEDGER_CONNECTIONS_MAX: fewer than the attackers want. */
const PLACES = 8_192;
const FEW_EACH = 16;
const FEW_PLACES = 128;
/** Of all places, when the attackers have as many as they can get: those of a thread that they avoid may be left. */
const HELD_SHARE_MIN = 0.6;
const FILL_MS_MAX = 30_000;
const LOOK_MS = 500;
const REOPEN_MS = 1_000;
/** Connections that are opened before the attacker lets its own event loop go around. */
const BURST = 100;
const PAYERS = 5;
const PAYMENTS = 200;

interface Form {
  sent: string;
  reads: boolean;
  /** Connections to this thread are given up, by what its request ids look like. */
  avoids?: RegExp;
}

interface Door {
  threads: number;
  places: number;
  /** Of one address. */
  each: number;
  forms: Readonly<Record<string, Form>>;
}

const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const FORMS: Readonly<Record<string, Form>> = {
  silent: { sent: '', reads: true },
  'half a request': { sent: 'POST /transactions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le', reads: true },
  'idle after an answer': { sent: LIVEZ, reads: true },
  'an unread answer': { sent: 'GET /docs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', reads: false },
};
const DOORS: readonly Door[] = [
  { threads: 1, places: PLACES, each: EACH, forms: FORMS },
  {
    threads: 3,
    places: PLACES,
    each: EACH,
    forms: {
      ...FORMS,
      'idle at two threads of three': { sent: LIVEZ, reads: true, avoids: /^x-request-id: \w+t3-/im },
    },
  },
  {
    threads: 1,
    places: FEW_PLACES,
    each: FEW_EACH,
    forms: {
      'answers that wait': { sent: 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(8), reads: false },
    },
  },
];

/** Opens them all, and again what is closed, until it is stopped. */
function holdDoor(target: Target, each: number, { sent, reads, avoids }: Form): { closed(): number; stop(): void } {
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const ending = new AbortController();
  const { signal } = ending;
  let closed = 0;
  const open = (number: number): void => {
    const localAddress = addressOf(number % ADDRESSES);
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('connect', () => socket.write(sent));
    socket.once('close', () => {
      sockets.delete(socket);
      closed += 1;
      if (signal.aborted) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        open(number);
      }, REOPEN_MS);
      timers.add(timer);
    });
    if (!reads) socket.pause();
    else if (avoids === undefined) socket.resume();
    else socket.on('data', (chunk: Buffer) => void (avoids.test(chunk.toString('latin1')) && socket.destroy()));
  };
  void (async () => {
    for (let number = 0; number < ADDRESSES * each && !signal.aborted; number += 1) {
      open(number);
      if (number % BURST === 0) await sleep(1);
    }
  })();
  return {
    closed: () => closed,
    stop: () => {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

for (const { threads, places, each, forms } of DOORS) {
  const target = await Target.start({
    command: 'start',
    checkout: checkoutOfArguments(),
    variables: {
      HTTP_THREADS: String(threads),
      TXLEDGER_CONNECTIONS_MAX: String(places),
      TXLEDGER_CONNECTIONS_PER_IP_MAX: String(each),
      LOG_LEVEL: 'error',
    },
  });
  try {
    const { accounts, chainId, token } = JSON.parse(
      readFileSync(path.join(target.dataDir, 'dev.json'), 'utf8'),
    ) as DevelopmentFile;
    // Each payment has a connection of its own.
    const payers = accounts.slice(0, PAYERS).map((sender) => ({
      sender,
      nonce: 0,
      client: new Client(target, HONEST, 1, { keepAlive: false }),
    }));
    const [looker] = payers.map(({ client }) => client);
    const connections = async (): Promise<number> => {
      const { text } = (await looker?.ask({ path: '/metrics' })) ?? { text: '' };
      return Number(/^http_connections (\d+)/m.exec(text)?.[1] ?? 0);
    };
    const pay = async (): Promise<{ statuses: Record<string, number>; taken: number[] }> => {
      const taken: number[] = [];
      const statuses = await Promise.all(
        payers.map((payer) =>
          flood(
            payer.client,
            PAYMENTS / PAYERS,
            1,
            () => ({
              method: 'POST',
              path: '/transactions',
              headers: { authorization: `Bearer ${token}` },
              body: JSON.stringify(
                signedBody(payer.sender, {
                  chainId,
                  to: accounts.at(-1)?.address ?? '',
                  amount: 1n,
                  nonce: payer.nonce++,
                }),
              ),
            }),
            { onAnswer: ({ ms }) => void taken.push(ms) },
          ),
        ),
      );
      return { statuses: addUp(statuses), taken };
    };

    const quiet = await pay();
    for (const [form, how] of Object.entries(forms)) {
      const door = holdDoor(target, each, how);
      let [before, held] = [0, 0];
      for (const endMs = performance.now() + FILL_MS_MAX; performance.now() < endMs;) {
        await sleep(LOOK_MS);
        before = held;
        held = Math.max(held, await connections());
        if (held >= places * HELD_SHARE_MIN && held === before) break;
      }
      const closedBefore = door.closed();
      const { statuses, taken } = await pay();
      const closed = door.closed() - closedBefore;
      door.stop();
      report(`door ${form}`, target, held >= places * HELD_SHARE_MIN && Object.keys(statuses).join() === '202', {
        threads,
        wanted: ADDRESSES * each,
        connections: held,
        closedMeanwhile: closed,
        payments: statuses,
        quiet: latencies(quiet.taken, 0),
        under: latencies(taken, 0),
        residentMib: Math.round(target.residentMib()),
      });
      for (const endMs = performance.now() + FILL_MS_MAX; performance.now() < endMs && (await connections()) > PAYERS;)
        await sleep(LOOK_MS);
    }
    for (const { client } of payers) client.close();
  } finally {
    await target.stop();
  }
}
process.exit();
