/** The webhooks thread as the main thread sees it: one that dies, and one that does not answer. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, expect, test } from '@jest/globals';
import { startWebhooks, type WebhooksThread } from '../../server/app/threads/webhooks.ts';
import type { WebhooksThreadData } from '../../server/app/threads/webhooks.worker.ts';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

const LINK = pathToFileURL(path.join(ROOT, 'server/app/threads/link.ts')).href;

interface Line {
  atMs: number;
  message: string;
}

async function threadOf(
  code: string,
  waits: { pollMs: number; restartMs?: number; numbersMs?: number },
): Promise<{ webhooks: WebhooksThread; died: (times: number) => Promise<Line[]> }> {
  const module = path.join(await temporaryFolder(), 'thread.mjs');
  await writeFile(module, `import { parentPort } from 'node:worker_threads'; import { link } from '${LINK}'; ${code}`);
  const lines: Line[] = [];
  let told = (): void => undefined;
  const log = (_fields: object, message: string): void => {
    lines.push({ atMs: performance.now(), message });
    told();
  };
  const logger = { debug: log, info: log, warn: log, error: log };
  const webhooks = startWebhooks({
    data: {} as WebhooksThreadData,
    counts: () => ({ enabled: 1, disabled: 2 }),
    calls: { appendAudit: async () => undefined },
    logger,
    module: pathToFileURL(module),
    waits,
  });
  const died = async (times: number): Promise<Line[]> => {
    while (lines.length < times) await new Promise<void>((resolve) => (told = resolve));
    return lines;
  };
  return { webhooks, died };
}

test('a thread that dies at once is started again after waits that grow', async () => {
  const { webhooks, died } = await threadOf(`throw new Error('no such table');`, { pollMs: 5, restartMs: 100 });
  const lines = await died(3);
  await webhooks.close();
  expect(lines.map(({ message }) => message)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('the webhooks thread died')),
  );
  const [first, second, third] = lines.map(({ atMs }) => atMs) as [number, number, number];
  expect(second - first).toBeGreaterThanOrEqual(95);
  expect(third - second).toBeGreaterThanOrEqual(195);
});

test('metrics are answered while the thread cannot say its numbers, with what it said last', async () => {
  const name = `webhooks-thread-test-${process.pid}`;
  const { webhooks } = await threadOf(
    `let state = 'well';
     const channel = new BroadcastChannel('${name}');
     channel.onmessage = ({ data }) => { state = data; channel.postMessage('heard'); };
     const numbers = async () => {
       if (state === 'fails') throw new Error('the event log cannot be read');
       if (state === 'hangs') return await new Promise(() => undefined);
       return { deliveries: { delivered: 7 }, disabled: 0, inFlight: 1, lagEvents: 0, lagS: 0 };
     };
     link(parentPort, { numbers, stop: async () => { channel.close(); setImmediate(() => parentPort.close()); } });`,
    { pollMs: 5, numbersMs: 50 },
  );
  const channel = new BroadcastChannel(name);
  const become = (state: string): Promise<void> =>
    new Promise((resolve) => {
      channel.addEventListener('message', () => resolve(), { once: true });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not between windows
      channel.postMessage(state);
    });
  let seen = await webhooks.numbers();
  while (seen.inFlight === 0) seen = await webhooks.numbers();
  for (const state of ['fails', 'hangs']) {
    await become(state);
    expect(await webhooks.numbers()).toMatchObject({
      deliveries: { delivered: 7 },
      inFlight: 1,
      endpoints: { enabled: 1, disabled: 2 },
    });
  }
  channel.close();
  await webhooks.close();
});
