/** What a file `test/browser/NAME.browser.ts` is: one suite of checks, which share a server and a browser. */
import type { Browser } from './browser.ts';

export interface BrowserSuite {
  /** A sentence: what it shows. */
  readonly name: string;
  /** Throws when a check fails. */
  run(browser: Browser): Promise<void>;
}
