/** The form that sends a transfer. It shows the bytes before they are signed, and then the answer of the service. */
import type { SignedTransfer } from '../../../../../client/src/actions/signTransfer.ts';
import type { Chain } from '../api.ts';
import { h, put } from '../dom.ts';
import { watchChain } from '../live.ts';
import type { PageContext } from '../page.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { transactionLink } from '../parts/value.ts';
import { asProblem } from '../problem.ts';
import { transactionHref } from '../route.ts';
import { developmentAccounts } from '../session.ts';
import { field, fieldset } from './field.ts';
import { nextNonce, sign, signText, submit } from './send.ts';
import { type Faults, readTransfer, type TypedTransfer } from './transfer-fields.ts';

export class SendForm {
  readonly element: HTMLElement;
  readonly #chain: Chain;
  readonly #context: PageContext;
  readonly #fields;
  readonly #preview = h('pre', { class: 'sunk', tabindex: '0', 'aria-label': 'The bytes to be signed' });
  readonly #result = h('div', { 'aria-live': 'polite' });
  readonly #submit = h('button', { type: 'submit', class: 'primary' }, 'Sign and send');
  /** Next nonce of the selected account. */
  #next: { readonly from: string; readonly nonce: number } | undefined;
  /**
   * A transfer that was sent without an answer, with the typed values: the same values are sent again as the same bytes, which are paid
   * only once.
   */
  #unanswered: { readonly typed: string; readonly signed: SignedTransfer } | undefined;

  constructor(chain: Chain, context: PageContext) {
    this.#chain = chain;
    this.#context = context;
    const { code } = chain.currency;
    const input = (name: string, more = {}): HTMLInputElement =>
      h('input', { name, autocomplete: 'off', spellcheck: 'false', ...more });
    this.#fields = {
      from: field('From', h('select', { name: 'from' })),
      to: field('To', input('to', { list: 'accounts' }), 'An address, or the name of an account.'),
      amount: field(`Amount in ${code}`, input('amount', { inputmode: 'decimal' })),
      reference: field('Reference', input('reference', { maxlength: 140 }), 'Optional: your own name for the payment.'),
      validUntil: field(
        'Valid until',
        input('validUntil', { type: 'datetime-local', step: 1 }),
        'Optional: no block executes it later.',
      ),
      nonce: field(
        'Nonce',
        input('nonce', { inputmode: 'numeric' }),
        'Optional. One that skips some waits until they are used, and can be cancelled.',
      ),
    };
    const { from, to, amount, reference, validUntil, nonce } = this.#fields;
    const form = h(
      'form',
      {
        class: 'stack',
        novalidate: true,
        onsubmit: (event: Event) => void this.#send(event),
        oninput: () => void this.#show(false),
      },
      h('datalist', { id: 'accounts' }),
      h('div', { class: 'fields' }, from.element, to.element, amount.element, reference.element),
      h(
        'details',
        {},
        h('summary', {}, 'More'),
        fieldset('More of the transfer', h('div', { class: 'fields' }, validUntil.element, nonce.element)),
      ),
      h('div', { class: 'stack tight' }, h('h3', {}, 'What will be signed'), this.#preview),
      this.#result,
      h(
        'div',
        { class: 'row' },
        this.#submit,
        h('span', { class: 'small soft' }, 'Signed in this browser; the key is not sent.'),
      ),
    );
    this.element = h(
      'section',
      { class: 'card', 'aria-labelledby': 'send' },
      h('h2', { id: 'send' }, 'Send a transfer'),
      form,
    );
    this.accountsChanged(context.route.query.get('from') ?? undefined);
    // Each block can use nonces.
    watchChain(() => void this.#show(true), context.signal);
  }

  /** Fills the choices. */
  accountsChanged(chosen: string = this.#fields.from.control.value): void {
    const accounts = developmentAccounts();
    const { control } = this.#fields.from;
    put(
      control,
      accounts.map(({ name }) => h('option', { value: name }, name)),
    );
    control.value = accounts.some(({ name }) => name === chosen) ? chosen : (accounts[0]?.name ?? '');
    const names = this.element.querySelector('datalist');
    if (names !== null)
      put(
        names,
        accounts.map(({ name, address }) => h('option', { value: name }, address)),
      );
    void this.#show(true);
  }

  #typed(): TypedTransfer {
    const { from, to, amount, reference, validUntil, nonce } = this.#fields;
    return {
      from: from.control.value,
      to: to.control.value,
      amount: amount.control.value,
      reference: reference.control.value,
      validUntil: validUntil.control.value,
      nonce: nonce.control.value,
    };
  }

  #read() {
    return readTransfer(this.#typed(), { accounts: developmentAccounts(), ...this.#chain });
  }

  #tell(faults: Faults): void {
    for (const [name, each] of Object.entries(this.#fields)) each.fault(faults[name as keyof Faults] ?? '');
  }

  /** Text that is still being typed is not faulty yet: here shown faults are only removed. */
  async #show(isNew: boolean): Promise<void> {
    const { transfer, faults } = this.#read();
    const from = this.#fields.from.control.value;
    const address = developmentAccounts().find(({ name }) => name === from)?.address;
    if (address !== undefined && (isNew || this.#next?.from !== from)) {
      const nonce = await nextNonce(address, this.#context.signal).catch(() => undefined);
      if (nonce !== undefined) this.#next = { from, nonce };
    }
    for (const [name, each] of Object.entries(this.#fields))
      if (faults[name as keyof Faults] === undefined) each.fault('');
    put(
      this.#preview,
      transfer === undefined
        ? 'Fill in receiver and amount to see the bytes.'
        : signText(transfer, transfer.nonce ?? this.#next?.nonce ?? 0, this.#chain),
    );
  }

  async #send(event: Event): Promise<void> {
    event.preventDefault();
    const { transfer, faults } = this.#read();
    this.#tell(faults);
    put(this.#result);
    if (transfer === undefined) {
      const [first] = Object.entries(this.#fields).flatMap(([name, { control }]) =>
        faults[name as keyof Faults] === undefined ? [] : [control],
      );
      first?.closest('details')?.setAttribute('open', '');
      first?.focus();
      return;
    }
    const seed = developmentAccounts().find(({ address }) => address === transfer.from)?.seed ?? '';
    this.#submit.disabled = true;
    const { signal } = this.#context;
    const typed = JSON.stringify(this.#typed());
    let signed = this.#unanswered?.typed === typed ? this.#unanswered.signed : undefined;
    try {
      signed ??= await sign(transfer, seed, this.#chain, signal);
      await submit(signed, signal);
      this.#unanswered = undefined;
      location.hash = transactionHref(signed.txHash);
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      const isUnknown = signed !== undefined && (problem.isPassing || problem.status === 408 || problem.status === 500);
      this.#unanswered = isUnknown && signed !== undefined ? { typed, signed } : undefined;
      put(
        this.#result,
        isUnknown && signed !== undefined ? unknownNotice(signed, problem.message) : problemNotice(problem),
      );
    } finally {
      this.#submit.disabled = false;
    }
  }
}

/** Shown for a transfer that was sent, and perhaps accepted. */
function unknownNotice({ txHash }: SignedTransfer, message: string): HTMLElement {
  return notice(
    'warn',
    h(
      'p',
      {},
      message,
      ' It is not known whether the transfer ',
      transactionLink(txHash),
      ' was accepted. Send it again: the same bytes go out, and are paid once.',
    ),
  );
}
