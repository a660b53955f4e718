/** The account page and the search: in every look, by keyboard alone, and live. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { sendTransfer, signerFromSeed } from '../../client/src/index.ts';
import { assertAccessible, assertNoSidewaysScroll, type Browser } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { makePayments, type Payments, type Service, withService } from './support/service.ts';

export const suite: BrowserSuite = {
  name: 'accounts and search',
  run: (browser) =>
    withService({}, async (service) => {
      const payments = await makePayments(service);
      await looks(browser, service);
      await live(browser, service);
      await keyboard(browser, service, payments);
      await searches(browser, service, payments);
    }),
};

async function looks(browser: Browser, { server, development: { accounts } }: Service): Promise<void> {
  const [busy, , waiting] = accounts;
  await browser.eachLook({ origin: server.baseUrl }, async (tab) => {
    for (const [name, address] of [
      ['busy', busy?.address],
      ['waiting', waiting?.address],
    ] as const) {
      await tab.page.goto(`${server.baseUrl}/#/account/${address}`);
      await tab.page.locator('section[aria-labelledby="proof"] .checks').waitFor();
      await tab.page.locator('.strip').waitFor();
      assert.equal(await tab.page.locator('.checks .verdict.good').count(), 4);
      // All that can be unfolded has to be readable, too.
      await tab.page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
      await assertAccessible(tab, `the account ${name}`);
      await assertNoSidewaysScroll(tab, `the account ${name}`);
      await browser.screenshot(tab, `account-${name}`);
    }
    await tab.page.goto(`${server.baseUrl}/#/search?q=${'0'.repeat(63)}`);
    await tab.page.locator('.notice').waitFor();
    await assertAccessible(tab, 'a search without a result');
    await assertNoSidewaysScroll(tab, 'a search without a result');
    await browser.screenshot(tab, 'search-nothing');
  });
}

/** Of the nonce strip, as its text says it. */
const strip = `document.querySelector('.strip').getAttribute('aria-label')`;

async function live(browser: Browser, { server, client, development: { accounts } }: Service): Promise<void> {
  const [faucet, shop] = accounts;
  if (faucet === undefined || shop === undefined) throw new Error('a development server has ten accounts');
  await browser.tab({ origin: server.baseUrl }, async ({ page }) => {
    await page.goto(`${server.baseUrl}/#/account/${faucet.address}`);
    await page.locator('.strip').waitFor();
    assert.equal(await page.evaluate(strip), 'The nonces in order. 0 to 4 used, 5 next, 6 free.');
    const rows = await page.locator('table.statement tbody tr').count();
    await sendTransfer(client, {
      signer: await signerFromSeed(faucet.seed),
      to: shop.address,
      amount: 777n,
      reference: 'LIVE-1',
      waitMs: 20_000,
    });
    // No click: the block brings it.
    await page.locator('table.statement tr', { hasText: 'LIVE-1' }).waitFor();
    assert.equal(await page.locator('table.statement tbody tr').count(), rows + 1);
    // Not by waitForFunction, which the page's policy keeps from running whenever it has to wait.
    await page.locator('.strip[aria-label*="0 to 5 used, 6 next"]').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    assert.equal(csv[0], 'height,index,blockTime,txHash,direction,counterparty,amount,balanceAfter,reference');
    assert.equal(csv.length, rows + 2);
    assert.match(csv.at(-1) ?? '', /,out,txlt1[a-z0-9]+,777,[0-9]+,LIVE-1$/);
  });
  await browser.tab({ origin: server.baseUrl }, async ({ page }) => {
    await page.goto(`${server.baseUrl}/#/account/${accounts[2]?.address}`);
    await page.locator('.strip').waitFor();
    assert.equal(
      await page.evaluate(strip),
      'The nonces in order. 0 next, 1 to 2 gap, 3 pending, 4 free, 5 void, 6 free.',
    );
  });
}

async function keyboard(
  browser: Browser,
  { server, development: { accounts } }: Service,
  { committed }: Payments,
): Promise<void> {
  const { baseUrl } = server;
  await browser.tab({ origin: baseUrl }, async ({ page }) => {
    const focused = (): Promise<string> =>
      page.evaluate<string>(`document.activeElement.textContent || document.activeElement.id`);
    await page.goto(`${baseUrl}/`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('/');
    assert.equal(await focused(), 'search');
    await page.keyboard.type('dev-3');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`#/account/${accounts[3]?.address}$`));
    await page.locator('.strip').waitFor();
    // What a reader of the screen types there is a text, and no shortcut.
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    assert.equal(await page.locator('#search').inputValue(), 'a/b');
    await page.locator('#search').fill(committed);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`#/tx/${committed}$`));
    // Every control of an account can be reached, and shows that it has the focus.
    await page.goto(`${baseUrl}/#/account/${accounts[0]?.address}`);
    await page.locator('table.statement').waitFor();
    await page.locator('.strip').waitFor();
    const reached = new Set<string>();
    for (let i = 0; i < 60 && !reached.has('Metrics'); i += 1) {
      await page.keyboard.press('Tab');
      reached.add(await focused());
      assert.notEqual(
        await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`),
        'none',
        `the focus on ${await focused()} cannot be seen`,
      );
    }
    for (const name of [
      'Send from here',
      'Copy',
      'The nonces as a table',
      'What was hashed',
      'Download CSV',
      'dev-1',
      'Metrics',
    ])
      assert.ok(reached.has(name), `Tab does not reach ${name}: ${[...reached].join(', ')}`);
    // The token's dialog keeps the focus and gives it back.
    await page.getByRole('button', { name: 'Token' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'token');
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'Token');
  });
}

async function searches(browser: Browser, { server }: Service, { committed }: Payments): Promise<void> {
  const { baseUrl } = server;
  // Each search with what its page is then, or says.
  const led: readonly (readonly [string, RegExp])[] = [
    ['2', /#\/block\/2$/],
    [committed.toLowerCase(), new RegExp(`#/tx/${committed}$`)],
    ['DEV-1', /#\/account\/txlt1/],
  ];
  const said: readonly (readonly [string, RegExp])[] = [
    ['INV-2026-102', /One transfer with the reference/],
    ['INV-2026-999', /No transfer has the reference “INV-2026-999”/],
    ['999999', /Block 999999 is not there yet/],
    ['dev-77', /development account; they are dev-0 to dev-9/],
    ['txlt1qqqq', /It looks like an address/],
    ['A'.repeat(64), /No block and no transfer has the hash A+\. Both were looked up/],
  ];
  await browser.tab({ origin: baseUrl, expected: [/404 \(Not Found\)/] }, async ({ page }) => {
    await page.goto(`${baseUrl}/`);
    const search = async (text: string): Promise<void> => {
      await page.locator('#search').fill(text);
      await page.keyboard.press('Enter');
    };
    for (const [text, place] of led) {
      await search(text);
      await page.waitForURL(place);
      // The search field is written once more when the page is there.
      await page.locator('main h1').waitFor();
    }
    for (const [text, words] of said) {
      await search(text);
      await page.locator('main', { hasText: words }).waitFor();
    }
    // A block is found by its hash, too.
    const { result } = (await (await fetch(`${baseUrl}/rpc/block?height=2`)).json()) as {
      result: { block_id: { hash: string } };
    };
    await search(result.block_id.hash);
    await page.waitForURL(/#\/block\/2$/);
  });
}
