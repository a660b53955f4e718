/** Pages of searches that end where their text grows too long, and how a reader goes on without missing an item. */
import { afterEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { RpcArguments, RpcMethod } from '../../server/engine/port.ts';
import { Arguments } from '../../server/engine/rpc/arguments.ts';
import { PageText } from '../../server/engine/rpc/page-text.ts';
import { PAGE_BYTES_MAX, pageOf } from '../../server/engine/rpc/pages.ts';
import { DEV_ACCOUNTS, signedTransfer, testGenesis } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';

interface Next {
  page: string;
  per_page: string;
}

/** Reads a list of texts of these lengths page by page, as `next` says or else the next page of the same size. */
function readAll(lengths: readonly number[], perPage: number): number[] {
  const found: number[] = [];
  let ask: Next | undefined = { page: '1', per_page: String(perPage) };
  while (ask !== undefined) {
    const asked: Next = ask;
    const place = {
      ...pageOf(new Arguments({ page: Number(asked.page), per_page: Number(asked.per_page) }), lengths.length),
      total: lengths.length,
    };
    const page = new PageText(place);
    for (let i = place.skip; i < place.skip + place.take; i++)
      if (!page.add({ i, text: 'x'.repeat(lengths[i] ?? 0) })) break;
    const { text } = page.result('txs');
    const { txs, next } = JSON.parse(text) as { txs: { i: number }[]; next?: Next };
    if (txs.length > 1) expect(text.length).toBeLessThan(PAGE_BYTES_MAX + 200);
    found.push(...txs.map(({ i }) => i));
    const more =
      place.skip + place.take < lengths.length
        ? { page: String(Number(asked.page) + 1), per_page: asked.per_page }
        : undefined;
    ask = next ?? more;
  }
  return found;
}

describe('a page', () => {
  test('that ends early says where the rest begins: a reader who follows it reads every item once, in order', () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 100_000, max: 1_500_000 }));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 60 }), fc.integer({ min: 1, max: 100 }), (lengths, perPage) => {
        expect(readAll(lengths, perPage)).toEqual(lengths.map((_, i) => i));
      }),
      { numRuns: 60 },
    );
  });

  test('that is whole is what a stock node answers, without a word more', () => {
    const page = new PageText({ skip: 0, take: 2, total: 5 });
    page.add({ a: '<' });
    page.add({ b: 1 });
    expect(page.result('blocks').text).toBe(String.raw`{"blocks":[{"a":"\u003c"},{"b":1}],"total_count":"5"}`);
  });

  test('holds one item however long it is', () => {
    const page = new PageText({ skip: 6, take: 3, total: 9 });
    expect(page.add('x'.repeat(2 * PAGE_BYTES_MAX))).toBe(true);
    expect(page.add('y')).toBe(false);
    expect(JSON.parse(page.result('txs').text)).toMatchObject({ next: { page: '8', per_page: '1' } });
  });
});

describe('the engine', () => {
  let fixture: Fixture;
  afterEach(() => fixture.dispose());

  /** Long work is done in turns, between which timers of no time have to fire. */
  async function inTurns<T>(work: Promise<T>): Promise<T> {
    const pending = Symbol('pending');
    for (;;) {
      await fixture.clock.advance(0);
      const state = await Promise.race([work, Promise.resolve(pending)]);
      if (state !== pending) return state as T;
    }
  }

  async function ask(method: RpcMethod, args: RpcArguments = {}): Promise<any> {
    const outcome = await inTurns(fixture.engine.rpc(method, args));
    if (!outcome.ok) throw new Error(`${method} failed: ${JSON.stringify(outcome.error)}`);
    return { ...JSON.parse(outcome.json), bytes: outcome.json.length };
  }

  test('ends a page of long blocks at 1 MiB, and all of them can be read', async () => {
    fixture = new Fixture();
    await fixture.start();
    for (let nonce = 0; nonce < 400; nonce += 80) {
      const transfers = Array.from({ length: 80 * DEV_ACCOUNTS }, (_, i) =>
        signedTransfer({ from: i % DEV_ACCOUNTS, nonce: nonce + Math.floor(i / DEV_ACCOUNTS) }),
      );
      await inTurns(fixture.engine.broadcast(transfers.map(({ raw }) => ({ raw, signatureVerified: true }))));
      await fixture.clock.advance(1000);
    }
    const query = 'block.height > 0';
    const heights: string[] = [];
    let asked: RpcArguments = { query, per_page: 100, order_by: 'asc' };
    let pages = 0;
    for (;;) {
      const page = await ask('block_search', asked);
      pages += 1;
      expect(page.bytes).toBeLessThan(PAGE_BYTES_MAX + 200);
      heights.push(...page.blocks.map(({ block }: any) => block.header.height));
      if (heights.length >= Number(page.total_count)) break;
      asked =
        page.next === undefined
          ? { ...asked, page: Number(asked.page ?? 1) + 1 }
          : { ...asked, page: Number(page.next.page), per_page: Number(page.next.per_page) };
    }
    expect(pages).toBeGreaterThan(1);
    expect(heights).toEqual(Array.from({ length: heights.length }, (_, i) => String(i + 1)));
    expect((await ask('tx_search', { query: 'tx.height > 0', per_page: 100, prove: true })).next).toBeUndefined();
  });

  test('answers a long genesis in pieces below 1 MiB, and refuses to answer it whole', async () => {
    const accounts = Array.from({ length: 12_000 }, (_, i) => ({
      address: `txlt1${String(i).padStart(58, 'q')}`,
      balance: 1n,
    }));
    const genesis = {
      ...testGenesis(),
      bytes: Buffer.from(
        JSON.stringify(
          { ...JSON.parse(Buffer.from(testGenesis().bytes).toString()), app_state: { accounts } },
          (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
        ),
      ),
    };
    fixture = new Fixture();
    await fixture.start({ genesis });
    const outcome = await fixture.engine.rpc('genesis', {});
    expect(outcome).toMatchObject({
      ok: false,
      status: 400,
      error: { data: 'genesis response is large, please use the genesis_chunked API instead' },
    });
    const pieces: string[] = [];
    for (let chunk = 0, total = 1; chunk < total; chunk++) {
      const piece = await ask('genesis_chunked', { chunk });
      total = Number(piece.total);
      expect(piece.bytes).toBeLessThan(PAGE_BYTES_MAX);
      pieces.push(Buffer.from(piece.data, 'base64').toString('latin1'));
    }
    expect(pieces.length).toBeGreaterThan(1);
    expect((JSON.parse(pieces.join('')) as { app_state: { accounts: unknown[] } }).app_state.accounts).toHaveLength(
      accounts.length,
    );
  });
});
