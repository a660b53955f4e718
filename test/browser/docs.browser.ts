/** The documentation: every kind of page in every look, by keyboard alone, its search, old addresses, without a script, and behind a path prefix. */
import assert from 'node:assert/strict';
import { assertAccessible, assertNoSidewaysScroll, type Browser, type Tab } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { prefixProxy } from './support/prefix-proxy.ts';
import { withService } from './support/service.ts';

/** Of these two everything that has a colour is seen in every look: a recipe with programs and tables, and operations with their verbs. */
const COLOURS = ['/signing', '/accounts'] as const;
/** And one of each other kind: the index, a guide with long tables and programs, text, methods of the RPC, headers, errors, downloads. */
const KINDS = ['', '/partners', '/conventions', '/rpc-abci', '/headers', '/errors', '/vectors'] as const;

export const suite: BrowserSuite = {
  name: 'the documentation in every look',
  run: (browser) =>
    withService({}, async ({ server }) => {
      const origin = server.baseUrl;
      await looks(browser, origin);
      await browser.tab({ origin }, (tab) => keyboardAlone(tab, origin));
      await browser.tab({ origin, width: 390 }, (tab) => onAPhone(browser, tab, origin));
      await browser.tab({ origin }, (tab) => oldAddresses(tab, origin));
      await behindAPrefix(browser, origin);
    }),
};

async function looks(browser: Browser, origin: string): Promise<void> {
  const look =
    (kinds: readonly string[]) =>
    async (tab: Tab): Promise<void> => {
      for (const kind of kinds) {
        const name = kind === '' ? 'overview' : kind.slice(1);
        await open(tab, `${origin}/docs${kind}`);
        await assertAccessible(tab, name);
        await assertNoSidewaysScroll(tab, name);
        const marked = await tab.page.locator('nav.side [aria-current="page"]').allTextContents();
        assert.equal(marked.length, 1, `${name}: the menu marks ${marked.length} pages as the current one`);
        await browser.screenshot(tab, `docs-${name}`);
      }
    };
  await browser.eachLook({ origin }, look(COLOURS));
  await browser.twoLooks({ origin }, look(KINDS));
}

/** Opens a page and waits until its script has run. */
async function open({ page }: Tab, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector('form.search:not([hidden])');
}

const focused = ({ page }: Tab): Promise<string> =>
  page.evaluate<string>(`document.activeElement.textContent.trim() || document.activeElement.tagName`);

/** From the first page to an explanation of an error code, and back into the text, without a mouse. */
async function keyboardAlone(tab: Tab, origin: string): Promise<void> {
  const { page } = tab;
  const { keyboard } = page;
  await open(tab, `${origin}/docs/signing`);
  await keyboard.press('Tab');
  assert.equal(await focused(tab), 'Skip to the content');
  await keyboard.press('Enter');
  assert.equal(await page.evaluate(`document.activeElement.id`), 'main');
  await keyboard.press('/');
  await keyboard.type('nonce confl');
  await page.waitForSelector('.found a');
  await keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(`document.activeElement.querySelector('strong').textContent`), 'nonce_conflict');
  await assertAccessible(tab, 'search results');
  await keyboard.press('ArrowUp');
  assert.equal(await focused(tab), 'INPUT');
  await keyboard.press('Escape');
  assert.ok(await page.locator('.found').isHidden(), 'Escape does not close the results');
  await keyboard.type('i');
  await keyboard.press('Backspace');
  await page.waitForSelector('.found a');
  await keyboard.press('Enter');
  await page.waitForURL(`${origin}/docs/errors#nonce_conflict`);
  await page.locator('nav.side [aria-current="location"]', { hasText: /^nonce_conflict$/ }).waitFor();
  // The slash is a character like any other where someone types.
  await keyboard.press('/');
  await keyboard.type('/docs zzzz');
  await page.locator('.found p', { hasText: 'Nothing found for “/docs zzzz”' }).waitFor();
  // A table that scrolls is reached and moved by the keyboard.
  await page.setViewportSize({ width: 700, height: 800 });
  await open(tab, `${origin}/docs/partners`);
  await page.locator('.table[tabindex="0"]').first().focus();
  const scrolled = page.evaluate(
    `new Promise((resolve) => document.activeElement.addEventListener('scroll', resolve, { once: true })).then(() => undefined)`,
  );
  await keyboard.press('ArrowRight');
  await scrolled;
}

async function onAPhone(browser: Browser, tab: Tab, origin: string): Promise<void> {
  const { page } = tab;
  await open(tab, `${origin}/docs/errors`);
  assert.ok(await page.locator('nav.side').isHidden(), 'the menu covers the page of a phone');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('nav.side').waitFor();
  await assertAccessible(tab, 'the menu of a phone');
  await page.screenshot({ path: `${browser.output}/docs-menu-390.png` });
  await page.locator('nav.side').getByRole('link', { name: 'insufficient_funds' }).click();
  assert.ok(await page.locator('nav.side').isHidden(), 'the menu stays open over the section that was chosen');
  await page.locator('form.search input').fill('receipt');
  await page.waitForSelector('.found a');
  await assertNoSidewaysScroll(tab, 'search on a phone');
  await assertAccessible(tab, 'search on a phone');
  await page.screenshot({ path: `${browser.output}/docs-search-390.png` });
}

async function oldAddresses(tab: Tab, origin: string): Promise<void> {
  const moved = {
    submitTransaction: '/docs/transactions#submitTransaction',
    'schema-Transaction': '/docs/schemas#schema-Transaction',
    'tag-RPC-Blocks': '/docs/rpc-blocks',
    postRpcStatus: '/docs/rpc-network#getRpcStatus',
  };
  for (const [anchor, target] of Object.entries(moved)) {
    await tab.page.goto('about:blank');
    await tab.page.goto(`${origin}/docs#${anchor}`);
    await tab.page.waitForURL(`${origin}${target}`);
  }
  await open(tab, `${origin}/docs#schemas`);
  assert.equal(tab.page.url(), `${origin}/docs#schemas`);
}

async function behindAPrefix(browser: Browser, origin: string): Promise<void> {
  const proxy = await prefixProxy(origin, '/ledger');
  try {
    await browser.tab({ origin: proxy.origin }, async (tab) => {
      await open(tab, `${proxy.origin}/ledger/docs/transactions`);
      await tab.page.locator('form.search input').fill('validUntil');
      await tab.page.locator('.found a').first().click();
      await tab.page.waitForURL(new RegExp(`^${proxy.origin}/ledger/docs/`));
      await tab.page.locator('nav.side').getByRole('link', { name: 'Errors' }).click();
      await tab.page.waitForURL(`${proxy.origin}/ledger/docs/errors`);
    });
  } finally {
    proxy.close();
  }
}
