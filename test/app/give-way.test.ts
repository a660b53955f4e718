/** A thread that gives way has a lower priority than the others, and they keep theirs. Where that is refused it goes on. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';

const MODULE = path.join(import.meta.dirname, '../../server/app/threads/give-way.ts');
/** Where `nice` stands in proc(5) stat, counted from behind the name of the thread. */
const NICE_FIELD = 16;

const nicenessOf = (thread: string): number =>
  Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[NICE_FIELD]);
const all = (): Map<string, number> =>
  new Map(readdirSync('/proc/self/task').map((thread) => [thread, nicenessOf(thread)]));

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each([
  ['once', 1, 5],
  ['as often as it likes, down to the lowest that there is', 5, 19],
])('a thread gives way %s, alone', async (_, times, expected) => {
  const before = all();
  const own = [...before.values()][0] as number;
  const code = `import(${JSON.stringify(`file://${MODULE}`)}).then(({ giveWay }) => {
    for (let i = 0; i < ${times}; i += 1) giveWay();
    const { readlinkSync } = require('node:fs');
    require('node:worker_threads').parentPort.postMessage(readlinkSync('/proc/thread-self').split('/').at(-1));
    setInterval(() => {}, 1000);
  })`;
  const worker = new Worker(code, { eval: true });
  try {
    const thread = await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(nicenessOf(thread)).toBe(Math.min(19, own + expected));
    for (const [other, niceness] of all()) if (other !== thread) expect(niceness).toBe(before.get(other) ?? own);
  } finally {
    await worker.terminate();
  }
});

onLinux('a thread that may not give way says why, and goes on', () => {
  const code = `import(${JSON.stringify(`file://${MODULE}`)}).then(({ giveWay }) => console.log(giveWay()))`;
  const { stdout, stderr } = spawnSync(
    'python3',
    [path.join(import.meta.dirname, 'refuse_setpriority.py'), process.execPath, '-e', code],
    { encoding: 'utf8' },
  );
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('EPERM'), stderr: '' });
});
