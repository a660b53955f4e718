/** The explorer of a production server: the RPC without a token where its operator opened it, a token where the API needs one, and never one in an address. */
import { strict as assert } from 'node:assert';
import { assertAccessible, assertNoSidewaysScroll, type Browser } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { type Production, withProduction } from './support/production.ts';

export const suite: BrowserSuite = {
  name: 'a production server and its token',
  run: async (browser) => {
    await withProduction({ RPC_ACCESS: 'reads' }, async (production) => {
      await secrets(production);
      await tokens(browser, production);
      await looks(browser, production);
    });
    await withProduction({}, (production) => closed(browser, production));
  },
};

/** What a development server tells is nowhere here, whoever asks. */
async function secrets({ server: { baseUrl } }: Production): Promise<void> {
  const ownPage = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
  for (const path of ['/explorer/development.json', '/explorer/requests.json']) {
    for (const headers of [{}, ownPage])
      assert.equal((await fetch(`${baseUrl}${path}`, { headers })).status, 404, path);
  }
}

async function tokens(
  browser: Browser,
  { server: { baseUrl }, payer, tokens: { reader, writer }, revoke }: Production,
): Promise<void> {
  const asked: string[] = [];
  await browser.tab({ origin: baseUrl, expected: [/401 \(Unauthorized\)/, /403 \(Forbidden\)/] }, async (tab) => {
    const { page } = tab;
    page.on('request', (request) => asked.push(request.url()));
    page.on('framenavigated', (frame) => asked.push(frame.url()));
    await page.goto(`${baseUrl}/`);
    // Blocks and validators are open.
    await page.locator('section[aria-labelledby="validators-title"]', { hasText: '100' }).waitFor();
    await page.goto(`${baseUrl}/#/block/1`);
    await page.locator('.verdict.good').first().waitFor();
    assert.equal(await page.getByRole('link', { name: 'Development' }).count(), 0);
    // An account's balance is proven from the open RPC; the rest needs a token.
    await page.goto(`${baseUrl}/#/account/${payer}`);
    await page.locator('.notice', { hasText: 'need a token with transactions:read' }).waitFor();
    await page.locator('main', { hasText: '1,234.56 EUR' }).waitFor();

    const give = async (token: string): Promise<void> => {
      await page.locator('dialog input').fill(token);
      await page.keyboard.press('Enter');
    };
    await page.getByRole('button', { name: 'Give a token' }).click();
    await assertAccessible(tab, 'the form of the token');
    await browser.screenshot(tab, 'production-token');
    await give(`${reader.slice(0, -4)}AAAA`);
    await page.locator('dialog .notice', { hasText: 'token is unknown, expired or revoked' }).waitFor();
    assert.equal(await page.evaluate(`sessionStorage.length`), 0, 'a token that is not good is not kept');
    await give(writer);
    await page.locator('dialog .notice', { hasText: 'It lacks transactions:read' }).waitFor();
    await give(reader);
    await page.locator('dialog .notice', { hasText: 'It lacks transactions:write' }).waitFor();
    assert.deepEqual(await page.evaluate(`Object.values(sessionStorage)`), [reader]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.strip').waitFor();
    await browser.screenshot(tab, 'production-account');
    // It outlives a reload of this tab, and nothing else.
    await page.reload();
    await page.locator('.strip').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${baseUrl}/#/account/${payer}`);
    await other.locator('.notice', { hasText: 'need a token' }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Token' }).click();
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.keyboard.press('Escape');
    await page.locator('.notice', { hasText: 'need a token' }).waitFor();
    assert.equal(await page.evaluate(`sessionStorage.length + localStorage.length + document.cookie.length`), 0);
    // Revoked while the page is open: it says so, forgets it, and goes on with what is open to anyone.
    await page.getByRole('button', { name: 'Give a token' }).click();
    await give(reader);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${baseUrl}/#/`);
    await page.locator('main', { hasText: 'None yet.' }).waitFor();
    await revoke(reader);
    await page.locator('.connection', { hasText: 'it has expired or was revoked' }).waitFor();
    await page.locator('main', { hasText: 'None in the last 40 blocks' }).waitFor();
    await assertAccessible(tab, 'the overview after a token was revoked');
    await browser.screenshot(tab, 'production-revoked');
    assert.equal(await page.evaluate(`sessionStorage.length`), 0);
    await page.getByRole('button', { name: 'Give another token' }).waitFor();
  });
  const secretParts = [reader, writer].map((token) => token.split('_')[2] ?? token);
  assert.deepEqual(
    asked.filter((url) => secretParts.some((secret) => url.includes(secret))),
    [],
    'no address has a token',
  );
}

async function looks(browser: Browser, { server: { baseUrl }, payer }: Production): Promise<void> {
  await browser.eachLook({ origin: baseUrl }, async (tab) => {
    await tab.page.goto(`${baseUrl}/#/account/${payer}`);
    await tab.page.locator('.checks').waitFor();
    await assertAccessible(tab, 'an account without a token');
    await assertNoSidewaysScroll(tab, 'an account without a token');
    await tab.page.goto(`${baseUrl}/#/dev`);
    await tab.page.locator('.notice', { hasText: 'This is a production server' }).waitFor();
    await assertAccessible(tab, 'the development page of a production server');
  });
}

/** RPC_ACCESS=token, the default: the page says that a token is needed, and works with one that may read. */
async function closed(browser: Browser, { server: { baseUrl }, tokens: { reader } }: Production): Promise<void> {
  await browser.tab({ origin: baseUrl, expected: [/401 \(Unauthorized\)/, /403 \(Forbidden\)/] }, async (tab) => {
    const { page } = tab;
    await page.goto(`${baseUrl}/#/block/1`);
    await page.locator('.notice', { hasText: 'Give a token above to see this' }).waitFor();
    await assertAccessible(tab, 'a block without a token');
    await browser.screenshot(tab, 'production-closed');
    await page.getByRole('button', { name: 'Give a token' }).click();
    await page.locator('dialog input').fill(reader);
    await page.keyboard.press('Enter');
    await page.locator('.verdict.good').first().waitFor({ state: 'attached' });
  });
}
