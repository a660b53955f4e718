/** Cancels a pending transfer, after a confirmation: a void nonce stays void. */
import { h, put } from '../dom.ts';
import { ask, type TransactionDetail } from '../api.ts';
import { problemNotice } from '../parts/notice.ts';
import { amountText } from '../parts/value.ts';
import { asProblem } from '../problem.ts';

/** Longest wait of the answer for the deciding block. */
const WAIT_S = 10;

interface Surroundings {
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  readonly onChange: () => Promise<void>;
}

/** Only the service has the rights of the token, and its refusal names them. */
export function cancelButton(
  { txHash, amount, nonce }: TransactionDetail,
  { signal, say, onChange }: Surroundings,
): HTMLElement {
  const fault = h('div', {});
  const sure = h('button', { type: 'button', class: 'danger' }, 'Cancel the transfer');
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'cancel-title' },
    h('h2', { id: 'cancel-title' }, 'Cancel this transfer?'),
    h(
      'p',
      {},
      `The transfer of ${amountText(amount)} with nonce ${nonce} will never execute, whatever happens to its bytes. This cannot be undone.`,
    ),
    fault,
    h(
      'div',
      { class: 'row end' },
      h('button', { type: 'button', onclick: () => dialog.close(), autofocus: true }, 'Keep it'),
      sure,
    ),
  );
  sure.addEventListener('click', () => void cancel());
  return h(
    'span',
    {},
    h(
      'button',
      { type: 'button', class: 'danger', 'aria-haspopup': 'dialog', onclick: () => dialog.showModal() },
      'Cancel…',
    ),
    dialog,
  );

  async function cancel(): Promise<void> {
    sure.disabled = true;
    put(sure, 'Waiting for a block…');
    try {
      const { status } = await ask(`transactions/${txHash}`, {
        method: 'DELETE',
        headers: { Prefer: `wait=${WAIT_S}` },
        signal,
      });
      dialog.close();
      if (status === 202) say('The cancel was requested. A block decides.');
      await onChange();
    } catch (error) {
      if (signal.aborted) return;
      put(fault, problemNotice(asProblem(error)));
      // It may be settled by now.
      await onChange();
    } finally {
      sure.disabled = false;
      put(sure, 'Cancel the transfer');
    }
  }
}
