/** The overview: the state of the chain, updated continuously. */
import { type Child, h, put } from '../dom.ts';
import { get, rpc, type Transaction } from '../api.ts';
import { type BlockMeta, blockMetas, codesAt, transactionsAt, validatorsAt, type Validator } from '../chain/blocks.ts';
import { watchChain } from '../live.ts';
import type { Page } from '../page.ts';
import { BAR_PX, blockBars } from '../parts/block-bars.ts';
import { developmentTools } from '../parts/development-tools.ts';
import { partNotice } from '../parts/notice.ts';
import { agoOf } from '../parts/time.ts';
import { transferTable, type TransferRow } from '../parts/transfer-rows.ts';
import { shortText } from '../parts/value.ts';
import { developmentAccounts, token } from '../session.ts';

const BARS_MAX = 40;
const TRANSFERS = 8;
/** Long enough for a rate that does not jump, short enough to follow changes. */
const RATE_SPAN_MS = 60_000;

export const overview: Page = ({ main, signal, title }) => {
  title('Overview');
  const height = figure('Height');
  const rate = figure('Transactions a second');
  const pending = figure('Pending');
  const power = figure('Validators');
  const bars = blockBars();
  const most = h('p', { class: 'soft small' });
  const barsCard = h(
    'section',
    { class: 'card', 'aria-labelledby': 'bars-title' },
    h('header', {}, h('h2', { id: 'bars-title' }, 'Last blocks'), most),
    bars.element,
  );
  const transfers = h('div', {});
  const validators = h('div', {});
  const fault = h('div', { class: 'fault' });
  main.append(
    h('h1', {}, 'Overview'),
    fault,
    h('dl', { class: 'figures' }, height.element, rate.element, pending.element, power.element),
    barsCard,
    ...developmentTools(signal),
    h(
      'div',
      { class: 'columns latest' },
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'latest-title' },
        h('header', {}, h('h2', { id: 'latest-title' }, 'Latest transfers')),
        transfers,
      ),
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'validators-title' },
        h('header', {}, h('h2', { id: 'validators-title' }, 'Validators and their power')),
        validators,
      ),
    ),
  );

  let busy = false;
  let newest = 0;
  const refresh = async (): Promise<void> => {
    // One round at a time: blocks that arrive meanwhile are in the next one.
    if (busy) return;
    busy = true;
    try {
      for (let shown = -1; shown !== newest && !signal.aborted;) {
        shown = newest;
        const count = Math.max(6, Math.min(BARS_MAX, Math.floor(bars.element.clientWidth / BAR_PX)));
        const [metas, set, waiting, latest] = await Promise.all([
          blockMetas(shown, BARS_MAX, signal),
          validatorsAt(undefined, signal),
          countPending(signal),
          latestTransfers(signal),
        ]);
        if (signal.aborted) return;
        bars.show(metas.slice(0, count));
        const highest = Math.max(0, ...metas.slice(0, count).map(({ transactions }) => transactions));
        put(
          most,
          highest === 0
            ? 'no transactions in these blocks'
            : `at most ${highest.toLocaleString('en')} ${highest === 1 ? 'transaction' : 'transactions'} in a block`,
        );
        rate.value(rateOf(metas));
        rate.under('over the last minute');
        pending.value(waiting.count);
        pending.under(waiting.about);
        power.value(set.length);
        power.under(`power ${set.reduce((sum, { voting_power: own }) => sum + BigInt(own), 0n)} in all`);
        put(validators, validatorTable(set));
        put(transfers, latest);
        put(fault);
      }
    } catch (error) {
      if (!signal.aborted) put(fault, partNotice(error));
    } finally {
      busy = false;
    }
  };
  watchChain(({ chain, problem }) => {
    put(fault, problem && partNotice(problem));
    if (chain === undefined) return;
    newest = chain.height;
    height.value(chain.height.toLocaleString('en'));
    height.under('last block ', agoOf(chain.lastBlockTime));
    void refresh();
  }, signal);
};

function figure(name: string): {
  element: HTMLElement;
  value: (value: Child) => void;
  under: (...about: Child[]) => void;
} {
  const value = h('span', {}, '–');
  const under = h('span', { class: 'under' }, ' ');
  return {
    element: h('div', { class: 'figure' }, h('dt', {}, name), h('dd', {}, value, under)),
    value: (text) => put(value, text),
    under: (...about) => put(under, ...about),
  };
}

