/** Two gateways on one PostgreSQL: the one that delivers is killed, again and again, and the other takes over. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/steps.ts';
import { WEBHOOKS_LEASE } from '../../server/gateway/sharing/lease.ts';
import { openPostgresStore, type Store } from '../../server/store/index.ts';
import { openWebhookStore } from '../../server/store/webhooks/index.ts';
import { freePort } from '../e2e/support/server.ts';
import { endChild } from '../support/child-process.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { judge, linesOf, startReceiver, type Verdict } from './support/received.ts';
import { webhook } from './support/webhook.ts';

const BETWEEN_EVENTS_MS = 20;
const EVENTS_PER_BLOCK = 3;
/** What the delivery needs to have begun, and to have shown that it goes on. */
const QUIET_MS = 1500;
const SETTLE_MS_MAX = 30_000;
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

export async function takeoverRun(kills: number): Promise<{ verdict: Verdict; takeoversMs: number[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-webhook-takeover-'));
  const file = path.join(folder, 'received');
  const cluster = await PostgresCluster.start();
  const processes = new Map<string, ChildProcess>();
  let receiver: ChildProcess | undefined;
  let store: Store | undefined;
  try {
    const url = await cluster.database();
    store = await openPostgresStore({ url });
    const port = await freePort();
    receiver = await startReceiver({ port, file, secrets: [SECRET] });
    const webhooks = await openWebhookStore({ kind: 'postgres', url });
    await webhooks.write((tx) =>
      tx.insertWebhook(
        webhook({
          url: `http://127.0.0.1:${port}/`,
          secrets: { current: SECRET, previous: [] },
          place: { height: 0, index: 0 },
        }),
      ),
    );
    await webhooks.close();

    const log = eventLog(store);
    const appending = log.run();
    let number = 0;
    const begin = async (): Promise<void> => {
      const id = `gateway-${++number}`;
      const child = spawn(process.execPath, ['test/webhooks/deliverer.ts', id, url], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      processes.set(id, child);
    };
    await begin();
    await begin();
    const takeoversMs: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await more(file);
      await sleep(QUIET_MS);
      const [{ holder }] = (await cluster.query(
        `select holder from leases where name = '${WEBHOOKS_LEASE}'`,
        path.basename(new URL(url).pathname),
      )) as [{ holder: string }];
      await endChild(processes.get(holder), 'SIGKILL');
      processes.delete(holder);
      const killedMs = performance.now();
      await more(file);
      takeoversMs.push(Math.round(performance.now() - killedMs));
      await begin();
    }
    log.stop();
    await appending;
    for (
      const endMs = performance.now() + SETTLE_MS_MAX;
      performance.now() < endMs && new Set(linesOf(file)).size < log.ids.length;
    )
      await sleep(BETWEEN_EVENTS_MS);
    return { verdict: judge(log.ids, linesOf(file)), takeoversMs };
  } finally {
    for (const child of processes.values()) await endChild(child, 'SIGKILL');
    await endChild(receiver, 'SIGKILL');
    await store?.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when one more message has come. */
async function more(file: string): Promise<void> {
  const before = linesOf(file).length;
  for (const endMs = performance.now() + SETTLE_MS_MAX; linesOf(file).length === before; await sleep(5)) {
    if (performance.now() > endMs) throw new Error('nothing was delivered in time');
  }
}

/** What the gateway that follows the chain does: events, block by block, announced with the commit. */
function eventLog(store: Store): { ids: string[]; run(): Promise<void>; stop(): void } {
  const over = new AbortController();
  const ids: string[] = [];
  return {
    ids,
    stop: () => over.abort(),
    run: async () => {
      await store.write((tx) =>
        tx.saveAccounts([{ id: 1, address: 'sender', onChain: true, balance: 1n, nonce: 0, voids: 0n, reserved: 0n }]),
      );
      for (let height = 1; !over.signal.aborted; height += 1) {
        const rows = Array.from({ length: EVENTS_PER_BLOCK }, (_, index) => ({
          index,
          voided: {
            from: 'sender',
            nonce: height * EVENTS_PER_BLOCK + index,
            hash: height.toString(16).toUpperCase().padStart(64, '0'),
          },
        }));
        await store.write(async (tx) => {
          await tx.appendEvents({ height, blockTimeMs: height, rows }, () => 1);
          await tx.announce({ kind: 'applied', height });
        });
        ids.push(...rows.map(({ index }) => `${height}-${index}`));
        await sleep(BETWEEN_EVENTS_MS);
      }
    },
  };
}
