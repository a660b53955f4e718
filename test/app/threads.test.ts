import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, describe, expect, test } from '@jest/globals';
import { link } from '../../server/app/threads/link.ts';
import { spawnThread, type Thread, type ThreadControl } from '../../server/app/threads/spawn.ts';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

interface TestControl extends ThreadControl {
  sum(numbers: Uint8Array): Promise<number>;
  fail(): Promise<void>;
  crash(): Promise<void>;
  leave(): Promise<void>;
}

/** A thread of the real kind, with a few ways to die. */
const THREAD = `
  import { parentPort } from 'node:worker_threads';
  import { link } from '${pathToFileURL(path.join(ROOT, 'server/app/threads/link.ts')).href}';
  link(parentPort, {
    start: async () => ({ ok: true }),
    stop: async () => undefined,
    sum: async (numbers) => numbers.reduce((sum, number) => sum + number, 0),
    fail: async () => { throw new RangeError('a sentence'); },
    crash: async () => { setImmediate(() => { throw new Error('crashed'); }); },
    leave: async () => { setImmediate(() => process.exit(3)); },
  });
`;

interface Started {
  thread: Thread<TestControl>;
  died: Promise<void>;
  lines: { fields: object; message: string }[];
}

async function startThread(): Promise<Started> {
  const module = path.join(await temporaryFolder(), 'thread.mjs');
  await writeFile(module, THREAD);
  const lines: Started['lines'] = [];
  const log = (fields: object, message: string): void => void lines.push({ fields, message });
  const { promise: died, resolve: onDeath } = Promise.withResolvers<void>();
  const thread = spawnThread<TestControl>({
    name: 'engine',
    module: pathToFileURL(module),
    data: {},
    ports: [],
    logger: { debug: log, info: log, warn: log, error: log },
    onDeath,
  });
  return { thread, died, lines };
}

describe('a thread', () => {
  test('answers calls with data, and with errors that keep their message', async () => {
    const { thread } = await startThread();
    expect(await thread.control.start()).toEqual({ ok: true });
    expect(await thread.control.sum(new Uint8Array([1, 2, 3]))).toBe(6);
    await expect(thread.control.fail()).rejects.toThrow('a sentence');
    await thread.dismiss();
  });

  test.each([
    [
      'throws where nobody catches',
      (thread: Thread<TestControl>) => thread.control.crash(),
      { err: expect.objectContaining({ message: 'crashed' }) },
    ],
    ['ends by itself', (thread: Thread<TestControl>) => thread.control.leave(), { exitCode: 3 }],
  ])('that %s is reported once, with its name and the reason, and its death is told', async (_how, kill, reason) => {
    const { thread, died, lines } = await startThread();
    await kill(thread);
    await died;
    await thread.dismiss();
    expect(lines).toEqual([
      { fields: { deadThread: 'engine', ...reason }, message: 'the engine thread died; the process ends' },
    ]);
  });

  test('that is dismissed dies without a word', async () => {
    const { thread, lines } = await startThread();
    await thread.control.stop();
    await thread.dismiss();
    expect(lines).toEqual([]);
  });
});

describe('a link', () => {
  test('lets both sides call each other over one port, many calls at a time, each with its own answer', async () => {
    const { port1, port2 } = new MessageChannel();
    interface Doubler {
      double(n: number): Promise<number>;
    }
    const doubler: Doubler = { double: async (n) => n * 2 };
    const one = link<Doubler>(port1, doubler);
    const two = link<Doubler>(port2, { double: async (n: number) => n * -2 });
    expect(await Promise.all([one.double(1), two.double(2), one.double(3)])).toEqual([-2, 4, -6]);
    port1.close();
  });
});
