/** Submissions that wait for a call of the core travel together, owner by owner. */
import { expect, test } from '@jest/globals';
import type { Submission } from '../../server/gateway/core-api.ts';
import { FrontCalls } from '../../server/gateway/front-calls.ts';
import { GROUP_SIZE_MAX } from '../../server/gateway/limits.ts';
import { refuse } from '../../server/gateway/refusals.ts';

test('what one owner sends beyond a group leaves another in the next call, and keeps its order', async () => {
  const groups: (readonly Submission[])[] = [];
  const full = refuse('pool_full', 'Full.');
  const calls = new FrontCalls(async (group) => {
    groups.push(group);
    await new Promise((resolve) => setImmediate(resolve));
    return group.map(() => full);
  }, 1);
  const submit = (owner: string | undefined, nonce: number): Promise<unknown> =>
    calls.submit({ owner, nonce } as Submission);
  const many = Array.from({ length: 3 * GROUP_SIZE_MAX }, (_, nonce) => submit('many', nonce));
  const others = [submit('other', 0), submit(undefined, 0)];
  expect(await Promise.all(others)).toEqual([full, full]);
  // The first went alone, and at once.
  expect(groups.map((group) => group.filter(({ owner }) => owner !== 'many').length)).toEqual([0, 2, 0]);
  await Promise.all(many);
  expect(
    groups
      .flat()
      .filter(({ owner }) => owner === 'many')
      .map(({ nonce }) => nonce),
  ).toEqual(many.map((_, nonce) => nonce));
});
