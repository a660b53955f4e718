/** What does not answer is one fact in the log: who waits for what, at most every so often, and that it is over. */
import { spawnSync } from 'node:child_process';
import { beforeEach, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import {
  foldingOutages,
  Outages,
  OUTAGE_LINE_EVERY_MS,
  OUTAGE_OVER_AFTER_MS,
  OUTAGE_WAITS_MAX,
} from '../../server/app/outages.ts';
import type { Logger } from '../../server/engine/ports.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/errors.ts';
import { ManualClock } from '../gateway/support/manual-clock.ts';

let clock: ManualClock;
let lines: { level: string; fields: any; message: string }[];
let logger: Logger;

beforeEach(() => {
  clock = new ManualClock(1_800_000_000_000);
  lines = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields, message });
  const written = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const outages = new Outages(written, clock);
  logger = foldingOutages(written, (fault) => outages.add(fault));
});

const away = new StoreUnavailableError('the connection to PostgreSQL failed: ECONNREFUSED 127.0.0.1:5432');

test('a database that is away for ten seconds is one line without a stack, and one when it is over', async () => {
  for (let i = 0; i < 32; i++) {
    logger.error({ err: away, submissions: 3 }, 'a group of submissions could not be stored');
    logger.warn({ err: away }, 'the lease could not be asked for');
    await clock.advance(300);
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 'error',
    message: 'waiting for the database: a group of submissions could not be stored',
    fields: {
      reason: away.message,
      failures: 1,
      waits: ['a group of submissions could not be stored (1)'],
    },
  });
  expect(lines[0]!.fields).not.toHaveProperty('err');
  await clock.advance(OUTAGE_OVER_AFTER_MS);
  expect(lines.slice(1)).toMatchObject([
    {
      level: 'info',
      message: expect.stringMatching(/^the database did not answer; it is over/),
      fields: {
        failures: 64,
        lastedMs: 31 * 300,
        waits: ['a group of submissions could not be stored (32)', 'the lease could not be asked for (32)'],
      },
    },
  ]);
});

test('one that goes on is told again, with how many failed since it began', async () => {
  const began = clock.nowMs();
  for (let ms = 0; ms <= 3 * OUTAGE_LINE_EVERY_MS; ms += 1000) {
    logger.warn({ err: new Error('fetch failed') }, 'the engine could not be reached; following again later');
    await clock.advance(1000);
  }
  expect(lines.map(({ fields }) => fields.failures)).toEqual([1, 11, 21, 31]);
  expect(new Set(lines.map(({ fields }) => fields.since))).toEqual(new Set([new Date(began).toISOString()]));
});

test('nodes and the database are told apart, and what waits is a bounded list', async () => {
  for (let i = 0; i < OUTAGE_WAITS_MAX + 3; i++) logger.warn({ err: away }, `wait ${i}`);
  logger.warn({ err: new Error('fetch failed') }, 'the engine could not be reached; broadcasting again later');
  expect(lines.map(({ message }) => message)).toEqual([
    'waiting for the database: wait 0',
    'waiting for the nodes: the engine could not be reached; broadcasting again later',
  ]);
  await clock.advance(OUTAGE_OVER_AFTER_MS);
  const [ofDatabase] = lines.slice(2);
  expect(ofDatabase!.fields.waits).toHaveLength(OUTAGE_WAITS_MAX + 1);
  expect(ofDatabase!.fields.waits.at(-1)).toBe('3 others');
});

test('whichever thread meets it, it is one outage of the process, which the main thread tells', () => {
  const thread = `
    import { createLogger } from 'file://${ROOT}/server/app/logging.ts';
    import { StoreUnavailableError } from 'file://${ROOT}/server/store/errors.ts';
    import { parentPort, workerData } from 'node:worker_threads';
    const logger = createLogger({ level: 'info', thread: workerData });
    logger.warn({ err: new StoreUnavailableError('away') }, 'wait of ' + workerData);
    logger.warn({ err: new TypeError('planted') }, 'a defect');
    parentPort.postMessage(0);
  `;
  const main = `
    import { once } from 'node:events';
    import { createLogger } from 'file://${ROOT}/server/app/logging.ts';
    import { Worker } from 'node:worker_threads';
    createLogger({ level: 'info', thread: 'main' });
    const module = new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`)});
    for (const workerData of ['engine', 'gateway', 'http-2']) await once(new Worker(module, { workerData }), 'message');
    await new Promise((resolve) => setImmediate(resolve));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', main], { encoding: 'utf8' });
  const written = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(written.filter(({ msg }) => msg !== 'a defect')).toMatchObject([
    { thread: 'main', level: 'warn', msg: 'waiting for the database: wait of engine', reason: 'away' },
  ]);
  expect(written.filter(({ msg }) => msg === 'a defect')).toHaveLength(3);
});

test('a defect, and a disk that cannot be trusted, keep their lines and their stacks', () => {
  const defect = new TypeError('not a function');
  const unknown = new StoreOutcomeUnknownError('fsync', { cause: defect, rereadable: false });
  for (const err of [defect, defect, unknown]) logger.error({ err }, 'a block could not be applied');
  expect(lines.map(({ fields }) => fields.err)).toEqual([defect, defect, unknown]);
});
