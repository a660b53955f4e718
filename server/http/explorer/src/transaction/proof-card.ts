/** The receipt of a transfer: each check made in this browser, its Merkle path as a picture, and the document itself to keep. */
import { h, put } from '../dom.ts';
import { sha256 } from '../../../../../client/src/crypto/sha256.ts';
import { InvalidReceiptError, type ReceiptCheck } from '../../../../../client/src/errors/InvalidReceiptError.ts';
import { verifyReceipt } from '../../../../../client/src/receipt/verifyReceipt.ts';
import { get, type Receipt, type TransactionDetail } from '../api.ts';
import { bytesOf, validatorsAt } from '../chain/blocks.ts';
import { followPath } from '../chain/merkle-path.ts';
import { nextAnswer, watchChain } from '../live.ts';
import { check, checkList, type Verdict } from '../parts/checks.ts';
import { merkleTree } from '../parts/merkle-tree.ts';
import { problemNotice } from '../parts/notice.ts';
import { transactionLink } from '../parts/value.ts';
import { asProblem } from '../problem.ts';

/** The checks of `verifyReceipt`, in its order, grouped by the displayed facts. */
const CHECKS: readonly (readonly [checks: readonly ReceiptCheck[], text: (receipt: Receipt) => string])[] = [
  [['form', 'transaction'], () => 'The hash is that of the transaction'],
  [['signature'], () => 'Its signature verifies'],
  [['transactionProof'], ({ height }) => `Its path leads to the data hash of block ${height}`],
  [
    ['header', 'validators', 'commit'],
    ({ height, block }) =>
      `Block ${height} is signed by ${block.validators.length === 1 ? 'its validator' : `more than two thirds of its ${block.validators.length} validators’ power`}`,
  ],
  [['link'], ({ height }) => `Block ${height + 1} follows it`],
  [
    ['resultProof'],
    ({ height, result }) =>
      `Block ${height + 1} records its result: ${result.code === 0 ? 'executed' : `code ${result.code}`}`,
  ],
  [['trust'], () => 'The validators are those that the chain’s RPC names'],
];

export function proofCard(detail: TransactionDetail, signal: AbortSignal): HTMLElement {
  const body = h('div', { class: 'stack' });
  const actions = h('div', { class: 'row' });
  if (detail.status === 'pending')
    put(
      body,
      h(
        'p',
        { class: 'soft' },
        'There is a receipt when a block has decided, and the next block has recorded the result.',
      ),
    );
  else void load(detail.txHash, body, actions, signal);
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'proof-title' },
    h('header', {}, h('h2', { id: 'proof-title' }, 'Proof'), actions),
    body,
  );
}

async function load(hash: string, body: HTMLElement, actions: HTMLElement, signal: AbortSignal): Promise<void> {
  put(body, h('p', { class: 'soft' }, 'Fetching the receipt…'));
  try {
    const receipt = await get<Receipt>(`transactions/${hash}/receipt`, {}, signal);
    const shown = await show(hash, receipt, signal);
    if (signal.aborted) return;
    put(body, ...shown);
    put(actions, downloadButton(receipt));
  } catch (error) {
    if (signal.aborted) return;
    const problem = asProblem(error);
    if (problem.code !== 'receipt_not_ready') {
      put(body, problemNotice(problem));
      if (problem.isPassing) void nextAnswer(signal).then(() => load(hash, body, actions, signal));
      return;
    }
    put(body, h('p', { class: 'soft' }, 'The next block records the result. The receipt is here when it is made.'));
    const next = new AbortController();
    let isFirst = true;
    watchChain(
      () => {
        // The first call only reports known facts.
        if (!isFirst) {
          next.abort();
          void load(hash, body, actions, signal);
        }
        isFirst = false;
      },
      AbortSignal.any([signal, next.signal]),
    );
  }
}

async function show(hash: string, receipt: Receipt, signal: AbortSignal): Promise<HTMLElement[]> {
  const validators = await validatorsAt(receipt.height, signal);
  const failed = await verifyReceipt(receipt, { chainId: receipt.chainId, validators }).then(
    () => undefined,
    (error: unknown) => (error instanceof InvalidReceiptError ? error : new InvalidReceiptError('form', String(error))),
  );
  const failedAt = failed === undefined ? CHECKS.length : CHECKS.findIndex(([checks]) => checks.includes(failed.check));
  const verdictOf = (i: number): Verdict => (i < failedAt ? 'good' : i === failedAt ? 'bad' : 'open');
  const list = checkList(
    ...CHECKS.map(([, text], i) => check(verdictOf(i), text(receipt), i === failedAt ? failed?.message : undefined)),
  );
  const path = await followPath(await sha256(bytesOf(receipt.transaction)), receipt.transactionProof);
  const other =
    receipt.txHash === hash
      ? []
      : [
          h(
            'p',
            { class: 'small' },
            'This is the receipt of what decided the transfer: ',
            transactionLink(receipt.txHash),
          ),
        ];
  return [
    ...other,
    list,
    ...(path === undefined ? [] : [merkleTree(path, receipt.block.header.data_hash, receipt.height)]),
  ];
}

function downloadButton(receipt: Receipt): HTMLElement {
  const download = (): void => {
    const url = URL.createObjectURL(new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: 'application/json' }));
    h('a', { href: url, download: `receipt-${receipt.txHash.slice(0, 16)}.json` }).click();
    URL.revokeObjectURL(url);
  };
  return h('button', { type: 'button', class: 'quiet', onclick: download }, 'Download receipt');
}
