/**
 * What does not go as it should: transfers that failed and expired, places that do not exist, a service that goes away and comes back, an answer
 * that is lost. Every page says so in a sentence, and goes on by itself. With two threads that serve HTTP, whichever of them answers.
 */
import type { Page } from 'playwright-core';
import {
  encodeAddress,
  generateSeed,
  getAccount,
  sendTransfer,
  signerFromSeed,
  waitForTransaction,
} from '../../client/src/index.ts';
import { type Cancel, encodeTransaction, signTransaction } from '../../server/ledger/index.ts';
import { assertAccessible, assertNoSidewaysScroll, type Browser } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { goTo, must, sees, shown } from './support/explorer.ts';
import { makePayments, type Payments, type Service, withService } from './support/service.ts';

/** What the console says of a service that is away, and of proofs that are asked for a block early. */
const AWAY = [/net::ERR_/, /status of (404|409|422|502|503)/];

export const suite: BrowserSuite = {
  name: 'what fails, is missing, or goes away, in sentences',
  run: (browser) =>
    withService({ HTTP_THREADS: '2' }, async (service) => {
      await empty(browser, service);
      const payments = await makePayments(service);
      await endings(browser, service);
      await missing(browser, service, payments);
      await wrongInput(browser, service);
      await lostAnswer(browser, service);
      await away(browser, service, payments);
    }),
};

/** A chain without a transfer says what to do. */
async function empty(
  browser: Browser,
  { server: { baseUrl: origin }, development: { accounts } }: Service,
): Promise<void> {
  await browser.twoLooks({ origin }, async (tab) => {
    await goTo(tab.page, origin, '#/');
    await sees(tab.page, 'Send the first one');
    await assertAccessible(tab, 'an empty overview');
    await browser.screenshot(tab, 'explorer-empty');
    await goTo(tab.page, origin, `#/account/${accounts[9]?.address}`);
    await sees(tab.page, 'No money has moved in or out of this account yet.');
    await browser.screenshot(tab, 'account-empty');
  });
}

async function endings(
  browser: Browser,
  { server: { baseUrl: origin }, client, development: { accounts, chainId, token } }: Service,
): Promise<void> {
  const [failing, expiring, other] = [accounts[6], accounts[7], accounts[8]];
  const to = other?.address ?? '';
  // Behind a gap until the chain is past its end.
  const late = await sendTransfer(client, {
    signer: await signerFromSeed(expiring?.seed ?? ''),
    to,
    amount: 700n,
    nonce: 1,
    validForMs: 1000,
  });
  // A cancel that its sender meant for another transfer voids its nonce.
  const waiting = await sendTransfer(client, {
    signer: await signerFromSeed(failing?.seed ?? ''),
    to,
    amount: 800n,
    nonce: 1,
  });
  const seed = Buffer.from(failing?.seed ?? '', 'hex');
  const cancel = {
    kind: 'cancel',
    chainId,
    from: failing?.address ?? '',
    nonce: 1,
    signer: failing?.address ?? '',
    txHash: 'AB'.repeat(32),
  } as const;
  const raw = encodeTransaction(signTransaction<Cancel>(cancel, seed));
  const answer = await fetch(`${origin}/rpc/broadcast_tx_sync`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ tx: Buffer.from(raw).toString('base64') }),
  });
  must(answer.ok, await answer.text());
  const ends = await Promise.all(
    [late, waiting].map(({ signed }) => waitForTransaction(client, { txHash: signed.txHash, timeoutMs: 60_000 })),
  );
  must(
    ends.map(({ outcome }) => outcome).join() === 'expired,failed',
    `one expires and one fails: ${ends.map(({ outcome }) => outcome).join()}`,
  );
  await browser.twoLooks({ origin }, async (tab) => {
    for (const [name, { signed }] of [
      ['expired', late],
      ['failed', waiting],
    ] as const) {
      await goTo(tab.page, origin, `#/tx/${signed.txHash}`);
      await sees(tab.page, name, 'h1');
      await tab.page.locator('.merkle').waitFor();
      await assertAccessible(tab, name);
      await assertNoSidewaysScroll(tab, name);
      await browser.screenshot(tab, `explorer-${name}`);
    }
  });
}

