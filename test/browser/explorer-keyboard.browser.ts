/** The explorer by keyboard alone: every step has a visible focus, and none is a trap. */
import type { Page } from 'playwright-core';
import { sendTransfer, signerFromSeed } from '../../client/src/index.ts';
import type { BrowserSuite } from './support/check.ts';
import { goTo, must, sees, shown } from './support/explorer.ts';
import { makePayments, withService } from './support/service.ts';

/** More than any page here has. */
const STOPS_MAX = 80;

export const suite: BrowserSuite = {
  name: 'the explorer by keyboard alone',
  run: (browser) =>
    withService({}, async (service) => {
      const { pending } = await makePayments(service);
      const origin = service.server.baseUrl;
      await browser.tab({ origin }, async ({ page }) => {
        await goTo(page, origin, '#/');
        await sees(page, 'committed');
        await page.keyboard.press('Tab');
        must((await focusText(page)) === 'Skip to the content', 'the first stop leads past the menu');
        await page.keyboard.press('Enter');
        must(
          (await page.evaluate<string>('document.activeElement.id')) === 'main',
          'the skip link leads to the content',
        );

        await tabTo(page, /^Block \d+: /);
        const newest = await focusText(page);
        await page.keyboard.press('ArrowLeft');
        const before = await focusText(page);
        must(
          heightIn(before) === heightIn(newest) - 1,
          `the arrow goes to the block before: from ${newest} to ${before}`,
        );
        // A new block comes meanwhile, and must not take the focus away.
        const {
          client,
          development: { accounts },
        } = service;
        await sendTransfer(client, {
          signer: await signerFromSeed(accounts[8]?.seed ?? ''),
          to: accounts[9]?.address ?? '',
          amount: 1n,
        });
        await page.locator(`.bars a:last-child:not([aria-label^="Block ${heightIn(newest)}:"])`).waitFor();
        must(heightIn(await focusText(page)) === heightIn(before), 'a new block leaves the focus where it is');
        await page.keyboard.press('Enter');
        await shown(page, 'block');
        await sees(page, `Block ${heightIn(before)}`);

        await goTo(page, origin, `#/tx/${pending}`);
        await tabTo(page, /^Cancel…$/);
        await page.keyboard.press('Enter');
        must((await focusText(page)) === 'Keep it', 'the dialog begins at what changes nothing');
        await page.keyboard.press('Escape');
        must((await focusText(page)) === 'Cancel…', 'the focus is back where it was');
      });
      await everyStopIsVisible();

      async function everyStopIsVisible(): Promise<void> {
        for (const fragment of ['#/', '#/block/2', `#/tx/${pending}`]) {
          await browser.tab({ origin }, async ({ page }) => {
            await goTo(page, origin, fragment);
            const seen = new Set<string>();
            for (let i = 0; i < STOPS_MAX; i++) {
              await page.keyboard.press('Tab');
              const stop = await page.evaluate<{ isBody: boolean; isVisible: boolean; what: string }>(FOCUSED);
              if (stop.isBody) break;
              must(stop.isVisible, `the focus cannot be seen on ${stop.what} of ${fragment}`);
              seen.add(stop.what);
            }
            must(seen.size > 8, `the tab key goes through ${fragment}`);
          });
        }
      }
    }),
};

/** A ring, or for a bar of the blocks a frame around it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === document.body || element === null) return { isBody: true, isVisible: true, what: 'body' };
  const style = getComputedStyle(element);
  const area = element.querySelector('.area');
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const frame = area !== null && parseFloat(getComputedStyle(area).strokeWidth) >= 2 && getComputedStyle(area).stroke !== 'none';
  return { isBody: false, isVisible: ring || frame, what: element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40) };
})()`;

const heightIn = (text: string): number => Number(/^Block (\d+)/.exec(text)?.[1]);

function focusText(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
  );
}

async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let i = 0; i < STOPS_MAX; i++) {
    if (text.test(await focusText(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the tab key does not lead to ${text}`);
}
