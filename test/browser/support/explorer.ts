/** Goes to pages of the explorer, and waits until each is there. */
import type { Page } from 'playwright-core';

/** By the fragment: `#/block/3`. @param name the page's, as in the fragment; `overview` for the first. */
export async function goTo(page: Page, origin: string, fragment: string): Promise<void> {
  // A load of its own: in the same document the page before would still be there for a moment.
  await page.goto('about:blank');
  await page.goto(`${origin}/${fragment}`);
  await shown(page, /^#\/(\w+)/.exec(fragment)?.[1] ?? 'overview');
}

/** Waits for a page that something else leads to. */
export async function shown(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`[data-shown="${name}"]`);
}

/** Waits for a text in the main part. */
export async function sees(page: Page, text: string | RegExp, within = 'main'): Promise<void> {
  await page.locator(within).getByText(text).first().waitFor();
}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
