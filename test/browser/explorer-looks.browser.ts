/** The explorer's own pages in every look: WCAG 2.2 AA, no sideways scroll, a screenshot of each. */
import { getTransaction } from '../../client/src/index.ts';
import { assertAccessible, assertNoSidewaysScroll, type Tab } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { goTo, sees } from './support/explorer.ts';
import { makePayments, withService } from './support/service.ts';

export const suite: BrowserSuite = {
  name: 'overview, block and transaction at both widths, light and dark',
  run: (browser) =>
    withService({}, async (service) => {
      const { committed, pending, cancelled } = await makePayments(service);
      const { history } = await getTransaction(service.client, { txHash: committed });
      const height = history.at(-1)?.height;
      const pages: readonly (readonly [name: string, fragment: string, until: string | RegExp])[] = [
        ['overview', '#/', 'committed'],
        ['block', `#/block/${height}`, 'verified here'],
        ['committed', `#/tx/${committed}`, 'The signature verifies'],
      ];
      // Made of the same parts.
      const others: typeof pages = [
        ['pending', `#/tx/${pending}`, 'In a block'],
        ['cancelled', `#/tx/${cancelled}`, 'This is the receipt of what decided the transfer'],
        ['not-a-block', '#/block/x', 'Not a block'],
        ['not-a-page', '#/nothing', 'Not a page'],
      ];
      const look =
        (some: typeof pages) =>
        async (tab: Tab): Promise<void> => {
          for (const [name, fragment, until] of some) {
            await goTo(tab.page, service.server.baseUrl, fragment);
            await sees(tab.page, until);
            await assertAccessible(tab, name);
            await assertNoSidewaysScroll(tab, name);
            await browser.screenshot(tab, `explorer-${name}`);
          }
        };
      const origin = service.server.baseUrl;
      await browser.eachLook({ origin }, look(pages));
      await browser.twoLooks({ origin }, look(others));
    }),
};
