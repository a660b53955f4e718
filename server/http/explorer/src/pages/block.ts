/** One block: its header, its signatures and its transactions. Everything with a tick was computed in this browser. */
import { h, put } from '../dom.ts';
import { rpc } from '../api.ts';
import type { Header } from '../chain/blocks.ts';
import { type CheckedBlock, checkedBlock } from '../chain/checked-block.ts';
import type { CheckedSignature } from '../chain/signatures.ts';
import { lastChain, watchChain } from '../live.ts';
import type { Page } from '../page.ts';
import { check, checkList, verdictIcon } from '../parts/checks.ts';
import { copyButton } from '../parts/copy.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { clock, timeOf } from '../parts/time.ts';
import { transferTable, type TransferRow } from '../parts/transfer-rows.ts';
import { blockLink, shortText } from '../parts/value.ts';
import { asProblem } from '../problem.ts';
import { blockHref } from '../route.ts';

/** Rows that are added at once: a full block has ten thousand, and no one reads as many. */
const ROWS_STEP = 50;

export const block: Page = async ({ main, route, signal, title }) => {
  const height = Number(route.rest[0]);
  if (!/^[1-9]\d*$/.test(route.rest[0] ?? '') || !Number.isSafeInteger(height)) {
    title('Not a block');
    main.append(
      h('h1', {}, 'Not a block'),
      notice('warn', 'A block is named by its height: a whole number from 1 on.'),
    );
    return;
  }
  title(`Block ${height}`);
  const state = h('span', { class: 'badge off' }, 'checking');
  main.append(
    h('div', { class: 'head' }, h('h1', { class: 'row' }, `Block ${height}`, state), neighbours(height, signal)),
  );
  const last = lastChain()?.height;
  if (last !== undefined && height > last) {
    put(state, 'not yet');
    const hint = notice(
      'plain',
      `The chain is at block ${last}. This page shows block ${height} as soon as there is one.`,
    );
    main.append(hint);
    // Not awaited: the page is complete without it, and later content must not move the reader's position.
    void later(
      async () => {
        await reached(height, signal);
        if (signal.aborted) return;
        hint.remove();
        await show(main, height, state, signal);
      },
      main,
      signal,
    );
    return;
  }
  await show(main, height, state, signal);
};

async function later(work: () => Promise<void>, main: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) main.append(problemNotice(asProblem(error)));
  }
}

async function show(main: HTMLElement, height: number, state: HTMLElement, signal: AbortSignal): Promise<void> {
  const found = await checkedBlock(height, signal).catch((error: unknown) => {
    put(state, 'not checked');
    throw error;
  });
  if (signal.aborted) return;
  const isValid =
    Object.values(found.holds).every(Boolean) && found.signatures.every(({ verdict }) => verdict !== 'invalid');
  state.className = `badge ${isValid ? 'good' : 'bad'}`;
  put(state, isValid ? 'verified here' : 'does not verify');
  main.append(
    h(
      'div',
      { class: 'columns wide-left' },
      headerCard(found),
      h('div', { class: 'stack' }, checksCard(found), signaturesCard(found)),
    ),
    transactionsCard(found),
  );
  void later(() => showStateAfter(main, height, signal), main, signal);
}

/** Resolves when the block exists. */
function reached(height: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController();
    signal.addEventListener('abort', () => resolve(), { once: true });
    watchChain(
      ({ chain }) => {
        if (chain === undefined || chain.height < height) return;
        stop.abort();
        resolve();
      },
      AbortSignal.any([signal, stop.signal]),
    );
  });
}

/** Links to the blocks before and after it, which the arrow keys open too. */
function neighbours(height: number, signal: AbortSignal): HTMLElement {
  const before =
    height > 1
      ? h('a', { class: 'button', href: blockHref(height - 1), rel: 'prev' }, '← ', String(height - 1))
      : undefined;
  const after = h('a', { class: 'button', href: blockHref(height + 1), rel: 'next' }, String(height + 1), ' →');
  const isThere = (): boolean => (lastChain()?.height ?? 0) > height;
  watchChain(() => (after.hidden = !isThere()), signal);
  addEventListener(
    'keydown',
    (event) => {
      const inField =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null;
      if (inField || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key === 'ArrowLeft' && before !== undefined) location.hash = blockHref(height - 1);
      if (event.key === 'ArrowRight' && isThere()) location.hash = blockHref(height + 1);
    },
    { signal },
  );
  return h('nav', { class: 'row', 'aria-label': 'Blocks before and after; arrow keys too' }, before, after);
}

