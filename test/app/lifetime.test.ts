import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { endOnSignal, EXIT_DIED, EXIT_MS_MAX, EXIT_OK } from '../../server/app/lifetime.ts';
import type { Clock } from '../../server/engine/ports.ts';

/** A clock whose timers fire when the test says so. */
function handClock(): { clock: Clock; fire: (delayMs: number) => void } {
  const timers: { fn: () => void; delayMs: number }[] = [];
  const setTimer: Clock['setTimer'] = (fn, delayMs) => {
    timers.push({ fn, delayMs });
    return { cancel: () => undefined };
  };
  return {
    clock: { nowMs: () => 0, nowNs: () => 0n, monotonicMs: () => 0, setTimer },
    fire: (delayMs) => timers.filter((timer) => timer.delayMs <= delayMs).forEach(({ fn }) => fn()),
  };
}

function running(drain: () => Promise<void>, delayMs?: number) {
  const { clock, fire } = handClock();
  const signals = new EventEmitter();
  const exits: number[] = [];
  const lines: string[] = [];
  let drains = 0;
  let announced = 0;
  const log = (_fields: object, message: string): void => void lines.push(message);
  endOnSignal({
    clock,
    logger: { debug: log, info: log, warn: log, error: log },
    notice: delayMs === undefined ? undefined : { delayMs, announce: async () => void (announced += 1) },
    drain: () => {
      drains += 1;
      return drain();
    },
    exit: (code) => void exits.push(code),
    signals,
  });
  return { signals, exits, lines, fire, drains: () => drains, announced: () => announced };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'])(
    '%s drains, and the process exits with 0 after the drain and not before',
    async (signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const app = running(() => promise);
      app.signals.emit(signal);
      await turn();
      expect(app.exits).toEqual([]);
      resolve();
      await turn();
      expect(app.exits).toEqual([EXIT_OK]);
    },
  );

  test('is ignored while another one drains', async () => {
    const app = running(() => new Promise(() => undefined));
    app.signals.emit('SIGTERM');
    app.signals.emit('SIGTERM');
    app.signals.emit('SIGINT');
    await turn();
    expect(app.drains()).toBe(1);
    expect(app.exits).toEqual([]);
    expect(app.lines).toContain('ending already; the signal is ignored');
  });

  test('is announced at once and drains only after the delay, whatever signals come meanwhile', async () => {
    const app = running(() => new Promise(() => undefined), 5_000);
    app.signals.emit('SIGTERM');
    app.signals.emit('SIGTERM');
    await turn();
    app.fire(4_999);
    expect([app.announced(), app.drains(), app.exits]).toEqual([1, 0, []]);
    app.fire(5_000);
    expect([app.announced(), app.drains(), app.exits]).toEqual([1, 1, []]);
    // The time that a drain may take begins with the drain.
    app.fire(EXIT_MS_MAX);
    expect(app.exits).toEqual([EXIT_OK]);
  });

  test('drains at once where the delay is 0', () => {
    const app = running(() => new Promise(() => undefined), 0);
    app.signals.emit('SIGTERM');
    expect([app.announced(), app.drains()]).toEqual([0, 1]);
  });

  test('ends the process with 0 within its limit also when the drain never ends', async () => {
    const app = running(() => new Promise(() => undefined));
    app.signals.emit('SIGTERM');
    app.fire(EXIT_MS_MAX);
    expect(app.exits).toEqual([EXIT_OK]);
    expect(EXIT_MS_MAX).toBeLessThan(10_000);
  });

  test('ends the process with a code that says so when the drain fails', async () => {
    const app = running(() => Promise.reject(new Error('no')));
    app.signals.emit('SIGTERM');
    await turn();
    expect(app.exits).toEqual([EXIT_DIED]);
  });
});
