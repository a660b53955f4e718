/**
 * Delivery under everything at once, in virtual time: processes killed at any moment, two at a time, a store that fails before and after it wrote,
 * receivers that go away or lose their answers. `WEBHOOK_SEEDS` lives more.
 */
import { expect, test } from '@jest/globals';
import { Random } from '../gateway/support/random.ts';
import { DeliveryWorld } from './support/delivery-world.ts';

const SEEDS = Number(process.env['WEBHOOK_SEEDS'] ?? 20);
const STEPS = 60;
const ENDPOINTS = 4;
const ACCOUNTS = ['a', 'b', 'c', 'd'];
/** Longer than the wait after as many failures as this life can bring. */
const QUIET_MS = 40 * 60_000;

/** Most attempts to write of this life are without a fault. */
function disturbStore(world: DeliveryWorld, random: Random): void {
  world.saveDelayMs = () => random.below(60);
  world.saveFails = () => (random.chance(4) ? 'before' : random.chance(4) ? 'after' : 'no');
}

async function live(seed: number): Promise<{ world: DeliveryWorld; kills: number }> {
  const random = new Random(seed);
  const world = new DeliveryWorld(seed);
  world.isAlone = false;
  disturbStore(world, random);
  const away = new Set<string>();
  for (let i = 0; i < ENDPOINTS; i++) {
    const id = `wh_${i}`;
    world.addEndpoint({
      id,
      owner: `owner-${i % 2}`,
      ...(i === 1 && { accounts: ['a'] }),
      ...(i === 2 && { types: ['transaction.failed'] }),
      ...(i === 3 && { submittedOnly: true }),
    });
    world.behaviours.set(id, () => {
      if (away.has(id)) return { delayMs: random.below(100), outcome: 'failed' };
      return {
        delayMs: random.chance(5) ? random.below(9000) : random.below(30),
        outcome: random.chance(3) ? 'lost' : random.chance(3) ? 'failed' : 'ok',
      };
    });
  }
  const lives = [world.start()];
  let kills = 0;
  for (let step = 0; step < STEPS; step++) {
    const events = Array.from({ length: random.below(12) }, () => ({
      type: random.chance(30) ? 'transaction.failed' : 'transaction.committed',
      owner: random.chance(50) ? 'owner-1' : 'owner-0',
      transaction: { from: random.pick(ACCOUNTS) as string, to: random.pick(ACCOUNTS) as string },
    }));
    world.addBlock(events);
    const id = `wh_${random.below(ENDPOINTS)}`;
    if (random.chance(15)) away.add(id);
    else away.delete(id);
    if (random.chance(5))
      world.change(id, {
        secrets: {
          current: `whsec_${Buffer.from(`another secret ${step} of 32 bytes!`).toString('base64')}`,
          previous: [],
        },
      });
    await world.clock.advance(random.below(400));
    if (random.chance(20)) {
      lives.shift()?.kill();
      kills += 1;
    }
    // At times two deliver: a lease ran out while its holder was paused.
    if (lives.length === 0 || (lives.length === 1 && random.chance(10))) lives.push(world.start());
    if (lives.length === 2 && random.chance(30)) {
      const [first] = lives.splice(0, 1);
      const stopped = first?.delivery.stop();
      await world.clock.advance(5000);
      await stopped;
    }
  }
  away.clear();
  world.saveFails = () => 'no';
  for (const id of world.endpoints.keys()) world.behaviours.set(id, () => ({ delayMs: 5, outcome: 'ok' }));
  await world.clock.advance(QUIET_MS);
  for (const { delivery } of lives) {
    const stopped = delivery.stop();
    await world.clock.advance(5000);
    await stopped;
  }
  return { world, kills };
}

test(`in ${SEEDS} lives with kills at any moment everything arrives, in order, and is written down`, async () => {
  let kills = 0;
  let repeats = 0;
  let events = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { world, kills: died } = await live(seed);
    kills += died;
    expect({ seed, violations: world.violations }).toEqual({ seed, violations: [] });
    for (const id of world.endpoints.keys()) {
      expect({ seed, id, firsts: world.firsts(id) }).toEqual({ seed, id, firsts: world.wanted(id) });
      repeats += world.repeats(id);
      events += world.wanted(id).length;
      const lastPlace = world.endpoints.get(id)?.place;
      const last = world.log.at(-1);
      expect({ seed, id, place: lastPlace }).toEqual({ seed, id, place: { height: last?.height, index: last?.index } });
    }
  }
  expect(kills).toBeGreaterThan(SEEDS * 5);
  expect(repeats).toBeGreaterThan(0);
  // A kill repeats what was not written, never everything.
  expect(repeats).toBeLessThan(events / 2);
});
