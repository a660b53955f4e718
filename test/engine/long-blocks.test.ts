/** A long block is made in steps, between which the thread that makes it does what waits. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { STEPS_TRANSACTIONS_MIN } from '../../server/engine/embedded/block-loop.ts';
import { signedTransfer } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = new Fixture();
  await fixture.start();
  await fixture.clock.advance(0);
});
afterEach(() => fixture.dispose());

/** In pieces that the engine takes at once: behind more of them it waits for its clock. */
const PIECE = 50;

async function broadcast(count: number, firstNonce = 0): Promise<void> {
  for (let done = 0; done < count; done += PIECE) {
    const piece = Array.from({ length: Math.min(PIECE, count - done) }, (_, at) => ({
      raw: signedTransfer({ from: 1, nonce: firstNonce + done + at }).raw,
    }));
    await fixture.engine.broadcast(piece);
  }
}

test.each([
  [STEPS_TRANSACTIONS_MIN, 2],
  [STEPS_TRANSACTIONS_MIN - 1, 0],
])('of %d transactions: %d turns for others between its steps', async (count, expected) => {
  await broadcast(count);
  let turns = 0;
  let isDue = false;
  const { height } = fixture.engine.tip;
  const look = (): void => {
    if (fixture.engine.tip.height > height) return;
    if (isDue) turns += 1;
    isDue = true;
    fixture.clock.setTimer(look, 0);
  };
  // Set when the block is due, so that each turn comes behind one of its steps.
  fixture.clock.setTimer(look, 1000);
  await fixture.clock.advance(1000);
  expect(fixture.engine.tip.height).toBe(height + 1);
  expect(turns).toBe(expected);
});

test('that is left between two steps was never signed, and is made by the next start', async () => {
  await broadcast(STEPS_TRANSACTIONS_MIN);
  const { height } = fixture.engine.tip;
  let turns = 0;
  const { clock, engine } = fixture;
  const look = (): void => {
    turns += 1;
    if (turns === 3) void engine.close();
    else clock.setTimer(look, 0);
  };
  clock.setTimer(look, 1000);
  await clock.advance(2000);
  expect(engine.tip.height).toBe(height);
  expect(fixture.signState().height).toBe(height);
  await fixture.restart();
  await broadcast(STEPS_TRANSACTIONS_MIN);
  await clock.advance(2000);
  expect(fixture.engine.tip.height).toBeGreaterThan(height);
});

test('has what came for it before its first step only, and what comes meanwhile is in the next one', async () => {
  await broadcast(STEPS_TRANSACTIONS_MIN);
  const { height } = fixture.engine.tip;
  const { clock } = fixture;
  let isSent = false;
  const send = (): void => {
    if (isSent) return;
    isSent = true;
    void broadcast(1, STEPS_TRANSACTIONS_MIN);
    fixture.engine.expectTime(clock.nowMs() + 10_000);
  };
  clock.setTimer(() => clock.setTimer(send, 0), 1000);
  await clock.advance(1000);
  expect(fixture.engine.tip.height).toBe(height + 1);
  await clock.advance(1000);
  const counts = [];
  for (const at of [height + 1, height + 2]) {
    const block = await fixture.engine.rpc('block', { height: at });
    counts.push(
      block.ok ? (JSON.parse(block.json) as { block: { data: { txs: string[] } } }).block.data.txs.length : -1,
    );
  }
  expect(counts).toEqual([STEPS_TRANSACTIONS_MIN, 1]);
});
