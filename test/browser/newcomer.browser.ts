/**
 * The newcomer's walk: open, send in the form, watch it commit, open the proof, cancel a pending one. And what a development server has beside it:
 * a faucet with accounts made in the browser, and the last requests.
 */
import { strict as assert } from 'node:assert';
import { assertAccessible, assertNoSidewaysScroll, type Browser, type Tab } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { type Service, withService } from './support/service.ts';

/** The proof is asked for at once, and is there a block later. */
const NOT_READY = /409 \(Conflict\)/;

export const suite: BrowserSuite = {
  name: 'a newcomer sends, watches, proves and cancels',
  run: (browser) =>
    withService({}, async (service) => {
      await walk(browser, service);
      await money(browser, service);
      await looks(browser, service);
    }),
};

async function walk(browser: Browser, { server }: Service): Promise<void> {
  const { baseUrl } = server;
  await browser.tab({ origin: baseUrl, expected: [NOT_READY] }, async (tab) => {
    const { page } = tab;
    await page.goto(`${baseUrl}/`);
    await page.getByRole('link', { name: 'Send a transfer' }).click();
    await page.getByRole('heading', { name: 'Send a transfer' }).waitFor();

    // What is wrong is said at the field, which gets the focus.
    await page.getByLabel('Amount in DEV').first().fill('1,5');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    assert.equal(await page.getByLabel('To', { exact: true }).first().getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate(`document.activeElement.name`), 'to');
    await assertAccessible(tab, 'the form with faults');
    await browser.screenshot(tab, 'newcomer-faults');

    await page.getByLabel('To', { exact: true }).first().fill('dev-1');
    await page.getByLabel('Amount in DEV').first().fill('12.34');
    await page.getByLabel('Reference', { exact: true }).fill('FIRST-1');
    const bytes = page.getByLabel('The bytes to be signed');
    await page.locator('pre', { hasText: 'FIRST-1' }).first().waitFor();
    assert.match(
      (await bytes.textContent()) ?? '',
      /^txledger-transfer-v1\n\{"amount":"1234","chainId":"txledger-dev-1","from":"txlt1[a-z0-9]+","nonce":0,"reference":"FIRST-1","to":"txlt1[a-z0-9]+"\}$/,
    );
    await browser.screenshot(tab, 'newcomer-form');
    await page.getByRole('button', { name: 'Sign and send' }).click();

    // Its own page, where it commits without a further click.
    await page.waitForURL(/#\/tx\/[0-9A-F]{64}$/);
    await page.locator('h1 .badge', { hasText: 'committed' }).waitFor();
    await page.getByRole('button', { name: 'Download receipt' }).waitFor();
    assert.equal(await page.locator('.checks .verdict.bad').count(), 0);
    assert.ok((await page.locator('.checks .verdict.good').count()) >= 5);
    await browser.screenshot(tab, 'newcomer-committed');

    // What the service refuses is told in its own words.
    await page.goto(`${baseUrl}/#/dev?from=dev-2`);
    await page.getByLabel('To', { exact: true }).first().fill('dev-1');
    await page.getByLabel('Amount in DEV').first().fill('1');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Nonce').fill('2');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.locator('h1 .badge', { hasText: 'pending' }).waitFor();
    const pending = page.url();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await assertAccessible(tab, 'the question before a cancel');
    await page.getByRole('button', { name: 'Cancel the transfer' }).click();
    await page.locator('h1 .badge', { hasText: 'cancelled' }).waitFor();
    assert.equal(page.url(), pending);
    await browser.screenshot(tab, 'newcomer-cancelled');
  });
  // A refusal, whose answer the browser's console tells too.
  await browser.tab({ origin: baseUrl, expected: [/409 \(Conflict\)/] }, async ({ page }) => {
    await page.goto(`${baseUrl}/#/dev`);
    await page.getByLabel('To', { exact: true }).first().fill('dev-1');
    await page.getByLabel('Amount in DEV').first().fill('1');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Nonce').fill('0');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    const told = page.locator('.notice.bad');
    await told.waitFor();
    assert.match((await told.textContent()) ?? '', /nonce 0/);
    assert.equal(await told.getByRole('link').getAttribute('href'), 'docs/errors#nonce_conflict');
  });
}

async function money(browser: Browser, { server }: Service): Promise<void> {
  const { baseUrl } = server;
  await browser.tab({ origin: baseUrl, expected: [NOT_READY, /404 \(Not Found\)/] }, async ({ page }) => {
    await page.goto(`${baseUrl}/#/dev`);
    await page.getByRole('button', { name: 'Send test money' }).click();
    await page.locator('.notice.good').waitFor();
    // Its balance comes with the block, beside the ten others.
    const row = page.locator('section[aria-labelledby="accounts-title"] tr', { hasText: 'mine-1' });
    await row.filter({ hasText: '1,000.00' }).waitFor();
    // Its key is in this tab: it can send.
    await page.getByLabel('From').selectOption('mine-1');
    await page.getByLabel('To', { exact: true }).first().fill('dev-0');
    await page.getByLabel('Amount in DEV').first().fill('999.99');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.locator('h1 .badge', { hasText: 'committed' }).waitFor();
    assert.equal(await page.evaluate(`Object.keys(localStorage).length`), 0);
    // The requests of programs and of this page's buttons are listed as they come, each with status, code and size.
    await page.goto(`${baseUrl}/#/dev`);
    await page.locator('table.requests').waitFor();
    await fetch(`${baseUrl}/transactions/seen-by-the-log?token=txl_not_shown`);
    const seen = page.locator('table.requests tr', { hasText: '/transactions/seen-by-the-log' });
    await seen.waitFor();
    const text = (await seen.textContent()) ?? '';
    assert.match(text, /GET .*unauthenticated.*401.*\d+ B.*ms/);
    assert.ok(!text.includes('txl_'));
    assert.ok((await page.locator('table.requests tr', { hasText: 'POST' }).count()) >= 2);
  });
}

async function looks(browser: Browser, { server }: Service): Promise<void> {
  await browser.eachLook({ origin: server.baseUrl }, async (tab: Tab) => {
    await tab.page.goto(`${server.baseUrl}/#/dev`);
    await tab.page.locator('table.requests').waitFor();
    await tab.page.locator('section[aria-labelledby="accounts-title"] table').waitFor();
    await assertAccessible(tab, 'the development page');
    await assertNoSidewaysScroll(tab, 'the development page');
    await browser.screenshot(tab, 'development');
  });
}
