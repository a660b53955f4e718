/** What comes and goes with every request: counted while it is under way, and gone from memory soon after. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { InFlight } from '../../server/engine/in-flight.ts';

const ITEMS = 20_000;
const ITEM_BYTES = 800;
const UNDER_WAY = 32;
/** What may become old of all that passes: those that were under way whenever young objects were collected. */
const OLD_SHARE_MAX = 0.1;

/** Which part of the bytes that pass through it is among the old objects, although all collections were of young objects alone. */
async function oldShare(crowd: string): Promise<number> {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { InFlight } from '${pathToFileURL(path.join(ROOT, 'server/engine/in-flight.ts')).href}';
    class Members { #set = new Set(); begin(item) { this.#set.add(item); return () => this.#set.delete(item); } }
    const crowd = new ${crowd}();
    const ends = new Array(${UNDER_WAY}).fill(() => undefined);
    const pass = (count) => {
      for (let i = 0; i < count; i += 1) {
        ends[i % ends.length]();
        ends[i % ends.length] = crowd.begin(new Array(${ITEM_BYTES / 8}).fill(0));
        if (i % 500 === 499) gc({ type: 'minor' });
      }
    };
    const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size;
    pass(1000);
    // A server has had collections of the whole heap before, which make everything old that is alive.
    gc();
    const before = oldBytes();
    pass(${ITEMS});
    console.log((oldBytes() - before) / ${ITEMS * ITEM_BYTES});
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--no-warnings',
    '--input-type=module',
    '-e',
    script,
  ]);
  return Number(stdout);
}

test('what ended is collected with the young objects', async () => {
  expect(await oldShare('InFlight')).toBeLessThan(OLD_SHARE_MAX);
});

test('in a Set it becomes old, which is why there is something else', async () => {
  expect(await oldShare('Members')).toBeGreaterThan(OLD_SHARE_MAX);
});

test('each is under way from its begin to its end, in whatever order they end', () => {
  const flights = new InFlight<number>();
  const ends = new Map([1, 2, 3, 4, 5].map((item) => [item, flights.begin(item)]));
  const open = new Set(ends.keys());
  for (const item of [2, 5, 1, 4, 3]) {
    ends.get(item)?.();
    open.delete(item);
    expect(new Set(flights.items())).toEqual(open);
    expect(flights.size).toBe(open.size);
  }
});

test('a second end ends nothing else', () => {
  const flights = new InFlight<string>();
  const end = flights.begin('first');
  end();
  flights.begin('second');
  end();
  expect(flights.items()).toEqual(['second']);
});
