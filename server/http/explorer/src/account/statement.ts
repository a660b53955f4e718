/** The statement of an account: every movement with the balance after it, a page at a time, with its chart and as CSV. */
import type { Entry, EntryPage } from '../../../../../client/src/contract.ts';
import { call, get } from '../api.ts';
import { type Child, h, put } from '../dom.ts';
import { lastChain } from '../live.ts';
import { partNotice } from '../parts/notice.ts';
import { timeOf } from '../parts/time.ts';
import { accountLink, amountText, blockLink, transactionLink } from '../parts/value.ts';
import { chartView } from './chart-view.ts';

/** Entries of one page. */
const PAGE = 50;
/** Path of an account's page, below `accounts/`. */
export const accountPath = (address: string): string => `accounts/${encodeURIComponent(address)}`;

const placeOf = ({ height, index, direction }: Entry): string => `${height}-${index}-${direction}`;

export class Statement {
  readonly element: HTMLElement;
  readonly #address: string;
  readonly #signal: AbortSignal;
  readonly #say: (text: string) => void;
  /** Newest first. */
  #entries: Entry[] = [];
  #cursor: string | undefined;
  readonly #chart = h('div', {});
  readonly #table = h('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': 'The statement' });
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#run(() => this.#older()) },
    'Show earlier entries',
  );
  readonly #fault = h('div', {});

  constructor(address: string, { signal, say }: { signal: AbortSignal; say: (text: string) => void }) {
    this.#address = address;
    this.#signal = signal;
    this.#say = say;
    const csv = h('button', { type: 'button', onclick: () => void this.#run(() => this.#download()) }, 'Download CSV');
    this.element = h(
      'section',
      { class: 'card', 'aria-labelledby': 'statement' },
      h('header', {}, h('h2', { id: 'statement' }, 'Statement'), csv),
      this.#chart,
      this.#fault,
      this.#table,
      h('div', { class: 'row' }, this.#more),
    );
  }

  /** Reads the new entries. */
  async refresh(): Promise<void> {
    await this.#run(async () => {
      const { entries, nextCursor } = await this.#page();
      const known = new Set(this.#entries.map(placeOf));
      const isJoined = entries.some((entry) => known.has(placeOf(entry)));
      // Otherwise entries between this page and the known ones would be missing.
      this.#entries = isJoined ? [...entries.filter((entry) => !known.has(placeOf(entry))), ...this.#entries] : entries;
      if (!isJoined) this.#cursor = nextCursor;
      this.#draw();
    });
  }

  async #older(): Promise<void> {
    const { entries, nextCursor } = await this.#page(this.#cursor);
    this.#entries.push(...entries);
    this.#cursor = nextCursor;
    this.#draw();
    this.#say(`${this.#entries.length} entries are shown.`);
  }

  #page(cursor?: string): Promise<EntryPage> {
    return get<EntryPage>(`${accountPath(this.#address)}/entries`, { limit: PAGE, cursor }, this.#signal);
  }

  /** Downloads with the token in a header, never in an address: the file is read here and passed to the browser. */
  async #download(): Promise<void> {
    const response = await call(`${accountPath(this.#address)}/entries`, {
      query: { order: 'asc' },
      headers: { Accept: 'text/csv' },
      signal: this.#signal,
    });
    const url = URL.createObjectURL(await response.blob());
    h('a', { href: url, download: `statement-${this.#address}.csv` }).click();
    URL.revokeObjectURL(url);
    this.#say('The statement was downloaded.');
  }

  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      put(this.#fault);
    } catch (error) {
      if (!this.#signal.aborted) put(this.#fault, partNotice(error));
    }
  }

  #draw(): void {
    this.#more.hidden = this.#cursor === undefined;
    put(this.#chart, chartView(this.#entries.toReversed(), lastChain()?.lastBlockTime ?? new Date().toISOString()));
    put(
      this.#table,
      this.#entries.length === 0
        ? h('p', { class: 'soft' }, 'No money has moved in or out of this account yet.')
        : entryTable(this.#entries),
    );
  }
}

function entryTable(entries: readonly Entry[]): HTMLElement {
  const { code = '' } = lastChain()?.currency ?? {};
  const unit = code === '' ? '' : ` in ${code}`;
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col' }, 'Time'),
    h('th', { scope: 'col' }, 'Block'),
    h('th', { scope: 'col' }, 'Transfer'),
    h('th', { scope: 'col' }, 'With'),
    h('th', { scope: 'col' }, 'Reference'),
    h('th', { scope: 'col', class: 'end' }, `Amount${unit}`),
    h('th', { scope: 'col', class: 'end' }, `Balance${unit}`),
  );
  return h(
    'table',
    { class: 'stacked statement' },
    h('caption', { class: 'unseen' }, 'Movements of this account, the latest first'),
    h('thead', {}, head),
    h('tbody', {}, entries.map(entryRow)),
  );
}

function entryRow({
  height,
  blockTime,
  txHash,
  direction,
  counterparty,
  amount,
  balanceAfter,
  reference,
}: Entry): HTMLElement {
  const cell = (label: string, className: string, ...children: Child[]): HTMLElement =>
    h('td', { class: className, 'data-label': label || undefined }, ...children);
  const sign = direction === 'in' ? '+' : '−';
  return h(
    'tr',
    {},
    cell('', 'small time', timeOf(blockTime)),
    cell('block', 'number block', blockLink(height)),
    cell('', 'hash', transactionLink(txHash)),
    cell('', 'with', h('span', { class: 'soft' }, direction === 'in' ? 'from ' : 'to '), accountLink(counterparty)),
    cell('', 'reference', reference ?? h('span', { class: 'soft' }, '–')),
    cell('', `end number amount ${direction}`, `${sign}${amountText(amount, false)}`),
    cell('balance', 'end number balance', amountText(balanceAfter, false)),
  );
}
