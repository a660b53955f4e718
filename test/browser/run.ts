/**
 * Checks of pages in a real Chromium: `node test/browser/run.ts [NAME...]` runs every `*.browser.ts` here, or those named.
 * Screenshots go to the folder BROWSER_OUTPUT, or to one that is made and named at the end.
 */
import { readdirSync } from 'node:fs';
import { Browser } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';

const ENDING = '.browser.ts';
const asked = process.argv.slice(2);
const all = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : [],
);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`no such suite: ${unknown.join(', ')}. There are ${all.join(', ')}`);

const browser = await Browser.launch();
console.log(`Chromium ${browser.version}`);
const startedMs = performance.now();
let failed = 0;
try {
  for (const name of asked.length === 0 ? all.sort() : asked) {
    const { suite } = (await import(`./${name}${ENDING}`)) as { suite: BrowserSuite };
    const beganMs = performance.now();
    try {
      await suite.run(browser);
      console.log(`ok    ${name}: ${suite.name} (${Math.round(performance.now() - beganMs)} ms)`);
    } catch (error) {
      failed += 1;
      console.error(`FAILED ${name}: ${suite.name}\n${(error as Error).stack}`);
    }
  }
} finally {
  await browser.close();
}
console.log(
  `${failed === 0 ? 'All' : `${failed} failed;`} done in ${Math.round((performance.now() - startedMs) / 1000)} s; screenshots are in ${browser.output}`,
);
process.exitCode = failed === 0 ? 0 : 1;