function headerCard({ header, commit, transactions }: CheckedBlock): HTMLElement {
  const facts = h(
    'dl',
    { class: 'facts' },
    ...fact('Hash', mono(commit.block_id.hash)),
    ...fact('Time', timeOf(header.time)),
    ...fact('Chain', header.chain_id),
    ...fact('Transactions', String(transactions.length)),
    ...fact('Block before', header.height === '1' ? 'none: the first' : blockLink(Number(header.height) - 1)),
    ...fact('App hash before', mono(header.app_hash)),
    h('dt', {}, 'App hash after'),
    h('dd', { id: 'state-after' }, h('span', { class: 'soft' }, 'in the header of the next block')),
    ...fact('Data hash', mono(header.data_hash)),
    ...fact('Results before', mono(header.last_results_hash)),
    ...fact('Validators', mono(header.validators_hash)),
    ...fact(
      'Validators after',
      header.next_validators_hash === header.validators_hash ? 'the same' : mono(header.next_validators_hash),
    ),
    ...fact('Consensus', mono(header.consensus_hash)),
    ...fact('Evidence', mono(header.evidence_hash)),
    ...fact('Proposer', mono(header.proposer_address)),
    ...fact('Versions', `block ${header.version.block}, application ${header.version.app}`),
  );
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'header-title' },
    h(
      'header',
      {},
      h('h2', { id: 'header-title' }, 'Header'),
      copyButton(() => JSON.stringify(header, null, 2), 'the header as JSON', 'Copy JSON'),
    ),
    facts,
  );
}

const mono = (text: string): HTMLElement => h('span', { class: 'mono' }, text);

function fact(name: string, value: HTMLElement | string): HTMLElement[] {
  return [h('dt', {}, name), h('dd', {}, value)];
}

function checksCard({ holds, signedPower, totalPower, transactions }: CheckedBlock): HTMLElement {
  const verdict = (isGood: boolean): 'good' | 'bad' => (isGood ? 'good' : 'bad');
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'checks-title' },
    h('header', {}, h('h2', { id: 'checks-title' }, 'Checked in this browser')),
    checkList(
      check(verdict(holds.header), 'The hash is that of this header', 'SHA-256 over its 14 fields, computed here.'),
      check(
        verdict(holds.transactions),
        `The data hash is that of ${transactions.length === 1 ? 'the transaction' : `these ${transactions.length} transactions`}`,
      ),
      check(verdict(holds.validators), 'The validators are those that the header names'),
      check(
        verdict(holds.power),
        `Power ${signedPower} of ${totalPower} signed`,
        'More than two thirds make a block final.',
      ),
    ),
  );
}

const VERDICTS: Record<CheckedSignature['verdict'], readonly ['good' | 'bad' | 'open', string]> = {
  valid: ['good', 'signature verifies'],
  invalid: ['bad', 'signature does not verify'],
  nil: ['open', 'voted for no block'],
  absent: ['open', 'did not sign in time'],
};

function signaturesCard({ signatures }: CheckedBlock): HTMLElement {
  const rows = signatures.map(({ validator, verdict, time }) => {
    const [icon, text] = VERDICTS[verdict];
    return h(
      'li',
      {},
      verdictIcon(icon),
      h(
        'div',
        {},
        h('span', { class: 'mono', title: validator.address }, shortText(validator.address)),
        h('div', { class: 'soft small' }, `power ${validator.voting_power} · ${text}`, time && ` · ${clock(time)}`),
      ),
    );
  });
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'signatures-title' },
    h(
      'header',
      {},
      h('h2', { id: 'signatures-title' }, signatures.length === 1 ? 'Signature' : `${signatures.length} signatures`),
    ),
    h('ul', { class: 'checks' }, ...rows),
    h(
      'p',
      { class: 'soft small' },
      'Ed25519 over each canonical vote. Whether these are the right validators, only a genesis file from elsewhere or a block that you trust can show.',
    ),
  );
}

function transactionsCard({ transactions, codes }: CheckedBlock): HTMLElement {
  const rows = transactions.map(({ hash, kind, fields }, i): TransferRow => {
    const text = (name: string): string | undefined => (fields[name] === undefined ? undefined : String(fields[name]));
    const isExecuted = codes[i] === 0;
    const status =
      kind === 'transfer' ? (isExecuted ? 'committed' : 'failed') : isExecuted ? kind : `${kind}, no effect`;
    return {
      hash,
      from: text('from') ?? '',
      to: text('to'),
      amount: text('amount'),
      reference: text('reference'),
      status,
    };
  });
  const body = h('div', {});
  const show = (count: number): void => {
    const more = rows.length - count;
    put(
      body,
      transferTable('Transactions of this block', rows.slice(0, count)),
      more > 0 &&
        h(
          'p',
          {},
          h(
            'button',
            { type: 'button', onclick: () => show(count + ROWS_STEP) },
            `Show ${Math.min(more, ROWS_STEP)} more of ${more}`,
          ),
        ),
    );
  };
  if (rows.length === 0)
    put(
      body,
      h('p', { class: 'soft' }, 'None: the chain makes an empty block now and then, so that its time goes on.'),
    );
  else show(ROWS_STEP);
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'transactions-title' },
    h('header', {}, h('h2', { id: 'transactions-title' }, 'Transactions')),
    body,
  );
}

/** The state after a block is in the header of the next one. */
async function showStateAfter(main: HTMLElement, height: number, signal: AbortSignal): Promise<void> {
  await reached(height + 1, signal);
  if (signal.aborted) return;
  const { signed_header: next } = await rpc<{ signed_header: { header: Header } }>(
    'commit',
    { height: height + 1 },
    signal,
  );
  const place = main.querySelector('#state-after');
  if (place !== null) put(place, mono(next.header.app_hash));
}
