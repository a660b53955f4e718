/** What delivery promises, each in virtual time. */
import { beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { WebhookDelivery } from '../../server/gateway/webhooks/delivery/delivery.ts';
import { eventBody } from '../../server/gateway/webhooks/delivery/event-message.ts';
import {
  ENDPOINTS_POLL_MS,
  GIVE_UP_MS,
  HOUR_MS,
  IN_FLIGHT_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_DELAYS_MS,
  RETRY_JITTER,
  SAVE_DELIVERIES,
  SIDE_ATTEMPTS_MAX,
} from '../../server/gateway/webhooks/delivery/limits.ts';
import { signedHeaders } from '../../server/gateway/webhooks/delivery/signing.ts';
import { eventResource } from '../../server/http/operations/event-resource.ts';
import { DeliveryWorld, WORLD_START_MS } from './support/delivery-world.ts';

const DAY_MS = 24 * HOUR_MS;

let world: DeliveryWorld;

beforeEach(() => {
  world = new DeliveryWorld();
});

async function started(): Promise<WebhookDelivery> {
  const { delivery, started: first } = world.start();
  await world.advance(1);
  await first;
  return delivery;
}

async function stopped(delivery: WebhookDelivery): Promise<void> {
  const end = delivery.stop();
  await world.advance(10_000);
  await end;
}

const times = (id: string): number[] => (world.received.get(id) ?? []).map(({ atMs }) => atMs - WORLD_START_MS);
const down = (): { delayMs: number; outcome: 'lost' } => ({ delayMs: 0, outcome: 'lost' });

test('attempts come after growing waits with jitter for three days; then the endpoint is disabled, and the owner hears of it', async () => {
  world.addEndpoint({ id: 'wh_down' });
  world.addEndpoint({ id: 'wh_other' });
  world.addEndpoint({ id: 'wh_stranger', owner: 'someone else' });
  world.behaviours.set('wh_down', down);
  world.pollMs = HOUR_MS;
  const delivery = await started();
  world.addBlock([{}, {}]);
  await world.advance(4 * DAY_MS);
  const attempts = times('wh_down');
  const waits = attempts.slice(1).map((ms, i) => ms - (attempts[i] as number));
  const last = RETRY_DELAYS_MS.at(-1) as number;
  for (const [i, wait] of waits.slice(0, -1).entries()) {
    const base = RETRY_DELAYS_MS[i] ?? last;
    expect(wait).toBeGreaterThanOrEqual(base * (1 - RETRY_JITTER) - 1);
    expect(wait).toBeLessThanOrEqual(base * (1 + RETRY_JITTER) + 1);
  }
  expect(new Set(waits.map((wait, i) => wait / (RETRY_DELAYS_MS[i] ?? last))).size).toBeGreaterThan(5);
  expect((attempts.at(-1) as number) - (attempts[0] as number)).toBe(GIVE_UP_MS);
  // Nothing behind the event that was not taken went out.
  expect(world.firsts('wh_down')).toEqual(['1-0']);
  expect(world.endpoints.get('wh_down')).toMatchObject({
    status: 'disabled',
    reason: 'failing',
    place: { height: 0, index: 0 },
  });
  expect(world.firsts('wh_other')).toEqual(['1-0', '1-1', 'disabled_wh_down']);
  expect(world.firsts('wh_stranger')).toEqual(['1-0', '1-1']);
  expect((await delivery.numbers()).disabled).toBe(1);
  expect(world.records.filter(({ endpointId }) => endpointId === 'wh_down').at(-1)).toMatchObject({
    attempt: attempts.length,
    code: 'status_code',
    retryAtMs: undefined,
  });
  await stopped(delivery);
});

test('a restart goes on with the waits, and a clock that jumps a year disables nothing', async () => {
  world.addEndpoint({ id: 'wh_down' });
  world.behaviours.set('wh_down', down);
  const first = await started();
  world.addBlock([{}]);
  await world.advance(60_000);
  await stopped(first);
  const before = times('wh_down').length;
  const { failing } = world.endpoints.get('wh_down') as { failing?: { attempts: number } };
  expect(failing?.attempts).toBe(before);
  const second = await started();
  await world.advance(60_000);
  expect(times('wh_down').length).toBe(before);
  await stopped(second);
  world.change('wh_down', {
    failing: { sinceMs: WORLD_START_MS - 365 * DAY_MS, attempts: 4, retryAtMs: WORLD_START_MS },
  });
  const third = await started();
  await world.advance(30_000);
  expect(world.endpoints.get('wh_down')).toMatchObject({ status: 'enabled', failing: { attempts: 5 } });
  await stopped(third);
});

test('Retry-After lengthens a wait, up to an hour', async () => {
  world.addEndpoint({ id: 'wh_busy' });
  world.addEndpoint({ id: 'wh_endless' });
  world.behaviours.set('wh_busy', () => ({ delayMs: 0, outcome: 'lost', retryAfterMs: 120_000 }));
  world.behaviours.set('wh_endless', () => ({ delayMs: 0, outcome: 'lost', retryAfterMs: 10 * DAY_MS }));
  const delivery = await started();
  world.addBlock([{}]);
  await world.advance(2 * HOUR_MS - 60_000);
  expect(times('wh_busy').slice(0, 2)).toEqual([1, 120_001]);
  expect(times('wh_endless')).toEqual([1, 1 + RETRY_AFTER_MS_MAX]);
  await stopped(delivery);
});

test('410 disables at once', async () => {
  world.pollMs = HOUR_MS;
  world.addEndpoint({ id: 'wh_gone' });
  world.behaviours.set('wh_gone', () => ({ delayMs: 0, outcome: 'gone' }));
  const delivery = await started();
  world.addBlock([{}, {}]);
  await world.advance(DAY_MS);
  expect(world.endpoints.get('wh_gone')).toMatchObject({ status: 'disabled', reason: 'gone' });
  expect(times('wh_gone')).toHaveLength(1);
  await stopped(delivery);
});

test('an endpoint that was changed as it was given up is not sent to again and again', async () => {
  world.addEndpoint({
    id: 'wh_1',
    failing: { sinceMs: WORLD_START_MS - GIVE_UP_MS, attempts: 20, retryAtMs: WORLD_START_MS },
  });
  world.behaviours.set('wh_1', () => ({ delayMs: 2, outcome: 'failed' }));
  let asked = 0;
  world.disables = async () => ((asked += 1), false);
  const delivery = await started();
  world.addBlock([{}]);
  await world.advance(ENDPOINTS_POLL_MS - 10);
  expect(asked).toBe(1);
  world.disables = undefined;
  await world.advance(2 * ENDPOINTS_POLL_MS);
  expect(world.endpoints.get('wh_1')).toMatchObject({ status: 'disabled', reason: 'failing' });
  await stopped(delivery);
});

test('any number of slow endpoints hold up no fast one, and requests in flight are bounded', async () => {
  world.slots = { max: 8, slowMax: 4 };
  for (let i = 0; i < 50; i++) {
    world.addEndpoint({ id: `wh_slow_${i}` });
    // Taken at last, so that each asks for a place again at once.
    world.behaviours.set(`wh_slow_${i}`, () => ({ delayMs: 14_000, outcome: 'ok' }));
  }
  for (let i = 0; i < 4; i++) world.addEndpoint({ id: `wh_fast_${i}` });
  const delivery = await started();
  // Each is met once.
  world.addBlock([{}, {}, {}, {}, {}]);
  await world.advance((50 / 8 + 1) * 15_000);
  for (let i = 0; i < 30; i++) {
    world.addBlock([{}, {}]);
    const atMs = world.clock.nowMs() - WORLD_START_MS;
    await world.advance(1000);
    for (let fast = 0; fast < 4; fast++) {
      const lastMs = (times(`wh_fast_${fast}`).at(-1) as number) - atMs;
      expect(lastMs).toBeGreaterThanOrEqual(0);
      expect(lastMs).toBeLessThan(100);
    }
  }
  expect(world.inFlightMost).toBe(8);
  expect(world.violations).toEqual([]);
  expect(IN_FLIGHT_MAX).toBeLessThanOrEqual(128);
  await stopped(delivery);
});

test('what an owner changes is in force within a second', async () => {
  world.addEndpoint({ id: 'wh_1' });
  world.behaviours.set('wh_1', ({ url }) => (url === 'https://hooks.example' ? down() : { delayMs: 0, outcome: 'ok' }));
  const delivery = await started();
  world.addBlock([{}]);
  await world.advance(10 * 60_000);
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  world.change('wh_1', { url: 'https://new.example', secrets: { current: secret, previous: [] } });
  const changedMs = world.clock.nowMs() - WORLD_START_MS;
  await world.advance(1000);
  // The failures were those of the other address: it is tried at once.
  const arrived = world.received.get('wh_1')?.at(-1);
  expect(arrived).toMatchObject({ id: '1-0', url: 'https://new.example' });
  expect((times('wh_1').at(-1) as number) - changedMs).toBeLessThanOrEqual(ENDPOINTS_POLL_MS);
  world.change('wh_1', { status: 'disabled' });
  await world.advance(1000);
  world.addBlock([{}]);
  await world.advance(10_000);
  expect(world.firsts('wh_1')).toEqual(['1-0']);
  world.change('wh_1', { status: 'enabled' });
  await world.advance(1000);
  expect(world.firsts('wh_1')).toEqual(['1-0', '2-0']);
  await stopped(delivery);
});

test('filters have all to match, and what they leave out moves the place', async () => {
  world.addEndpoint({ id: 'wh_1', types: ['transaction.failed'], accounts: ['x'], submittedOnly: true });
  const delivery = await started();
  const wanted = { type: 'transaction.failed', owner: 'acme', transaction: { from: 'a', to: 'x' } };
  world.addBlock([
    wanted,
    { ...wanted, type: 'transaction.committed' },
    { ...wanted, owner: 'other' },
    { ...wanted, transaction: { from: 'a', to: 'b' } },
    { ...wanted, transaction: { from: 'x' } },
  ]);
  world.addBlock([{}, {}]);
  await world.advance(5000);
  expect(world.firsts('wh_1')).toEqual(['1-0', '1-4']);
  expect(world.endpoints.get('wh_1')?.place).toEqual({ height: 2, index: 1 });
  await stopped(delivery);
});

test('tests and replays go out while the lane waits; a replay is in order, never ahead of the lane, and leaves its place alone', async () => {
  world.addEndpoint({ id: 'wh_1' });
  let isDown = false;
  world.behaviours.set('wh_1', ({ headers }) =>
    isDown && headers['webhook-id'] === '4-0' ? down() : { delayMs: 5, outcome: 'ok' },
  );
  const delivery = await started();
  for (let i = 0; i < 3; i++) world.addBlock([{}, {}]);
  await world.advance(1000);
  isDown = true;
  world.addBlock([{}, {}]);
  await world.advance(10_000);
  const before = world.received.get('wh_1')?.length as number;
  world.addJob({
    id: 'replay_1',
    endpointId: 'wh_1',
    attempts: 0,
    retryAtMs: 0,
    kind: 'replay',
    after: { height: 1, index: 0 },
    until: { height: 9, index: 0 },
  });
  world.addJob({
    id: 'test_1',
    endpointId: 'wh_1',
    attempts: 0,
    retryAtMs: 0,
    kind: 'message',
    messageId: 'test_1',
    type: 'webhook.test',
    body: '{}',
  });
  await world.advance(800);
  const beside = (world.received.get('wh_1') ?? [])
    .slice(before)
    .map(({ id }) => id)
    .filter((id) => id !== '4-0');
  expect(beside).toEqual(['test_1', '1-1', '2-0', '2-1', '3-0', '3-1']);
  expect(world.jobs).toEqual([]);
  expect(world.endpoints.get('wh_1')?.place).toEqual({ height: 3, index: 1 });
  expect(world.records.filter(({ replay }) => replay)).toHaveLength(5);
  isDown = false;
  await world.advance(10 * 60_000);
  expect(world.firsts('wh_1').filter((id) => !id.startsWith('test'))).toEqual(world.wanted('wh_1'));
  expect(world.violations).toEqual([]);
  await stopped(delivery);
});

test('a test that is taken lets the lane try at once', async () => {
  world.addEndpoint({ id: 'wh_1' });
  world.behaviours.set('wh_1', down);
  const delivery = await started();
  world.addBlock([{}]);
  await world.advance(HOUR_MS);
  world.behaviours.delete('wh_1');
  world.addJob({
    id: 'test_1',
    endpointId: 'wh_1',
    attempts: 0,
    retryAtMs: 0,
    kind: 'message',
    messageId: 'test_1',
    type: 'webhook.test',
    body: '{}',
  });
  await world.advance(1000);
  expect(
    world.received
      .get('wh_1')
      ?.slice(-2)
      .map(({ id }) => id),
  ).toEqual(['test_1', '1-0']);
  await stopped(delivery);
});

test('a test is sent once; a replay gives up where one event is refused again and again', async () => {
  world.addEndpoint({ id: 'wh_1' });
  const delivery = await started();
  world.addBlock([{}, {}]);
  await world.advance(1000);
  world.behaviours.set('wh_1', down);
  world.addJob({
    id: 'test_1',
    endpointId: 'wh_1',
    attempts: 0,
    retryAtMs: 0,
    kind: 'message',
    messageId: 'test_1',
    type: 'webhook.test',
    body: '{}',
  });
  world.addJob({
    id: 'replay_1',
    endpointId: 'wh_1',
    attempts: 0,
    retryAtMs: 0,
    kind: 'replay',
    after: { height: 0, index: 0 },
    until: { height: 1, index: 1 },
  });
  await world.advance(HOUR_MS);
  const ids =
    world.received
      .get('wh_1')
      ?.map(({ id }) => id)
      .slice(2) ?? [];
  expect(ids.filter((id) => id === 'test_1')).toHaveLength(1);
  expect(ids.filter((id) => id === '1-0')).toHaveLength(SIDE_ATTEMPTS_MAX);
  expect(ids).not.toContain('1-1');
  expect(world.jobs).toEqual([]);
  await stopped(delivery);
});

test('places are written in groups, and a store that hangs bounds what a kill repeats', async () => {
  world.addEndpoint({ id: 'wh_1' });
  world.behaviours.set('wh_1', () => ({ delayMs: 0, outcome: 'ok' }));
  let saves = 0;
  world.saveFails = () => ((saves += 1), 'no');
  const { kill } = world.start();
  world.addBlock(Array.from({ length: 600 }, () => ({})));
  await world.advance(2000);
  expect(world.firsts('wh_1')).toHaveLength(600);
  expect(saves).toBeLessThan(30);
  world.saveDelayMs = () => DAY_MS;
  world.addBlock(Array.from({ length: 600 }, () => ({})));
  await world.advance(10_000);
  expect(world.firsts('wh_1').length - 600).toBeLessThanOrEqual(2 * SAVE_DELIVERIES + 1);
  kill();
});

test('a store that refuses every write bounds what is sent meanwhile, and is written to again once it takes something', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `wh_${i}`);
  for (const id of ids) world.addEndpoint({ id });
  const delivery = await started();
  let isFull = true;
  world.saveFails = () => (isFull ? 'before' : 'no');
  world.saveDelayMs = () => 20;
  world.addBlock(Array.from({ length: 600 }, () => ({})));
  await world.advance(10_000);
  const arrived = (): number => ids.reduce((sum, id) => sum + (world.received.get(id)?.length ?? 0), 0);
  const before = arrived();
  expect(before).toBeLessThanOrEqual(2 * SAVE_DELIVERIES + ids.length);
  await world.advance(60_000);
  expect(arrived()).toBe(before);
  isFull = false;
  await world.advance(60_000);
  for (const id of ids) expect(world.firsts(id)).toHaveLength(600);
  expect(world.records).toHaveLength(20 * 600);
  await stopped(delivery);
});

