/** When log lines leave, and what never does. */
import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

import { withoutSecrets } from '../../server/app/log-secrets.ts';
import { createLineStream } from '../../server/app/log-stream.ts';
import { ROOT } from '../../scripts/steps.ts';

const INFO = 30;
const WARN = 40;
const IMPORT = `import { createLogger } from 'file://${ROOT}/server/app/logging.ts'; const logger = createLogger({ level: 'info', thread: 'main' });`;

function recorded(): { stream: ReturnType<typeof createLineStream>; writes: string[] } {
  const writes: string[] = [];
  return { stream: createLineStream((text) => writes.push(text)), writes };
}

const endOfTurn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('log lines', () => {
  test('of one turn of the event loop leave in one write, in their order', async () => {
    const { stream, writes } = recorded();
    stream.lastLevel = INFO;
    for (const line of ['a\n', 'b\n', 'c\n']) stream.write(line);
    expect(writes).toEqual([]);
    await endOfTurn();
    stream.write('d\n');
    await endOfTurn();
    expect(writes).toEqual(['a\nb\nc\n', 'd\n']);
  });

  test('leave at once with a warning, behind those that waited', () => {
    const { stream, writes } = recorded();
    stream.lastLevel = INFO;
    stream.write('a\n');
    stream.lastLevel = WARN;
    stream.write('b\n');
    expect(writes).toEqual(['a\nb\n']);
  });

  test('never wait in more than 64 KiB', () => {
    const { stream, writes } = recorded();
    stream.lastLevel = INFO;
    for (let count = 0; count < 20; count += 1) stream.write(`${'x'.repeat(9_999)}\n`);
    expect(writes.map(({ length }) => length)).toEqual([70_000, 70_000]);
  });

  test.each([
    ['exits', "logger.info({}, 'last'); process.exit(0);"],
    ['fails', "logger.info({}, 'last'); throw new Error('planted');"],
    ['has nothing more to do', "logger.info({}, 'last');"],
  ])('are all written when the process %s in the same turn', (_how, source) => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', `${IMPORT} ${source}`], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({ level: 'info', msg: 'last' });
  });

  test('of another thread are written at once, because it may be terminated', () => {
    const inside = `import { createLogger } from 'file://${ROOT}/server/app/logging.ts'; import { parentPort } from 'node:worker_threads'; createLogger({ level: 'info', thread: 'gateway' }).info({}, 'last'); parentPort.postMessage(0); for (;;) {}`;
    const thread = `data:text/javascript,${encodeURIComponent(inside)}`;
    const source = `import { Worker } from 'node:worker_threads'; const worker = new Worker(new URL(${JSON.stringify(thread)})); worker.once('message', () => worker.terminate());`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ msg: 'last' });
  });
});

describe('secret members', () => {
  test('are hidden at the top and one level below, and nothing else is changed', () => {
    const error = new Error('kept');
    const fields = {
      token: 'T',
      request: { authorization: 'A', path: '/x' },
      signature: { seed: 'S' },
      list: ['a'],
      error,
      none: null,
      amount: 1n,
    };
    expect(withoutSecrets(fields)).toEqual({
      token: '[Redacted]',
      request: { authorization: '[Redacted]', path: '/x' },
      signature: '[Redacted]',
      list: ['a'],
      error,
      none: null,
      amount: 1n,
    });
    expect(fields).toMatchObject({ token: 'T', request: { authorization: 'A' } });
  });

  test('cost no copy where there are none', () => {
    const fields = { status: 202, route: '/transactions', nested: { path: '/x' } };
    expect(withoutSecrets(fields)).toBe(fields);
  });

  test('of an error do not reach the line either', () => {
    const source = `logger.warn({ err: Object.assign(new Error('planted'), { token: 'T-0-K-E-N' }) }, 'failed');`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', `${IMPORT} ${source}`], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout).err).toMatchObject({ message: 'planted', token: '[Redacted]' });
  });
});
