/**
 * The package in a real Chromium: a page of another origin sends a transfer, receives it from the stream of events, waits for it, lists and
 * cancels.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium, type Page } from 'playwright-core';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { type Installed, PACKAGE } from './installed.ts';
import { bundle } from './sizes.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const PAGE_MS_MAX = 120_000;

/** Runs in the page; `ledger` is the bundle. */
const IN_THE_PAGE = `async ({ baseUrl, token, seed, to }) => {
  const client = ledger.createClient({ baseUrl, token });
  const signer = await ledger.signerFromSeed(seed);
  const told = ledger.events(client, { account: to, after: String((await ledger.listEvents(client, { limit: 1 })).height) });
  const { signed } = await ledger.sendTransfer(client, { signer, to, amount: 42n });
  const { value: event } = await told.next();
  await told.return();
  const result = await ledger.waitForTransaction(client, { txHash: signed.txHash });
  const listed = [];
  for await (const { txHash } of ledger.eachTransaction(client, { to, limit: 2 })) listed.push(txHash);
  const { nextNonce } = await ledger.getAccount(client, { address: signed.input.from });
  const waiting = await ledger.sendTransfer(client, { signer, to, amount: 1n, nonce: nextNonce + 5 });
  const cancelled = await ledger.cancelTransaction(client, { txHash: waiting.signed.txHash });
  const again = await ledger.submitTransaction(client, { signed });
  const refused = await ledger.getTransaction(client, { txHash: 'AB'.repeat(32) }).catch((error) => error.name);
  return { outcome: result.outcome, isTold: event.type === 'transaction.committed' && event.data.transaction.txHash === signed.txHash, isListed: listed.includes(signed.txHash), cancel: cancelled.outcome, replayed: again.replayed, refused };
}`;
const EXPECTED = {
  outcome: 'committed',
  isTold: true,
  isListed: true,
  cancel: 'cancelled',
  replayed: true,
  refused: 'NotFoundError',
};

/** Opens a page in a browser of its own. @returns the browser's version. */
export async function openPage(url: string, use: (page: Page) => Promise<void>): Promise<string> {
  const executablePath = BROWSERS.find(existsSync);
  if (executablePath === undefined)
    throw new Error('there is no Chromium: install it first (apt-get install chromium)');
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    const page = await browser.newPage();
    // A page that is rendered on request may load slowly on a busy machine; `use` waits for the parts that matter.
    await page.goto(url, { waitUntil: 'commit', timeout: PAGE_MS_MAX });
    await use(page);
    return browser.version();
  } finally {
    await browser.close();
  }
}

/** @param port of the server of the page; the service has to allow that origin. */
export async function checkBrowser(
  installed: Installed,
  port: number,
  { baseUrl, token, accounts }: DevelopmentFile,
): Promise<string> {
  const script = await bundle(installed, `export * from '${PACKAGE}';`, 'iife');
  const pages = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : '<!doctype html><title>client</title><script src="client.js"></script>');
  });
  pages.listen(port, '127.0.0.1');
  await once(pages, 'listening');
  try {
    const input = { baseUrl, token, seed: accounts[2]?.seed, to: accounts[3]?.address };
    const version = await openPage(`http://127.0.0.1:${port}/`, async (page) => {
      await page.waitForLoadState();
      const result: unknown = await page.evaluate(`(${IN_THE_PAGE})(${JSON.stringify(input)})`);
      if (JSON.stringify(result) !== JSON.stringify(EXPECTED))
        throw new Error(`in the browser: ${JSON.stringify(result)}`);
    });
    return `Chromium ${version}: sent, was told, waited, listed and cancelled`;
  } finally {
    pages.close();
  }
}
