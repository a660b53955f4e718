/** docs/examples/checkout.mjs against a real server: clicked twice, run twice, cut off and killed, every order is paid exactly once. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../app/support.ts';
import { chance } from '../client/chaos/chance.ts';
import { cases } from '../support/many-cases.ts';
import { withOwnChain } from './support/development.ts';
import { call } from './support/server.ts';
import { type Fate, installShop, Network, Shop } from './support/shop.ts';

const TEST_MS_MAX = 120_000;
const ROUNDS = cases(4, 10);
/** Of one price, so that nothing but the reference tells them apart. */
const ORDERS_A_ROUND = 3;
const PRICE = 1250;
/** Short enough to be waited for, and long enough for a slow machine to pay within it. */
const VALID_FOR_MS = 6_000;
const POLL_MS = 50;

const chain = withOwnChain({ BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'warn' });
let network: Network;
let url: string;
let file: string;
beforeAll(async () => {
  network = new Network(chain().server.baseUrl);
  url = await network.start();
  file = installShop(await temporaryFolder('shop'));
});
afterAll(() => network.stop());

const running: Shop[] = [];
afterAll(() => Promise.all(running.map((shop) => shop.kill())));

/** Each test has its own payer and receiver: then their balances tell of it alone. */
function shopsOf(
  payer: number,
  database: string,
  variables: Record<string, string> = {},
): { shop(): Shop; ledger: Ledger; rows(): Row[] } {
  const { dev } = chain();
  const [from, to] = [dev.accounts[payer]!, dev.accounts[payer + 1]!];
  const SHOP_DB = path.join(path.dirname(file), database);
  const shop = (): Shop => {
    const made = new Shop(file, {
      LEDGER_URL: url,
      LEDGER_TOKEN: dev.token,
      LEDGER_SEED: from.seed,
      RECEIVER: to.address,
      SHOP_DB,
      ...variables,
    });
    running.push(made);
    return made;
  };
  const rows = (): Row[] => {
    const db = new DatabaseSync(SHOP_DB, { readOnly: true });
    const found = db.prepare('SELECT reference, outcome FROM payments ORDER BY reference').all() as unknown as Row[];
    db.close();
    return found.map(({ reference, outcome }) => ({ reference, outcome }));
  };
  return { shop, ledger: ledgerOf(from.address, to.address), rows };
}

interface Row {
  reference: string;
  outcome: string | null;
}

interface Ledger {
  received(): Promise<bigint>;
  /** References of what was committed, with the amount of each. */
  committed(): Promise<[reference: string, amount: string][]>;
}

