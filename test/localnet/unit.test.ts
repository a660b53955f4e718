import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { Child, Exit } from '../../scripts/localnet/launch.ts';
import { RESTART_DELAY_MS_MAX, restartDelayMs, Unit, type PartSpec } from '../../scripts/localnet/unit.ts';

/** Parts that are not there: they end when they are signalled, or when the test lets them die, and write down what they saw. */
class World {
  readonly seen: string[] = [];
  readonly #events = new EventEmitter();
  readonly #deaths = new Map<string, (exit: Exit) => void>();
  #pid = 0;

  part(
    name: string,
    options: { graceMs?: number; ignores?: readonly string[]; survives?: () => boolean } = {},
  ): PartSpec {
    const { graceMs = 1000, ignores = [], survives = () => true } = options;
    return {
      name,
      graceMs,
      stopSignal: 'SIGTERM',
      launch: (): Child => {
        const { promise: exited, resolve } = Promise.withResolvers<Exit>();
        this.#deaths.set(name, resolve);
        if (!survives()) resolve({ code: 1, signal: null });
        return {
          pid: (this.#pid += 1),
          exited,
          signal: (signal) => {
            this.#say(`${signal} ${name}`);
            if (!ignores.includes(signal)) resolve({ code: null, signal });
          },
        };
      },
    };
  }

  unit(...parts: PartSpec[]): Unit {
    return new Unit(parts, {
      started: (part) => this.#say(`started ${part}`),
      ended: (part) => this.#say(`ended ${part}`),
      died: (part, _exit, failures) => this.#say(`died ${part} ${failures}`),
    });
  }

  die(name: string): void {
    this.#deaths.get(name)?.({ code: null, signal: 'SIGKILL' });
  }

  /** Resolves when this has been said so often. */
  async saw(what: string, times = 1): Promise<void> {
    while (this.seen.filter((one) => one === what).length < times) await once(this.#events, 'said');
  }

  #say(what: string): void {
    this.seen.push(what);
    this.#events.emit('said');
  }
}

describe('a unit', () => {
  test('starts its parts in order and stops them in the opposite one, each after the one before is gone', async () => {
    const world = new World();
    const unit = world.unit(world.part('app'), world.part('node'));
    unit.start();
    await world.saw('started node');
    await unit.stop();
    expect(world.seen).toEqual([
      'started app',
      'started node',
      'SIGTERM node',
      'ended node',
      'SIGTERM app',
      'ended app',
    ]);
  });

  test.each([
    ['app', ['ended app', 'SIGTERM node', 'ended node', 'died app 1', 'started app', 'started node']],
    ['node', ['ended node', 'SIGTERM app', 'ended app', 'died node 1', 'started app', 'started node']],
  ])('whose %s dies ends the other one too, and starts both again', async (victim, expected) => {
    const world = new World();
    const unit = world.unit(world.part('app'), world.part('node'));
    unit.start();
    await world.saw('started node');
    world.die(victim);
    await world.saw('started node', 2);
    expect(world.seen.slice(2)).toEqual(expected);
    await unit.stop();
  });

  test('kills a part that does not end within its grace time', async () => {
    const world = new World();
    const unit = world.unit(world.part('app'), world.part('node', { graceMs: 20, ignores: ['SIGTERM'] }));
    unit.start();
    await world.saw('started node');
    await unit.stop();
    expect(world.seen.slice(2)).toEqual(['SIGTERM node', 'SIGKILL node', 'ended node', 'SIGTERM app', 'ended app']);
  });

  test('counts deaths in a row, and can be stopped while it waits to start again', async () => {
    const world = new World();
    const unit = world.unit(world.part('app', { survives: () => false }));
    unit.start();
    await world.saw('died app 3');
    await unit.stop();
    const { seen } = world;
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.at(-1)).toBe('died app 3');
    expect(seen.filter((one) => one === 'started app')).toHaveLength(3);
  });

  test('whose part cannot even be launched is tried again', async () => {
    const world = new World();
    const app = world.part('app');
    let tries = 0;
    const launch = (): Child => {
      tries += 1;
      if (tries === 1) throw new Error('no space left on device');
      return app.launch();
    };
    const unit = world.unit({ ...app, launch });
    unit.start();
    await world.saw('started app', 2);
    expect(world.seen).toEqual(['started app', 'ended app', 'died app 1', 'started app']);
    await unit.stop();
  });

  test('that is killed starts nothing again', async () => {
    const world = new World();
    const unit = world.unit(world.part('app'), world.part('node', { ignores: ['SIGTERM'] }));
    unit.start();
    await world.saw('started node');
    unit.kill();
    await world.saw('ended app');
    expect(world.seen.filter((one) => one.startsWith('started'))).toHaveLength(2);
  });

  test('that is stopped before it is started starts nothing', async () => {
    const world = new World();
    const unit = world.unit(world.part('app'));
    await unit.stop();
    unit.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.seen).toEqual([]);
  });
});

test('the first restart comes at once, the next ones wait longer and longer, up to a bound', () => {
  expect([1, 2, 3, 4].map(restartDelayMs)).toEqual([0, 100, 200, 400]);
  expect(restartDelayMs(1000)).toBe(RESTART_DELAY_MS_MAX);
});