/** The time of a block is when the one before was signed, so the oldest one only marks the beginning of the span. */
function rateOf(metas: readonly BlockMeta[]): string {
  const [last] = metas;
  if (last === undefined) return '0';
  const endMs = Date.parse(last.time);
  const within = metas.filter(({ time }) => endMs - Date.parse(time) <= RATE_SPAN_MS);
  const beginMs = Date.parse(within.at(-1)?.time ?? last.time);
  const count = within.slice(0, -1).reduce((sum, { transactions }) => sum + transactions, 0);
  const perS = endMs > beginMs ? (count * 1000) / (endMs - beginMs) : 0;
  return perS >= 100 ? Math.round(perS).toLocaleString('en') : perS.toFixed(1);
}

/** Counts by the metrics, which include transfers that wait for a nonce; if a proxy hides the metrics, by the mempool. */
async function countPending(signal: AbortSignal): Promise<{ count: string; about: string }> {
  const answer = await fetch('metrics', { signal, cache: 'no-store' }).catch(() => undefined);
  const count =
    answer?.ok === true ? /^txledger_transactions_pending (\d+)$/m.exec(await answer.text())?.[1] : undefined;
  if (count !== undefined) return { count: Number(count).toLocaleString('en'), about: 'accepted, no block yet' };
  const { total } = await rpc<{ total: string }>('num_unconfirmed_txs', {}, signal);
  return { count: Number(total).toLocaleString('en'), about: 'in the mempool' };
}

/** With a token the service's list, including pending transfers; without one the transactions of the newest blocks. */
async function latestTransfers(signal: AbortSignal): Promise<Child> {
  const rows = token() === undefined ? await fromBlocks(signal) : await fromList(signal);
  if (rows.length > 0) return transferTable('The latest transfers', rows);
  if (token() === undefined)
    return h('p', { class: 'soft' }, `None in the last ${BARS_MAX} blocks. Give a token above to see earlier ones.`);
  return h(
    'p',
    { class: 'soft' },
    'None yet. ',
    developmentAccounts().length > 0 && h('a', { href: '#/dev' }, 'Send the first one'),
  );
}

async function fromList(signal: AbortSignal): Promise<TransferRow[]> {
  const { transactions } = await get<{ transactions: readonly Transaction[] }>(
    'transactions',
    { limit: TRANSFERS },
    signal,
  );
  return transactions.map(({ txHash, from, to, amount, reference, status }) => ({
    hash: txHash,
    from,
    to,
    amount,
    reference,
    status,
  }));
}

async function fromBlocks(signal: AbortSignal): Promise<TransferRow[]> {
  const { height } = await get<{ height: number }>('chain', {}, signal);
  const rows: TransferRow[] = [];
  for (const meta of await blockMetas(height, BARS_MAX, signal)) {
    if (rows.length >= TRANSFERS) break;
    if (meta.transactions === 0) continue;
    const [transactions, codes] = await Promise.all([
      transactionsAt(meta.height, signal),
      codesAt(meta.height, signal),
    ]);
    for (const [i, { hash, kind, fields }] of [...transactions.entries()].toReversed()) {
      if (kind === 'transfer')
        rows.push({
          hash,
          from: String(fields['from']),
          to: String(fields['to']),
          amount: String(fields['amount']),
          reference: fields['reference'] as string | undefined,
          status: codes[i] === 0 ? 'committed' : 'failed',
        });
    }
  }
  return rows.slice(0, TRANSFERS);
}

function validatorTable(set: readonly Validator[]): HTMLElement {
  const total = set.reduce((sum, { voting_power: own }) => sum + Number(own), 0);
  const rows = set
    .toSorted((a, b) => Number(b.voting_power) - Number(a.voting_power))
    .map(({ address, voting_power: own }) => {
      const share = total === 0 ? 0 : Number(own) / total;
      const bar = h('span', { class: 'share', 'aria-hidden': 'true' }, h('span', {}));
      (bar.firstElementChild as HTMLElement).style.width = `${share * 100}%`;
      return h(
        'li',
        {},
        h('span', { class: 'mono', title: address }, shortText(address)),
        h(
          'span',
          { class: 'soft small' },
          `${Number(own).toLocaleString('en')} · ${(share * 100).toFixed(share === 1 ? 0 : 1)} %`,
        ),
        bar,
      );
    });
  return h('ul', { class: 'validators' }, ...rows);
}