/** Heights, hashes and addresses that nothing has, and searches that mean nothing. */
async function missing(
  browser: Browser,
  { server: { baseUrl: origin } }: Service,
  { committed }: Payments,
): Promise<void> {
  const fresh = encodeAddress((await signerFromSeed(generateSeed())).publicKey, 'txlt');
  await browser.tab({ origin, expected: AWAY, width: 390 }, async (tab) => {
    const { page } = tab;
    const says = async (fragment: string, text: string | RegExp, title: RegExp): Promise<void> => {
      await goTo(page, origin, fragment);
      await sees(page, text);
      must(title.test(await page.title()), `${fragment} has the title ${await page.title()}`);
      await assertAccessible(tab, fragment);
      await assertNoSidewaysScroll(tab, fragment);
    };
    await says('#/block/99999999', /This page shows block 99999999 as soon as there is one/, /^Block 99999999 · /);
    await says('#/block/0', 'Not a block', /^Not a block · /);
    await says(
      `#/tx/${'A'.repeat(64)}`,
      /This service has not accepted a transfer with it either/,
      /^Transaction AAAAAAAA · /,
    );
    await says('#/tx/abc', 'Not a transaction', /^Not a transaction · /);
    await says(`#/account/${fresh}`, /the ledger has no account at this address/, /^Account txlt1/);
    await browser.screenshot(tab, 'account-unknown');
    await says('#/account/txlt1nonsense', /It looks like an address, but/, /^Account txlt1/);
    await says('#/nowhere', /There is no page/, /^Not a page · /);
    await says(
      `#/search?q=${encodeURIComponent('ünsinn "quoted"')}`,
      /It is no hash, height, address or reference/,
      /^Search: ünsinn/,
    );
    must(
      (await page.locator('#search').inputValue()) === 'ünsinn "quoted"',
      'what was searched for stays in the field, to be corrected',
    );
    await browser.screenshot(tab, 'search-nonsense');
    // The way back leads over no page that only led on.
    await goTo(page, origin, '#/');
    await page.locator('#search').fill(committed);
    await page.keyboard.press('Enter');
    await shown(page, 'tx');
    await page.goBack();
    await shown(page, 'overview');
    await page.goForward();
    await shown(page, 'tx');
    await page.reload();
    await shown(page, 'tx');
  });
}

/** Each field says what is wrong with it, and what the service refuses is said in its words. */
async function wrongInput(browser: Browser, { server: { baseUrl: origin } }: Service): Promise<void> {
  await browser.tab({ origin, expected: AWAY, width: 390 }, async (tab) => {
    const { page } = tab;
    await goTo(page, origin, '#/dev');
    const form = page.locator('section[aria-labelledby="send"]');
    const tried: readonly (readonly [label: string, text: string, says: RegExp])[] = [
      ['To', 'txlt1qqqqqqqq', /It looks like an address/],
      ['To', 'Alice', /Write an address, or a name such as dev-1/],
      ['Amount in DEV', '1,000', /if it groups digits, write 1,000\.00 DEV/],
      ['Amount in DEV', '0', /at least 0\.01 DEV/],
      ['Amount in DEV', '1.234', /at most 2 digits behind the point/],
      ['Reference', 'a"b', /printable ASCII/],
      ['Nonce', '1.5', /whole number/],
    ];
    await form.getByText('More', { exact: true }).click();
    for (const [label, text, says] of tried) {
      const field = form.getByLabel(label, { exact: true });
      await field.fill(text);
      await form.getByRole('button', { name: 'Sign and send' }).click();
      await form.getByText(says).waitFor();
      must((await field.getAttribute('aria-invalid')) === 'true', `${label} is marked`);
      if (text === 'a"b') await browser.screenshot(tab, 'development-faults');
      await field.fill('');
    }
    await form.getByLabel('To', { exact: true }).fill('dev-1');
    await form.getByLabel('Amount in DEV', { exact: true }).fill('99999999999999999');
    await form.getByRole('button', { name: 'Sign and send' }).click();
    await form.getByRole('link', { name: 'insufficient_funds' }).waitFor();
    await form.getByLabel('Amount in DEV', { exact: true }).fill('1');
    await form.getByLabel('Valid until', { exact: true }).fill('2020-01-01T00:00:00');
    await form.getByRole('button', { name: 'Sign and send' }).click();
    await form.getByRole('link', { name: 'validity_passed' }).waitFor();
    await assertNoSidewaysScroll(tab, 'a refusal');
    await browser.screenshot(tab, 'development-refused');
  });
}