/** What the ledger itself says, past the network and the shop. */
function ledgerOf(from: string, to: string): Ledger {
  const get = async (target: string): Promise<any> =>
    (await call(`${chain().server.baseUrl}${target}`, { token: chain().dev.token })).body;
  return {
    received: async () => BigInt((await get(`/accounts/${to}`)).balance),
    committed: async () => {
      const { transactions, nextCursor } = await get(`/transactions?from=${from}&status=committed&limit=1000`);
      expect(nextCursor).toBeUndefined();
      return transactions.map(({ reference, amount }: any) => [reference, amount] as [string, string]).sort();
    },
  };
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + TEST_MS_MAX / 4;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

test(
  'two clicks are one payment, and two orders of one price are two',
  async () => {
    const { shop: newShop, ledger, rows } = shopsOf(0, 'clicks.db');
    const [one, other] = [newShop(), newShop()];
    await Promise.all([one.start(), other.start()]);
    const before = await ledger.received();
    for (const id of ['cup', 'jug']) await one.order(id, PRICE);
    // Three clicks in each of two processes, for both orders at once.
    const clicks = await Promise.all(
      ['cup', 'jug'].flatMap((id) =>
        [one, one, one, other, other, other].map(async (shop) => ({ id, answer: await shop.click(id) })),
      ),
    );
    for (const { id, answer } of clicks)
      expect([answer?.status, answer?.body]).toEqual([200, { order: id, reference: `${id}/1`, outcome: 'committed' }]);
    // And once more when all is over.
    expect((await other.click('cup'))?.body).toEqual({ order: 'cup', reference: 'cup/1', outcome: 'committed' });
    expect(await ledger.committed()).toEqual([
      ['cup/1', `${PRICE}`],
      ['jug/1', `${PRICE}`],
    ]);
    expect((await ledger.received()) - before).toBe(BigInt(2 * PRICE));
    expect(rows()).toEqual([
      { reference: 'cup/1', outcome: 'committed' },
      { reference: 'jug/1', outcome: 'committed' },
    ]);
    await Promise.all([one.kill(), other.kill()]);
  },
  TEST_MS_MAX,
);

test(
  `${ROUNDS} rounds of double clicks with processes killed and answers lost: every order is paid exactly once`,
  async () => {
    const { shop: newShop, ledger, rows } = shopsOf(2, 'kills.db');
    const shops = [newShop(), newShop()] as const;
    const random = chance(20_261_122);
    const below = (bound: number): number => Math.floor(random() * bound);
    const before = await ledger.received();
    const orders: string[] = [];
    let killed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(shops.map((shop) => shop.start()));
      const ids = Array.from({ length: ORDERS_A_ROUND }, (_, index) => `order-${round}-${index}`);
      for (const id of ids) await shops[0].order(id, PRICE);
      orders.push(...ids);
      // The kill falls where the round says: before a payment leaves, after it took effect and before anyone hears of it, or at any time at all.
      const victim = shops[round % 2]!;
      const deadline = below(250);
      const at = 1 + below(ORDERS_A_ROUND);
      let posts = 0;
      const fates: Fate[] = ['passes', 'never arrives', 'answer lost'];
      let dead = Promise.resolve<unknown>(undefined);
      const kill = (): void => {
        killed += 1;
        dead = victim.kill();
      };
      network.fateOf = () => {
        posts += 1;
        if (round % 3 !== 0 && posts === at) kill();
        return round % 3 !== 0 && posts === at ? fates[round % 3]! : below(4) === 0 ? fates[below(3)]! : 'passes';
      };
      const timer = setTimeout(() => round % 3 === 0 && kill(), deadline);
      // In every other round the one that is killed is alone, and no one ends what it began before the next round.
      const clicked = round % 2 === 0 ? shops : [victim];
      await Promise.all(ids.flatMap((id) => [...clicked, ...clicked].map((shop) => shop.click(id))));
      clearTimeout(timer);
      await dead;
      network.fateOf = () => 'passes';
      await Promise.all(shops.map((shop) => shop.kill()));
    }
    expect(killed).toBeGreaterThan(ROUNDS / 2);
    const [shop] = shops;
    await shop.start();
    for (const id of orders) await until(`${id} is paid`, async () => (await shop.click(id))?.status === 200);
    const committed = await ledger.committed();
    expect(committed).toHaveLength(orders.length);
    expect(committed.map(([reference]) => reference.split('/')[0]).sort()).toEqual([...orders].sort());
    expect(new Set(committed.map(([, amount]) => amount))).toEqual(new Set([`${PRICE}`]));
    expect((await ledger.received()) - before).toBe(BigInt(orders.length * PRICE));
    const open = rows().filter(({ outcome }) => outcome === null);
    expect(open).toEqual([]);
    await shop.kill();
  },
  TEST_MS_MAX,
);

test(
  'what is not paid by the end of its validity never is, and can be ordered again under another reference',
  async () => {
    const { shop: newShop, ledger, rows } = shopsOf(4, 'late.db', { VALID_FOR_MS: `${VALID_FOR_MS}` });
    const shop = newShop();
    await shop.start();
    const before = await ledger.received();
    for (const id of ['lost', 'behind']) await shop.order(id, PRICE);
    // The first never gets to the ledger, so the second, which has the nonce after it, is accepted and cannot execute.
    network.fateOf = (body) => (body.includes('"lost/1"') ? 'never arrives' : 'passes');
    void shop.click('lost');
    await until('the first is kept', () => rows().some(({ reference }) => reference === 'lost/1'));
    void shop.click('behind');
    await until('the second has expired', () =>
      rows().some(({ reference, outcome }) => reference === 'behind/1' && outcome === 'expired'),
    );
    await shop.kill();
    network.fateOf = () => 'passes';
    await shop.start();
    await until('the first is known to be too late', () => rows().every(({ outcome }) => outcome !== null));
    expect(rows()).toEqual([
      { reference: 'behind/1', outcome: 'expired' },
      { reference: 'lost/1', outcome: 'validity_passed' },
    ]);
    expect(await ledger.committed()).toEqual([]);
    for (const id of ['behind', 'lost'])
      expect((await shop.click(id))?.body).toEqual({ order: id, reference: `${id}/2`, outcome: 'committed' });
    expect(await ledger.committed()).toEqual([
      ['behind/2', `${PRICE}`],
      ['lost/2', `${PRICE}`],
    ]);
    expect((await ledger.received()) - before).toBe(BigInt(2 * PRICE));
    await shop.kill();
  },
  TEST_MS_MAX,
);
