/** Log lines of an HTTP thread that wait to be written: the main thread writes them when the process exits, and nobody writes one twice. */
import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

import { ROOT } from '../../scripts/steps.ts';
import { createMirror, MirroredLines } from '../../server/app/log-mirror.ts';
import { createLineStream } from '../../server/app/log-stream.ts';

/** A process whose other thread runs `inside`, with a `logger` and `parentPort`, and whose main thread runs `atMessage` when that thread says so. */
function linesOf(inside: string, atMessage: string): { msg: string }[] {
  const thread = `
    import { createLogger } from 'file://${ROOT}/server/app/logging.ts';
    import { parentPort, workerData } from 'node:worker_threads';
    const logger = createLogger({ level: 'info', thread: 'http-2', lines: workerData });
    ${inside}
  `;
  const main = `
    import { createMirror } from 'file://${ROOT}/server/app/log-mirror.ts';
    import { writeLinesAtExit } from 'file://${ROOT}/server/app/log-stream.ts';
    import { Worker } from 'node:worker_threads';
    const lines = createMirror();
    writeLinesAtExit(lines);
    const worker = new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`)}), { workerData: lines });
    worker.once('message', () => { ${atMessage} });
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', main], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const ONE_TURN = `logger.info({}, 'first'); logger.info({}, 'Zürich'); parentPort.postMessage(0); for (;;) {}`;

describe('the lines of an HTTP thread', () => {
  test.each([
    ['the process exits', 'process.exit(0);'],
    ['the thread is terminated', 'worker.terminate();'],
    ['the process fails', "throw new Error('planted');"],
  ])('are all written when %s in the turn in which they were made', (_how, atMessage) => {
    expect(linesOf(ONE_TURN, atMessage)).toMatchObject([
      { thread: 'http-2', msg: 'first' },
      { thread: 'http-2', msg: 'Zürich' },
    ]);
  });

  test('are written once when the thread has written them itself', () => {
    const afterTheTurn = `logger.info({}, 'first'); setImmediate(() => setImmediate(() => { logger.info({}, 'second'); parentPort.postMessage(0); for (;;) {} }));`;
    expect(linesOf(afterTheTurn, 'process.exit(0);').map(({ msg }) => msg)).toEqual(['first', 'second']);
  });

  test('that find no room are written at once, in their order', async () => {
    const writes: string[] = [];
    const stream = createLineStream((text) => writes.push(text), createMirror());
    const long = `${'x'.repeat(100_000)}\n`;
    for (const line of ['a\n', long, 'b\n']) stream.write(line);
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes.join('')).toBe(`a\n${long}b\n`);
  });

  test('that the main thread has taken are not written by their own thread', () => {
    const mirror = createMirror();
    const [own, main] = [new MirroredLines(mirror), new MirroredLines(mirror)];
    own.add('line\n');
    expect(main.take()).toBe('line\n');
    let wrote = false;
    own.written(() => {
      wrote = true;
    });
    expect(wrote).toBe(false);
  });
});