test('a stop gives what is in flight a bounded time and writes the places', async () => {
  for (const id of ['wh_1', 'wh_hangs']) world.addEndpoint({ id });
  world.behaviours.set('wh_hangs', () => ({ delayMs: HOUR_MS, outcome: 'ok' }));
  world.behaviours.set('wh_1', () => ({ delayMs: 1000, outcome: 'ok' }));
  const delivery = await started();
  world.addBlock([{}, {}]);
  await world.advance(100);
  let isOver = false;
  const end = delivery.stop().then(() => (isOver = true));
  await world.advance(2900);
  expect(isOver).toBe(false);
  await world.advance(200);
  await end;
  expect(world.endpoints.get('wh_1')?.place).toEqual({ height: 1, index: 0 });
  expect(world.endpoints.get('wh_hangs')?.place).toEqual({ height: 0, index: 0 });
});

test('messages are signed by every secret that still counts, and standardwebhooks verifies each', () => {
  const secrets = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
    string,
    string,
    string,
  ];
  const nowMs = Date.now();
  const headers = signedHeaders(
    {
      current: secrets[0],
      previous: [
        { secret: secrets[1], untilMs: nowMs + 1000 },
        { secret: secrets[2], untilMs: nowMs },
      ],
    },
    '7-0',
    '{"a":1}',
    nowMs,
  );
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(new Webhook(secrets[0]).verify('{"a":1}', headers)).toEqual({ a: 1 });
  expect(new Webhook(secrets[1]).verify('{"a":1}', headers)).toEqual({ a: 1 });
  expect(() => new Webhook(secrets[2]).verify('{"a":1}', headers)).toThrow('No matching signature found');
  expect(() => new Webhook(secrets[0]).verify('{"a":2}', headers)).toThrow('No matching signature found');
});

test('the body is the event as GET /events shows it', () => {
  const event = {
    height: 7,
    index: 3,
    blockTimeMs: WORLD_START_MS,
    type: 'transaction.committed' as const,
    owner: 'acme',
    transaction: { txHash: 'AB', from: 'a', to: 'b', amount: '1', nonce: 0, status: 'committed' as const },
  };
  expect(JSON.parse(eventBody(event))).toEqual(eventResource(event));
});
