/** An account: its balance with the proof, its nonces, its statement and its transfers; all as of the last block. */
import { proofView } from '../account/proof-view.ts';
import { type ProvenAccount, proveAccount } from '../account/prove.ts';
import { nonceStrip, voidNonces } from '../account/nonce-strip.ts';
import { accountPath, Statement } from '../account/statement.ts';
import { nonceStripView } from '../account/strip-view.ts';
import { Transfers } from '../account/transfers.ts';
import { type Account, type Chain, get, type Transaction, type TransactionDetail } from '../api.ts';
import { h, put } from '../dom.ts';
import { watchChain } from '../live.ts';
import type { Page, PageContext } from '../page.ts';
import { copyButton } from '../parts/copy.ts';
import { notice, partNotice } from '../parts/notice.ts';
import { amountText, blockLink, shortText } from '../parts/value.ts';
import { accountName, token } from '../session.ts';
import { classify } from '../search/classify.ts';

/** Pending transfers whose nonces are read, one by one: the strip shows no more of them. */
const PENDING_READ_MAX = 20;

export const account: Page = async (context) => {
  const { route, main, title, signal } = context;
  const [address = ''] = route.rest;
  const chain = await get<Chain>('chain', {}, signal);
  const meant = classify(address, { addressPrefix: chain.addressPrefix, names: [] });
  const name = accountName(address);
  title(`Account ${name ?? shortText(address)}`);
  main.append(
    h(
      'div',
      { class: 'head' },
      h('h1', {}, name === undefined ? 'Account' : `Account ${name}`),
      name !== undefined && h('a', { class: 'button', href: `#/dev?from=${name}` }, 'Send from here'),
    ),
  );
  if (meant.kind !== 'address') {
    main.append(
      notice('warn', h('p', {}, meant.kind === 'fault' ? meant.message : 'This is no address of this chain.')),
    );
    return;
  }
  main.append(h('div', { class: 'row' }, h('code', { class: 'whole' }, address), copyButton(address, 'the address')));
  new AccountView(address, chain, context).start();
};

class AccountView {
  readonly #address: string;
  readonly #chain: Chain;
  readonly #context: PageContext;
  readonly #figures = h('dl', { class: 'figures wide' });
  readonly #fault = h('div', {});
  readonly #nonces = h('div', {}, h('p', { class: 'soft' }, 'Reading…'));
  readonly #proof = h('div', {}, h('p', { class: 'soft' }, 'Checking in this browser…'));
  readonly #statement: Statement;
  readonly #transfers: Transfers;
  /** Nonces of pending transfers, by their hash: a nonce never changes. */
  readonly #nonceOf = new Map<string, number>();
  #account: Account | undefined;
  #proven: ProvenAccount | undefined;
  #isBusy = false;
  #isStale = false;

  constructor(address: string, chain: Chain, context: PageContext) {
    this.#address = address;
    this.#chain = chain;
    this.#context = context;
    this.#statement = new Statement(address, context);
    this.#transfers = new Transfers(address, context.signal);
  }

  start(): void {
    const { main, signal } = this.#context;
    const proof = h(
      'section',
      { class: 'card', 'aria-labelledby': 'proof' },
      h('h2', { id: 'proof' }, 'Balance with proof'),
      this.#proof,
    );
    const nonces = h(
      'section',
      { class: 'card', 'aria-labelledby': 'nonces' },
      h('h2', { id: 'nonces' }, 'Nonces'),
      this.#nonces,
    );
    if (token() === undefined) {
      main.append(
        proof,
        notice(
          'warn',
          h(
            'p',
            {},
            'Nonces, statement and transfers need a token with transactions:read. Give one above. The balance is proven from the open RPC.',
          ),
        ),
      );
    } else
      main.append(
        this.#fault,
        this.#figures,
        h('div', { class: 'columns' }, nonces, proof),
        this.#statement.element,
        this.#transfers.element,
      );
    watchChain(() => void this.#update(), signal);
    void this.#update();
  }

  /** Runs after each block. Blocks that arrive meanwhile cause one further run, regardless of their number. */
  async #update(): Promise<void> {
    if (this.#isBusy) {
      this.#isStale = true;
      return;
    }
    this.#isBusy = true;
    try {
      do {
        this.#isStale = false;
        await this.#read();
      } while (this.#isStale && !this.#context.signal.aborted);
    } catch (error) {
      if (!this.#context.signal.aborted) put(this.#fault, partNotice(error));
    } finally {
      this.#isBusy = false;
    }
  }

  async #read(): Promise<void> {
    const { signal } = this.#context;
    if (token() === undefined) {
      if (this.#proven === undefined) await this.#prove();
      return;
    }
    const before = this.#account;
    const account = await get<Account>(accountPath(this.#address), {}, signal);
    this.#account = account;
    put(this.#fault);
    this.#drawFigures(account);
    const isMoved = before?.balance !== account.balance || before.nonce !== account.nonce;
    const isChanged = isMoved || before.pendingOut !== account.pendingOut || before.nextNonce !== account.nextNonce;
    if (!isChanged && this.#proven?.state?.balance === account.balance) return;
    if (isMoved) await this.#statement.refresh();
    await this.#transfers.refresh();
    await this.#prove();
    await this.#drawNonces(account);
  }

  #drawFigures({ balance, available, pendingOut, nextNonce, height }: Account): void {
    const figure = (name: string, value: string, ...under: (string | HTMLElement)[]): HTMLElement =>
      h('div', { class: 'figure' }, h('dt', {}, name), h('dd', {}, value, h('span', { class: 'under' }, ...under)));
    const { code } = this.#chain.currency;
    put(
      this.#figures,
      figure('Balance', amountText(balance, false), `${code} after block `, blockLink(Math.max(1, height))),
      figure('Available', amountText(available, false), `${code} free to spend`),
      figure('Pending', amountText(pendingOut, false), `${code} on their way out`),
      figure('Next nonce', String(nextNonce), 'to sign with'),
    );
  }

  async #prove(): Promise<void> {
    const { signal } = this.#context;
    try {
      const proving = await proveAccount(this.#address, this.#chain.chainId, signal);
      this.#proven = proving.ok ? proving : undefined;
      put(this.#proof, proofView(proving));
    } catch (error) {
      const shown = partNotice(error);
      if (!signal.aborted && shown !== undefined) put(this.#proof, shown);
    }
  }

  async #drawNonces({ nonce, nextNonce, gaps, pendingOut }: Account): Promise<void> {
    const pending = pendingOut === '0' ? [] : await this.#pendingNonces();
    const state = this.#proven?.state;
    put(
      this.#nonces,
      nonceStripView(
        nonceStrip({
          nonce,
          nextNonce,
          gaps,
          pending,
          voids: state === undefined ? [] : voidNonces(state.nonce, state.void),
        }),
      ),
    );
  }

  async #pendingNonces(): Promise<{ nonce: number; txHash: string }[]> {
    const { signal } = this.#context;
    const { transactions } = await get<{ transactions: Transaction[] }>(
      'transactions',
      { from: this.#address, status: 'pending', limit: PENDING_READ_MAX },
      signal,
    );
    return await Promise.all(
      transactions.map(async ({ txHash }) => {
        const nonce =
          this.#nonceOf.get(txHash) ?? (await get<TransactionDetail>(`transactions/${txHash}`, {}, signal)).nonce;
        this.#nonceOf.set(txHash, nonce);
        return { nonce, txHash };
      }),
    );
  }
}
