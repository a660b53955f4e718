/** Events of real blocks: what crosses to the subscribers, and what both sides believe of the set of queries. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serialize } from 'node:v8';
import type { RpcEventsAnswer, RpcQuery } from '../../server/engine/port.ts';
import { signedTransfer } from '../ledger/support.ts';
import { allEvents } from './support/all-events.ts';
import { Fixture } from './support/fixture.ts';

const BLOCKS = 4;
const TRANSFERS = 1_800;
/** As many as the engine takes in without a pause, in which the virtual clock would have to move. */
const SENT_AT_ONCE = 50;
/** From the engine's thread to the gateway's, and on to the HTTP thread. */
const HOPS = 2;

const fixture = new Fixture();
let height = 0;
beforeAll(async () => {
  const engine = await fixture.start();
  await fixture.clock.advance(0);
  for (let nonce = 0; nonce < TRANSFERS; nonce += SENT_AT_ONCE) {
    const raws = Array.from({ length: SENT_AT_ONCE }, (_, at) => ({
      raw: signedTransfer({ from: 0, to: 1 + (nonce % 2), nonce: nonce + at }).raw,
    }));
    await engine.broadcast(raws);
    if ((nonce + SENT_AT_ONCE) % (TRANSFERS / BLOCKS) === 0) await fixture.clock.advance(1000);
  }
  await fixture.clock.advance(2000);
  height = (await engine.status()).height;
});
afterAll(() => fixture.dispose());

async function eventsOf(queries: readonly string[]): Promise<Extract<RpcEventsAnswer, { known: true }>> {
  const added: RpcQuery[] = queries.map((query, id) => ({ id, query }));
  const answer = await fixture.engine.events({
    fromHeight: 1,
    limit: 100,
    queries: { base: 0, version: 1, added, removed: [] },
  });
  if (!answer.known) throw new Error('the whole set of queries was not taken');
  return answer;
}

const bytesOf = (answer: RpcEventsAnswer): number => HOPS * serialize(answer).length;

describe('what crosses threads', () => {
  test('for one subscriber to headers is headers, however many transfers there are', async () => {
    const answer = await eventsOf(["tm.event='NewBlockHeader'"]);
    expect(answer.blocks.map((block) => block.height)).toEqual(Array.from({ length: height }, (_, at) => at + 1));
    expect(answer.blocks.flatMap(({ events }) => events.map(({ type }) => type))).toEqual(
      answer.blocks.map(() => 'NewBlockHeader'),
    );
    // 4.5 MB before: every event of every block.
    expect(bytesOf(answer)).toBeLessThan(HOPS * 1_500 * height);
  });

  test('is next to nothing when nothing matches, and grows with matches and not with subscriptions', async () => {
    const never = Array.from({ length: 5_000 }, (_, id) => `tm.event='Tx' AND transfer.sender='nobody-${id}'`);
    const answer = await eventsOf(never);
    expect(answer).toMatchObject({ nextHeight: height + 1, blocks: [] });
    expect(bytesOf(answer)).toBeLessThan(200);
    const [one] = (await allEvents(fixture.engine, 1, 100)).flatMap(({ events }) =>
      events.filter(({ type }) => type === 'Tx'),
    );
    const found = await eventsOf([...never, `tx.hash='${one?.events['tx.hash']?.[0]}'`]);
    expect(found.blocks.flatMap(({ events }) => events.map(({ queries }) => queries))).toEqual([[5_000]]);
  });

  test('is one text for an event, however many queries it matches', async () => {
    const query = "tm.event='NewBlockHeader'";
    const [one, many] = [
      await eventsOf([query]),
      await eventsOf(Array.from({ length: 100 }, (_, spaces) => ' '.repeat(spaces) + query)),
    ];
    expect(many.blocks.map(({ events }) => events.map(({ data }) => data))).toEqual(
      one.blocks.map(({ events }) => events.map(({ data }) => data)),
    );
    expect(many.blocks[0]?.events[0]?.queries).toHaveLength(100);
    expect(bytesOf(many) - bytesOf(one)).toBeLessThan(HOPS * height * 100 * 4);
  });
});

describe('the set of queries', () => {
  test('is changed by what was added and removed, and known by its version', async () => {
    const { engine } = fixture;
    const pull = async (base: number, version: number, added: RpcQuery[] = [], removed: number[] = []) => {
      const answer = await engine.events({ fromHeight: height, limit: 1, queries: { base, version, added, removed } });
      return answer.known ? answer.blocks.flatMap(({ events }) => events.map(({ type }) => type)) : 'unknown';
    };
    expect(await pull(0, 7, [{ id: 1, query: "tm.event='NewBlock'" }])).toEqual(['NewBlock']);
    expect(await pull(7, 8, [{ id: 2, query: "tm.event='NewBlockHeader'" }])).toEqual(['NewBlock', 'NewBlockHeader']);
    expect(await pull(8, 9, [], [1])).toEqual(['NewBlockHeader']);
    expect(await pull(9, 9)).toEqual(['NewBlockHeader']);
    expect(await pull(8, 10)).toBe('unknown');
    expect(await pull(0, 11)).toEqual([]);
  });

  test('loses what is too costly to match, and says so', async () => {
    const costly = Array.from({ length: 500 }, (_, id) => `transfer.amount > ${1_000_000 + id}`);
    const answer = await eventsOf(["tm.event='NewBlockHeader'", ...costly]);
    const ended = answer.blocks.flatMap((block) => block.ended);
    expect(ended.length).toBeGreaterThan(0);
    expect(ended).not.toContain(0);
    expect(new Set(ended).size).toBe(ended.length);
    expect(answer.blocks.filter(({ events }) => events.length === 1)).toHaveLength(height);
  });
});
