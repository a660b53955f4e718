/** The event stream of the product, with two HTTP threads: the same log on each of them, over a kill, to the end of a token and of the service. */
import { expect, test } from '@jest/globals';
import { EventClient } from '../http/support/event-client.ts';
import { withOwnChain } from './support/development.ts';
import { call, READY_MS_MAX, txledger } from './support/server.ts';

const STREAMS = 8;

const chain = withOwnChain({ HTTP_THREADS: '2', BLOCK_INTERVAL_MS: '50' });

const port = (): number => Number(new URL(chain().server.baseUrl).port);
const open = (headers: Record<string, string> = {}, path = '/events'): EventClient =>
  new EventClient(port(), path, { Authorization: `Bearer ${chain().dev.token}`, ...headers });

async function pay(count: number): Promise<void> {
  const { address } = chain().account(1);
  const first = await chain().nextNonce(address);
  for (let at = 0; at < count; at += 1) {
    const { status } = await chain().submit(
      chain().signed(1, 2, 1n, first + at),
      at === count - 1 ? { prefer: 'wait=30' } : {},
    );
    expect([201, 202]).toContain(status);
  }
}

async function logOfPages(): Promise<{ id: string }[]> {
  const { status, body } = await chain().get('/events?after=0&limit=1000');
  expect(status).toBe(200);
  return body.events;
}

async function metric(name: string): Promise<number> {
  const { body } = await call(`${chain().server.baseUrl}/metrics`);
  return Number(
    String(body)
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}

test(
  'every stream, on whichever thread, has the log that the pages show, also over a kill',
  async () => {
    const live = await Promise.all(Array.from({ length: STREAMS }, () => open().opened()));
    expect(await metric('event_streams')).toBe(STREAMS);
    await pay(20);
    const before = await logOfPages();
    expect(before.length).toBe(20);
    await Promise.all(live.map((client) => client.until(() => client.events.length === before.length)));
    const half = open({ 'Last-Event-ID': before[9]?.id ?? '' });
    await half.until(() => half.events.length === 10);

    await chain().server.stop('SIGKILL');
    await Promise.all([...live, half].map((client) => client.closed()));
    await chain().server.start();
    const again = live.map((client) => open({ 'Last-Event-ID': client.lastEventId }));
    await Promise.all(again.map((client) => client.opened()));
    await pay(10);
    const log = await logOfPages();
    expect(log.length).toBe(30);
    for (const [at, client] of again.entries()) {
      await client.until(() => client.events.length === 10);
      expect([...(live[at]?.events ?? []), ...client.events].map(({ data }) => data)).toEqual(log);
      client.destroy();
    }
    expect(half.events.map(({ data }) => data)).toEqual(log.slice(10, 20));
  },
  3 * READY_MS_MAX,
);

test(
  'a stream ends within 5 s when its token is revoked',
  async () => {
    const { stdout } = await txledger(
      ['token', 'create', '--owner', 'dev', '--scope', 'transactions:read', '--json'],
      chain().server.storeVariables,
    );
    const { id, token } = JSON.parse(stdout);
    const client = await open({ Authorization: `Bearer ${token}` }).opened();
    await txledger(['token', 'revoke', id], chain().server.storeVariables);
    const revokedMs = performance.now();
    await client.closed();
    expect(performance.now() - revokedMs).toBeLessThan(5_000);
    expect(client.isComplete).toBe(true);
  },
  READY_MS_MAX,
);

test(
  'streams end as whole answers when the service stops, and none of them counts as unanswered',
  async () => {
    const live = await Promise.all(Array.from({ length: STREAMS }, () => open().opened()));
    const exit = chain().server.stop('SIGTERM');
    await Promise.all(live.map((client) => client.closed()));
    expect(live.map(({ isComplete }) => isComplete)).toEqual(live.map(() => true));
    expect(await exit).toBe(0);
    expect(chain().server.output).not.toContain('"unanswered"');
    const lines = chain()
      .server.output.split('\n')
      .filter((line) => line.includes('"operation":"listEvents"') && line.includes('"eventsSent"'));
    expect(lines.length).toBeGreaterThanOrEqual(STREAMS);
  },
  READY_MS_MAX,
);
