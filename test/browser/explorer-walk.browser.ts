/** The newcomer's walk: look, see a transfer come and commit, open its proof and its block, cancel one that waits. And nothing false passes. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { getTransaction, type Receipt, sendTransfer, signerFromSeed, verifyReceipt } from '../../client/src/index.ts';
import type { Browser } from './support/browser.ts';
import type { BrowserSuite } from './support/check.ts';
import { goTo, must, sees, shown } from './support/explorer.ts';
import { makePayments, type Payments, type Service, withService } from './support/service.ts';

/** Longer than every other answer takes. */
const CHAIN_LATE_MS = 2000;

export const suite: BrowserSuite = {
  name: 'a newcomer looks, checks and cancels, live',
  run: (browser) =>
    withService({}, async (service) => {
      const payments = await makePayments(service);
      await walk(browser, service, payments);
      await liveEitherWay(browser, service);
      await slowChain(browser, service, payments);
      await falseBlocks(browser, service, payments);
    }),
};

async function walk(
  browser: Browser,
  { server, development: { accounts }, client }: Service,
  { pending }: Payments,
): Promise<void> {
  const origin = server.baseUrl;
  // A receipt needs the next block: until then the service says 409, which the page waits out.
  await browser.tab({ origin, expected: [/status of 409 .*\/receipt/] }, async ({ page }) => {
    await goTo(page, origin, '#/');
    // Live: a transfer that is made meanwhile comes by itself, and is committed by itself.
    const signer = await signerFromSeed(accounts[4]?.seed ?? '');
    const { transaction } = await sendTransfer(client, {
      signer,
      to: accounts[5]?.address ?? '',
      amount: 31_337n,
      reference: 'LIVE-1',
    });
    const row = page.locator('tr', { hasText: 'LIVE-1' });
    await row.getByText('committed').waitFor();
    must(
      (await row.innerText()).includes('313.37 DEV'),
      'the amount has a decimal point, because the currency has two digits behind it',
    );
    await row.locator('a').first().click();
    await shown(page, 'tx');

    for (const moment of ['Accepted', 'Broadcast', 'Committed']) await sees(page, moment, '.timeline');
    await sees(page, 'Block', '.facts');
    await page.locator('.merkle').waitFor();
    must(
      (await page.locator('.verdict.good').count()) >= 8 && (await page.locator('.verdict.bad').count()) === 0,
      'seven checks of the receipt and the signature have a tick, and none a cross',
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download receipt' }).click(),
    ]);
    const receipt = JSON.parse(await readFile(await download.path(), 'utf8')) as Receipt;
    const genesis = ((await (await fetch(`${origin}/rpc/genesis`)).json()) as { result: { genesis: object } }).result
      .genesis;
    must(
      (await verifyReceipt(receipt, { genesis })).txHash === transaction.txHash,
      'the receipt that was downloaded proves the transfer',
    );
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    must(
      command === `curl -H "Authorization: Bearer $TOKEN" '${origin}/transactions/${transaction.txHash}'`,
      `the command is one that can be pasted, and has no token: ${command}`,
    );

    const height = receipt.height;
    await page
      .locator('.facts')
      .getByRole('link', { name: String(height), exact: true })
      .click();
    await sees(page, `Block ${height}`);
    await sees(page, 'verified here');
    await sees(page, 'signature verifies');
    await page.keyboard.press('ArrowLeft');
    await sees(page, `Block ${height - 1}`);
    await page.keyboard.press('ArrowRight');
    await sees(page, `Block ${height}`);

    await goTo(page, origin, `#/tx/${pending}`);
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await sees(page, 'pending', 'h1');
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('button', { name: 'Cancel the transfer' }).click();
    await sees(page, 'cancelled', 'h1');
    await sees(page, 'This is the receipt of what decided the transfer');
    must(
      (await page.locator('p[role=status]').innerText()) === 'The transfer is cancelled.',
      'a screen reader is told',
    );
  });
  await laterByItself(browser, origin, { accounts, client });
}

/** A transfer behind a gap commits on the open page, when the gap is filled. */
async function laterByItself(
  browser: Browser,
  origin: string,
  { accounts, client }: Pick<Service['development'], 'accounts'> & Pick<Service, 'client'>,
): Promise<void> {
  const signer = await signerFromSeed(accounts[6]?.seed ?? '');
  const to = accounts[7]?.address ?? '';
  const { transaction } = await sendTransfer(client, { signer, to, amount: 5n, nonce: 1 });
  await browser.tab({ origin, expected: [/status of 409 .*\/receipt/] }, async ({ page }) => {
    await goTo(page, origin, `#/tx/${transaction.txHash}`);
    await sees(page, 'It waits for a transfer with nonce 0');
    await sendTransfer(client, { signer, to, amount: 1n, nonce: 0 });
    await sees(page, 'committed', 'h1');
    await page.locator('.merkle').waitFor();
  });
}

