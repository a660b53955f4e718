/**
 * One transaction: its history as a picture, its bytes, and the proof that it is in its block, checked here. It is updated while it is
 * pending.
 */
import { h, put } from '../dom.ts';
import { get, type TransactionDetail } from '../api.ts';
import { lastChain, watchChain } from '../live.ts';
import type { Page, PageContext } from '../page.ts';
import { notice, partNotice } from '../parts/notice.ts';
import { bytesCard } from '../transaction/bytes-card.ts';
import { cancelButton } from '../transaction/cancel.ts';
import { curlButton } from '../transaction/curl.ts';
import { factsCard } from '../transaction/facts-card.ts';
import { fromBlock } from '../transaction/from-block.ts';
import { lifeCard } from '../transaction/life-card.ts';
import { proofCard } from '../transaction/proof-card.ts';
import { statusBadge, amountText } from '../parts/value.ts';
import { asProblem } from '../problem.ts';
import { token } from '../session.ts';

export const transaction: Page = async (context) => {
  const { main, route, title } = context;
  const hash = (route.rest[0] ?? '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(hash)) {
    title('Not a transaction');
    main.append(
      h('h1', {}, 'Not a transaction'),
      notice('warn', 'A transaction is named by its hash: 64 hexadecimal digits.'),
    );
    return;
  }
  title(`Transaction ${hash.slice(0, 8)}`);
  const detail = await findDetail(hash, context.signal);
  if (context.signal.aborted) return;
  if (detail === undefined) await showFromBlock(context, hash);
  else await showTransfer(context, detail);
};

/** Undefined without a token, and for transactions that the service does not list as transfers: cancels and governance. */
async function findDetail(hash: string, signal: AbortSignal): Promise<TransactionDetail | undefined> {
  if (token() === undefined) return undefined;
  try {
    return await get<TransactionDetail>(`transactions/${hash}`, {}, signal);
  } catch (error) {
    const { status } = asProblem(error);
    if (status === 404 || status === 401 || status === 403) return undefined;
    throw error;
  }
}

async function showTransfer({ main, signal, say }: PageContext, first: TransactionDetail): Promise<void> {
  let detail = first;
  const heading = h('h1', { class: 'row' });
  const actions = h('div', { class: 'row' });
  const life = h('div', { class: 'whole' });
  const below = h('div', { class: 'page' });
  main.append(h('div', { class: 'head' }, heading, actions), life, below);
  const showAll = (): void => {
    put(heading, h('span', {}, `Transfer of ${amountText(detail.amount)}`), statusBadge(detail.status));
    put(
      actions,
      detail.status === 'pending' && cancelButton(detail, { signal, say, onChange: update }),
      curlButton(detail.txHash),
    );
    put(life, lifeCard(detail));
    put(below, h('div', { class: 'columns' }, factsCard(detail), proofCard(detail, signal)), bytesCard(detail, signal));
  };
  const update = async (): Promise<void> => {
    const before = detail;
    try {
      detail = await get<TransactionDetail>(`transactions/${detail.txHash}`, {}, signal);
    } catch (error) {
      if (!signal.aborted) put(life, lifeCard(detail), partNotice(error));
      return;
    }
    if (
      signal.aborted ||
      (detail.status === before.status &&
        detail.history.length === before.history.length &&
        detail.status !== 'pending')
    )
      return;
    if (detail.status === before.status) {
      // The element with the reader's focus stays: only the picture is replaced.
      put(life, lifeCard(detail));
      return;
    }
    showAll();
    say(`The transfer is ${detail.status}.`);
  };
  showAll();
  if (detail.status !== 'pending') return;
  const settled = new AbortController();
  watchChain(
    () => {
      if (detail.status === 'pending') void update();
      else settled.abort();
    },
    AbortSignal.any([signal, settled.signal]),
  );
}

/** Shows the public facts of the chain. */
async function showFromBlock({ main, signal }: PageContext, hash: string): Promise<void> {
  const found = await fromBlock(hash, signal);
  if (found === undefined) {
    const hint =
      token() === undefined
        ? ' It may be pending: give a token above to see what this service has accepted.'
        : ' This service has not accepted a transfer with it either.';
    main.append(
      h('h1', {}, 'Not known'),
      notice('warn', `No block up to ${lastChain()?.height ?? 'now'} holds a transaction with this hash.${hint}`),
      h('p', { class: 'mono' }, hash),
    );
    return;
  }
  const { heading, status, cards } = found;
  main.append(h('div', { class: 'head' }, h('h1', { class: 'row' }, heading, statusBadge(status))), ...cards);
}
