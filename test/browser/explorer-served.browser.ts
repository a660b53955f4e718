/** The explorer behind a path prefix, where a proxy keeps the development token back, and switched off. */
import type { Browser } from './support/browser.ts';
import { assertAccessible } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { goTo, must, sees } from './support/explorer.ts';
import { prefixProxy } from './support/prefix-proxy.ts';
import { makePayments, type Payments, type Service, withService } from './support/service.ts';

export const suite: BrowserSuite = {
  name: 'the explorer behind a path prefix without a token, and switched off',
  run: async (browser) => {
    await withService({}, async (service) => behindPrefix(browser, service, await makePayments(service)));
    await withService({ EXPLORER: 'off' }, (service) => switchedOff(browser, service));
  },
};

async function behindPrefix(
  browser: Browser,
  { server, development }: Service,
  { committed, pending, cancelled }: Payments,
): Promise<void> {
  const proxy = await prefixProxy(server.baseUrl, '/ledger');
  const base = `${proxy.origin}/ledger`;
  try {
    // Who comes through a proxy may be anyone: the page is not given the token, and works with what is open.
    await browser.tab(
      { origin: proxy.origin, expected: [/status of 404 .*(explorer\/development\.json|rpc\/tx\?)/] },
      async (tab) => {
        const { page } = tab;
        await goTo(page, base, '#/');
        await sees(page, 'INV-2026-104');
        must(
          !(await page.locator('main').innerText()).includes('pending\n'),
          'without a token only what blocks hold is listed',
        );
        await browser.screenshot(tab, 'explorer-no-token');
        await goTo(page, base, '#/block/2');
        await sees(page, 'verified here');
        await goTo(page, base, `#/tx/${committed}`);
        await sees(page, 'The signature verifies');
        await sees(page, 'Its path leads to the data hash in the header');
        await assertAccessible(tab, 'a transaction without a token');
        await goTo(page, base, `#/tx/${pending}`);
        await sees(page, 'Not known');
        await goTo(page, base, `#/tx/${cancelled}`);
        await sees(page, 'Not known');
        must(
          !(await page.content()).includes(development.token) &&
            (await page.evaluate<number>('sessionStorage.length')) === 0,
          'there is no token in the page',
        );
        await page.locator('footer').getByRole('link', { name: 'Documentation' }).click();
        await page.waitForURL(`${base}/docs`);
      },
    );
  } finally {
    proxy.close();
  }
}

async function switchedOff(browser: Browser, { server: { baseUrl: origin } }: Service): Promise<void> {
  await browser.tab({ origin }, async (tab) => {
    await tab.page.goto(`${origin}/`);
    await sees(tab.page, 'txledger-dev-1');
    must((await tab.page.locator('script').count()) === 0, 'the plain page has no script');
    const statuses = await Promise.all(
      ['app.js', 'app.css', 'development.json'].map(async (file) => (await fetch(`${origin}/explorer/${file}`)).status),
    );
    must(
      statuses.every((status) => status === 404),
      `no file of the explorer is there: ${statuses.join()}`,
    );
  });
}
