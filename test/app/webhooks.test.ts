/** Delivery of webhooks as the main thread runs it: it fails, it does not answer, it does not end. */
import { expect, test } from '@jest/globals';
import type { OpenDelivery } from '../../server/app/webhooks/open-delivery.ts';
import { guarded } from '../../server/app/webhooks/open-delivery.ts';
import { startWebhooks, type Webhooks } from '../../server/app/webhooks/webhooks.ts';
import type { DeliveryNumbers } from '../../server/gateway/webhooks/delivery/counters.ts';
import { realClock } from '../http/support/server.ts';

interface Line {
  atMs: number;
  message: string;
}

const NUMBERS: DeliveryNumbers = {
  deliveries: { delivered: 7 },
  disabled: 0,
  inFlight: 1,
  lagEvents: 0,
  lagS: 0,
};
const DELIVERY: OpenDelivery = {
  numbers: async () => NUMBERS,
  changed: () => undefined,
  close: async () => undefined,
};
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

function webhooksOf(
  open: (onFault: (error: unknown) => void) => Promise<OpenDelivery>,
  waits: { pollMs: number; restartMs?: number; numbersMs?: number; closeMs?: number },
): { webhooks: Webhooks; logged: (times: number) => Promise<Line[]> } {
  const lines: Line[] = [];
  let noted = (): void => undefined;
  const log = (_fields: object, message: string): void => {
    lines.push({ atMs: performance.now(), message });
    noted();
  };
  const webhooks = startWebhooks({
    location: { kind: 'chain', path: '/nowhere/chain.db' },
    open: (_location, onFault) => open(onFault),
    counts: () => ({ enabled: 1, disabled: 2 }),
    logger: { debug: log, info: log, warn: log, error: log },
    waits,
  });
  const logged = async (times: number): Promise<Line[]> => {
    while (lines.length < times) await new Promise<void>((resolve) => (noted = resolve));
    return lines;
  };
  return { webhooks, logged };
}

test('delivery that cannot be opened is begun again after waits that grow', async () => {
  const { webhooks, logged } = webhooksOf(async () => Promise.reject(new Error('no such table')), {
    pollMs: 5,
    restartMs: 100,
  });
  const lines = await logged(3);
  await webhooks.close();
  expect(lines.map(({ message }) => message)).toEqual(
    Array.from({ length: 3 }, () => 'delivery of webhooks failed; it is begun again'),
  );
  const [first, second, third] = lines.map(({ atMs }) => atMs) as [number, number, number];
  expect(second - first).toBeGreaterThanOrEqual(95);
  expect(third - second).toBeGreaterThanOrEqual(195);
});

test('delivery that fails while it runs is ended once, and begun again only then', async () => {
  const events: string[] = [];
  const { promise: again, resolve } = Promise.withResolvers<void>();
  const { webhooks, logged } = webhooksOf(
    async (onFault) => {
      events.push('open');
      if (events.length > 1) {
        resolve();
        return DELIVERY;
      }
      const clock = guarded(realClock, onFault);
      for (const delayMs of [0, 1])
        clock.setTimer(() => {
          throw new Error('a defect in a timer');
        }, delayMs);
      return { ...DELIVERY, close: async () => void events.push('closed') };
    },
    { pollMs: 5, restartMs: 1 },
  );
  await again;
  await webhooks.close();
  expect(await logged(1)).toHaveLength(1);
  expect(events).toEqual(['open', 'closed', 'open']);
});

test('metrics are answered while delivery cannot say its numbers, with what it said last', async () => {
  let numbers: OpenDelivery['numbers'] = DELIVERY.numbers;
  const { webhooks } = webhooksOf(async () => ({ ...DELIVERY, numbers: () => numbers() }), {
    pollMs: 5,
    numbersMs: 50,
  });
  let seen = await webhooks.numbers();
  while (seen.inFlight === 0) seen = await webhooks.numbers();
  for (const state of [async () => Promise.reject(new Error('the event log cannot be read')), never<DeliveryNumbers>]) {
    numbers = state;
    expect(await webhooks.numbers()).toEqual({ ...NUMBERS, endpoints: { enabled: 1, disabled: 2 } });
  }
  await webhooks.close();
});

test('the end is waited for no longer than its bound, and delivery that opens after it is closed', async () => {
  const hanging = webhooksOf(async () => ({ ...DELIVERY, close: never<void> }), { pollMs: 5, closeMs: 20 });
  while ((await hanging.webhooks.numbers()).inFlight === 0);
  await hanging.webhooks.close();

  const opening = Promise.withResolvers<OpenDelivery>();
  const closed = Promise.withResolvers<void>();
  const late = webhooksOf(() => opening.promise, { pollMs: 5, closeMs: 20, numbersMs: 20 });
  await late.webhooks.numbers();
  await late.webhooks.close();
  opening.resolve({ ...DELIVERY, close: async () => closed.resolve() });
  await closed.promise;
});