/** The stream of events alone, and the look of every second alone, each bring a new transfer onto the page. */
async function liveEitherWay(
  browser: Browser,
  { server: { baseUrl: origin }, development: { accounts }, client }: Service,
): Promise<void> {
  const signer = await signerFromSeed(accounts[8]?.seed ?? '');
  const comesByItself = async (page: Page, reference: string): Promise<void> => {
    await goTo(page, origin, '#/');
    await sees(page, 'committed');
    await sendTransfer(client, { signer, to: accounts[9]?.address ?? '', amount: 1n, reference });
    await page.locator('tr', { hasText: reference }).getByText('committed').waitFor();
  };
  await browser.tab({ origin }, async ({ page }) => {
    await page.addInitScript(
      `{ const later = setTimeout; globalThis.setTimeout = (work, ms, ...rest) => (ms === 1000 ? 0 : later(work, ms, ...rest)); }`,
    );
    await comesByItself(page, 'BY-STREAM');
  });
  await browser.tab({ origin, expected: [/status of 404 .*\/events/] }, async ({ page }) => {
    await page.route(`${origin}/events`, (route) => route.fulfill({ status: 404, body: '' }));
    await comesByItself(page, 'BY-LOOKING');
  });
}

/** A page that is there before the chain is known judges nothing yet: the chain's id is in every signature. */
async function slowChain(
  browser: Browser,
  { server: { baseUrl: origin } }: Service,
  { committed }: Payments,
): Promise<void> {
  await browser.tab({ origin }, async ({ page }) => {
    await page.route(`${origin}/chain`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, CHAIN_LATE_MS));
      await route.continue().catch(() => undefined);
    });
    await goTo(page, origin, `#/tx/${committed}`);
    await sees(page, 'The signature verifies');
    must((await page.locator('h1').innerText()).includes('20.00 DEV'), 'the amount is in the currency of the chain');
  });
}

/** What a lying service would say is not shown as true. */
async function falseBlocks(
  browser: Browser,
  { server: { baseUrl: origin }, client }: Service,
  { committed }: Payments,
): Promise<void> {
  const { history } = await getTransaction(client, { txHash: committed });
  const block = `#/block/${history.at(-1)?.height}`;
  await browser.tab({ origin }, async ({ page }) => {
    await goTo(page, origin, block);
    await sees(page, 'verified here');
    const lies: readonly (readonly [path: string, lie: (answer: any) => void, says: string])[] = [
      [
        'commit',
        ({ signed_header: { header } }) => (header.app_hash = `00${header.app_hash.slice(2)}`),
        'Fails: The hash is that of this header',
      ],
      [
        'commit',
        ({ signed_header: { commit } }) => (commit.signatures[0].timestamp = '2026-01-01T00:00:00Z'),
        'signature does not verify',
      ],
      ['block', ({ block }) => block.data.txs.pop(), 'Fails: The data hash'],
      ['validators', ({ validators }) => (validators[0].voting_power = '11'), 'Fails: The validators'],
    ];
    for (const [method, lie, says] of lies) {
      await lying(
        page,
        new RegExp(`/rpc/${method}\\?`),
        (answer) => lie(answer.result),
        async () => {
          await goTo(page, origin, block);
          await sees(page, 'does not verify', 'h1');
          must(
            (await page.locator('main').textContent())?.includes(says) === true,
            `with another ${method} the page says: ${says}`,
          );
        },
      );
    }
    const receipts: readonly (readonly [lie: (receipt: any) => void, says: string])[] = [
      [(receipt) => (receipt.result.code = 1), 'Fails: Block'],
      [(receipt) => (receipt.transactionProof.aunts[0] = receipt.transactionProof.leaf_hash), 'Fails: Its path'],
      [(receipt) => (receipt.txHash = `00${receipt.txHash.slice(2)}`), 'Fails: The hash'],
    ];
    for (const [lie, says] of receipts) {
      await lying(page, /\/receipt$/, lie, async () => {
        await goTo(page, origin, `#/tx/${committed}`);
        await page.locator('.verdict.bad').first().waitFor();
        must(
          (await page.locator('main').textContent())?.includes(says) === true,
          `with a false receipt the page says: ${says}, not ${await page.locator('main').textContent()}`,
        );
      });
    }
  });
}

async function lying(page: Page, url: RegExp, lie: (answer: any) => void, use: () => Promise<void>): Promise<void> {
  await page.route(url, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as object;
    lie(body);
    await route.fulfill({ response: answer, json: body });
  });
  await use();
  await page.unroute(url);
}
