/** The exact bytes: the signed ones and those in the block, with each field named, and with the checked signature. */
import { type Child, h, put } from '../dom.ts';
import { transferSignBytes } from '../../../../../client/src/transaction/transfer.ts';
import { readTransaction } from '../../../../../client/src/receipt/transaction.ts';
import type { TransactionDetail } from '../api.ts';
import type { ChainTransaction } from '../chain/blocks.ts';
import { type InBlock, transactionInBlock } from '../chain/in-block.ts';
import { lastChain, nextAnswer } from '../live.ts';
import { colouredBytes, fieldTable } from '../parts/bytes.ts';
import { check, checkList } from '../parts/checks.ts';
import { copyButton } from '../parts/copy.ts';
import { problemNotice } from '../parts/notice.ts';
import { asProblem } from '../problem.ts';

export function bytesCard(detail: TransactionDetail, signal: AbortSignal): HTMLElement {
  const { from, to, amount, nonce, reference, validUntil } = detail;
  const chainId = lastChain()?.chainId ?? '';
  const signBytes = transferSignBytes({ chainId, from, to, amount: BigInt(amount), nonce, reference, validUntil });
  const raw = h('div', { class: 'part' });
  const isSuperseded = detail.status === 'failed' && detail.reason.code === 'nonce_superseded';
  const isInBlock = detail.status === 'committed' || (detail.status === 'failed' && !isSuperseded);
  put(
    raw,
    h(
      'p',
      { class: 'soft' },
      isInBlock
        ? 'Reading the block…'
        : detail.status === 'pending'
          ? 'The signature is public once a block holds the transfer.'
          : 'No block holds this transfer, so its signature is not public.',
    ),
  );
  if (isInBlock) void showRaw(raw, detail, chainId, signal);
  return frame(
    fieldTable({ amount, chainId, from, nonce, reference, signature: isInBlock ? '' : undefined, to, validUntil }),
    part('Sign bytes', signBytes),
    raw,
  );
}

/** The card of a transaction that is known only from its block. */
export async function bytesCardOf(transaction: ChainTransaction, chainId: string): Promise<HTMLElement> {
  const { kind, text, fields: own } = transaction;
  const signBytes =
    kind === 'governance' ? undefined : `txledger-${kind}-v1\n${text.replace(/"signature":"[0-9a-f]*",/, '')}`;
  return frame(
    fieldTable(own),
    signBytes && part('Sign bytes', signBytes),
    part('In the block', text),
    kind !== 'governance' && (await signatureCheck(transaction.raw, chainId)),
  );
}

async function showRaw(
  place: HTMLElement,
  detail: TransactionDetail,
  chainId: string,
  signal: AbortSignal,
): Promise<void> {
  const hash = 'executedAs' in detail && detail.executedAs !== undefined ? detail.executedAs : detail.txHash;
  let found: InBlock | undefined;
  try {
    found = await transactionInBlock(hash, signal);
  } catch (error) {
    if (signal.aborted) return;
    const problem = asProblem(error);
    put(place, problemNotice(problem));
    if (problem.isPassing) void nextAnswer(signal).then(() => showRaw(place, detail, chainId, signal));
    return;
  }
  if (signal.aborted) return;
  if (found === undefined)
    put(place, h('p', { class: 'soft' }, 'No block holds these bytes: another transaction took the nonce.'));
  else put(place, part('In the block', found.transaction.text), await signatureCheck(found.transaction.raw, chainId));
}

async function signatureCheck(raw: Uint8Array, chainId: string): Promise<HTMLElement> {
  const verdict = await readTransaction(raw, chainId).then(
    () => 'good' as const,
    () => 'bad' as const,
  );
  return checkList(
    check(
      verdict,
      verdict === 'good'
        ? 'The signature verifies: Ed25519, with the key that is the address'
        : 'The signature does not verify',
    ),
  );
}

function frame(...children: Child[]): HTMLElement {
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'bytes-title' },
    h('header', {}, h('h2', { id: 'bytes-title' }, 'Bytes')),
    ...children,
  );
}

function part(name: string, text: string): HTMLElement {
  const length = new TextEncoder().encode(text).length;
  return h(
    'div',
    { class: 'part' },
    h(
      'div',
      { class: 'row spread' },
      h('h3', {}, name, ' ', h('span', { class: 'soft small' }, `${length} bytes`)),
      copyButton(text, name),
    ),
    colouredBytes(text),
  );
}
