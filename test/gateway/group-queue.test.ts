/** Group commit: what a group is made of, and when it rests. */
import { describe, expect, test } from '@jest/globals';
import { GroupQueue } from '../../server/gateway/group-queue.ts';
import { WriteLane } from '../../server/gateway/write-lane.ts';
import { ManualClock, settled } from './support/manual-clock.ts';

const SIZE_MAX = 4;
const REST_MS_MAX = 50;
const ENOUGH = 3;

/** A queue whose commits last until the test ends them. */
class Commits {
  readonly clock = new ManualClock(0);
  readonly groups: (readonly number[])[] = [];
  readonly queue: GroupQueue<number, string>;
  #under: PromiseWithResolvers<void> | undefined;

  constructor(rests: boolean) {
    this.queue = new GroupQueue({
      sizeMax: SIZE_MAX,
      commit: async (items) => {
        this.groups.push(items);
        this.#under = Promise.withResolvers();
        await this.#under.promise;
        return items.map((item) => `done ${item}`);
      },
      ...(rests && { rest: { clock: this.clock, msMax: REST_MS_MAX, enough: ENOUGH } }),
    });
  }

  async end(tookMs: number, error?: Error): Promise<void> {
    await this.clock.advance(tookMs);
    if (error === undefined) this.#under?.resolve();
    else this.#under?.reject(error);
    await settled();
  }
}

describe('a group', () => {
  test('is whatever arrived while the one before was committed, up to its size', async () => {
    const commits = new Commits(false);
    const first = commits.queue.push([1]);
    await settled();
    const others = [2, 3, 4, 5, 6].map((item) => commits.queue.push([item]));
    await settled();
    expect(commits.groups).toEqual([[1]]);
    expect(commits.queue.waiting).toBe(5);
    await commits.end(10);
    expect(await first).toEqual(['done 1']);
    expect(commits.groups).toEqual([[1], [2, 3, 4, 5]]);
    await commits.end(10);
    await commits.end(10);
    expect(await Promise.all(others)).toEqual([2, 3, 4, 5, 6].map((item) => [`done ${item}`]));
    await commits.queue.idle();
  });

  test('that fails tells each of its own, and nobody else', async () => {
    const commits = new Commits(false);
    const failing = [commits.queue.push([1]), commits.queue.push([2])].map((pushed) =>
      pushed.catch((error: Error) => error.message),
    );
    await settled();
    const next = commits.queue.push([3]);
    await commits.end(0, new Error('disk full'));
    expect(await Promise.all(failing)).toEqual(['disk full', 'disk full']);
    await commits.end(0);
    expect(await next).toEqual(['done 3']);
  });
});

describe('a rest', () => {
  test.each([
    [20, 20],
    [500, REST_MS_MAX],
  ])('after a commit of %i ms for which somebody waited takes %i ms', async (tookMs, restMs) => {
    const commits = new Commits(true);
    void commits.queue.push([1]);
    await settled();
    void commits.queue.push([2]);
    await commits.end(tookMs);
    await commits.clock.advance(restMs - 1);
    void commits.queue.push([3]);
    expect(commits.groups).toEqual([[1]]);
    await commits.clock.advance(1);
    expect(commits.groups).toEqual([[1], [2, 3]]);
  });

  test('is not had where nobody waits, so that whoever sends one after the other is never held up', async () => {
    const commits = new Commits(true);
    const first = commits.queue.push([1, 2]);
    await settled();
    await commits.end(20);
    await first;
    void commits.queue.push([3]);
    await settled();
    expect(commits.groups).toEqual([[1, 2], [3]]);
  });

  test('is not had where those who wait are enough for a group', async () => {
    const commits = new Commits(true);
    void commits.queue.push([1]);
    await settled();
    void commits.queue.push([2, 3, 4]);
    await commits.end(20);
    expect(commits.groups).toEqual([[1], [2, 3, 4]]);
  });

  test('is had nowhere else', async () => {
    const commits = new Commits(false);
    void commits.queue.push([1]);
    await settled();
    void commits.queue.push([2]);
    await commits.end(20);
    expect(commits.groups).toEqual([[1], [2]]);
  });
});

describe('where several threads push', () => {
  /** Commits at once, as a writer does that blocks its thread; `letIn` lasts until the test ends it. */
  const gathering = () => {
    const groups: (readonly number[])[] = [];
    const gathered: PromiseWithResolvers<void>[] = [];
    const queue = new GroupQueue<number, string>({
      sizeMax: SIZE_MAX,
      commit: async (items) => {
        groups.push(items);
        return items.map((item) => `done ${item}`);
      },
      gather: {
        letIn: () => {
          gathered.push(Promise.withResolvers());
          return (gathered.at(-1) as PromiseWithResolvers<void>).promise;
        },
        enough: ENOUGH,
      },
    });
    return { groups, gathered, queue };
  };

  test('a group is what they sent while the one before was committed', async () => {
    const { groups, gathered, queue } = gathering();
    const pushed = [queue.push([1])];
    await settled();
    pushed.push(queue.push([2]));
    await settled();
    expect(groups).toEqual([]);
    gathered[0]?.resolve();
    expect(await Promise.all(pushed)).toEqual([['done 1'], ['done 2']]);
    expect(groups).toEqual([[1, 2]]);
    await queue.idle();
    expect(gathered).toHaveLength(1);
  });

  test('one that is large enough is committed at once', async () => {
    const { groups, gathered, queue } = gathering();
    await queue.push([1, 2, 3]);
    expect(groups).toEqual([[1, 2, 3]]);
    expect(gathered).toEqual([]);
  });
});

describe('what a commit would have to wait for', () => {
  test('is left to a group that waits, beside which the others go on', async () => {
    const groups: { items: readonly number[]; waits: boolean }[] = [];
    const held = Promise.withResolvers<void>();
    const queue = new GroupQueue<number, string>({
      sizeMax: SIZE_MAX,
      commit: async (items, waits) => {
        groups.push({ items, waits });
        if (waits) await held.promise;
        return items.map((item) => (waits || item % 2 === 0 ? `done ${item}` : undefined));
      },
    });
    const first = queue.push([1, 2, 3]);
    await settled();
    expect(await queue.push([4])).toEqual(['done 4']);
    expect(queue.waiting).toBe(0);
    held.resolve();
    expect(await first).toEqual(['done 1', 'done 2', 'done 3']);
    expect(groups).toEqual([
      { items: [1, 2, 3], waits: false },
      { items: [1, 3], waits: true },
      { items: [4], waits: false },
    ]);
    await queue.idle();
  });
});

describe('a write lane', () => {
  test('has groups beside each other, and what changes memory alone, in the order in which they were asked for', async () => {
    const lane = new WriteLane();
    const order: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string) => () => {
      order.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    const all = [
      lane.share(work('group 1')),
      lane.share(work('group 2')),
      lane.run(work('block')),
      lane.share(work('group 3')),
      lane.run(work('cancel')),
    ];
    await settled();
    expect(order).toEqual(['group 1', 'group 2']);
    ends.get('group 2')!();
    await settled();
    expect(order).toHaveLength(2);
    ends.get('group 1')!();
    await settled();
    expect(order.slice(2)).toEqual(['block']);
    ends.get('block')!();
    await settled();
    expect(order.slice(3)).toEqual(['group 3']);
    ends.get('group 3')!();
    await settled();
    expect(order.slice(4)).toEqual(['cancel']);
    ends.get('cancel')!();
    await Promise.all([...all, lane.idle()]);
  });
});