/** The answer to a submission is lost: sent again it is the same transfer, and paid once. */
async function lostAnswer(
  browser: Browser,
  { server: { baseUrl: origin }, client, development: { accounts } }: Service,
): Promise<void> {
  const payer = accounts[5]?.address ?? '';
  await browser.tab({ origin, expected: AWAY }, async ({ page }) => {
    await goTo(page, origin, '#/dev?from=dev-5');
    const form = page.locator('section[aria-labelledby="send"]');
    await form.getByLabel('To', { exact: true }).fill('dev-1');
    await form.getByLabel('Amount in DEV', { exact: true }).fill('3.21');
    await page.route(`${origin}/transactions`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await form.getByRole('button', { name: 'Sign and send' }).click();
    await form.getByText('It is not known whether the transfer').waitFor();
    await page.unroute(`${origin}/transactions`);
    await form.getByRole('button', { name: 'Sign and send' }).click();
    await shown(page, 'tx');
    await sees(page, 'committed', 'h1');
  });
  const { nonce } = await getAccount(client, { address: payer });
  must(nonce === 1, `it was paid once, not ${nonce} times`);
}

/** While the service is away each page keeps what it shows and says so; when it is back each goes on, also one that could not begin. */
async function away(
  browser: Browser,
  { server, client, development: { accounts } }: Service,
  { committed, pending }: Payments,
): Promise<void> {
  const origin = server.baseUrl;
  const fragments = ['#/', '#/dev', `#/account/${accounts[0]?.address}`, `#/tx/${pending}`, '#/block/2'];
  await browser.tab({ origin, expected: AWAY }, async (tab) => {
    const { page: first } = tab;
    const pages: Page[] = [];
    for (const fragment of fragments) {
      const page = pages.length === 0 ? first : await first.context().newPage();
      pages.push(page);
      await goTo(page, origin, fragment);
    }
    await sees(first, 'committed');
    const later = pages.at(-1) as Page;
    await server.stop();
    for (const page of pages)
      await page.locator('.connection', { hasText: /The service has not answered since/ }).waitFor();
    await later.evaluate(`location.hash = '#/tx/${committed}'`);
    await sees(later, 'The service does not answer');
    await assertAccessible(tab, 'the overview of a service that is away');
    for (const [i, page] of pages.entries())
      await page.screenshot({ path: `${browser.output}/explorer-away-${i}.png` });
    must((await first.locator('main .notice.bad').count()) === 0, 'what goes on by itself does not say it once more');
    await server.start();
    for (const page of pages) await page.locator('.connection').waitFor({ state: 'hidden' });
    await sees(later, 'The signature verifies');
    await sendTransfer(client, {
      signer: await signerFromSeed(accounts[0]?.seed ?? ''),
      to: accounts[1]?.address ?? '',
      amount: 5n,
      reference: 'BACK-AGAIN',
    });
    await first.locator('tr', { hasText: 'BACK-AGAIN' }).getByText('committed').waitFor();
    await (pages[2] as Page).locator('table.statement tr', { hasText: 'BACK-AGAIN' }).waitFor();
    // The list of requests of the process that answers now.
    await (pages[1] as Page).locator('table.requests tr', { hasText: 'POST' }).first().waitFor();
  });
}
