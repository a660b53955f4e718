/** A transfer: executes exactly at the account's nonce; with too little money it fails, and failing is final. */
import { EMPTY_ACCOUNT, isVoid, useNonce } from './account.ts';
import { type BlockContext, isPast } from './block-context.ts';
import { CODES, refuse } from './codes.ts';
import type { StepResult } from './effect.ts';
import type { StateView } from './state.ts';
import type { Transfer } from './transaction.ts';

/**
 * True when an account that does not exist yet would be opened with less than the chain's minimum: an account is state on every validator
 * for good.
 */
export function opensTooLittle(view: StateView, { to, amount }: Pick<Transfer, 'to' | 'amount'>): boolean {
  return amount < BigInt(view.governance().openingMinimum) && view.account(to) === undefined;
}

export function stepTransfer(view: StateView, tx: Transfer, block: BlockContext): StepResult {
  const sender = view.account(tx.from);
  // Fresh keys cost nothing: without this rule anyone could write accounts into the state for free.
  if (!sender) return refuse('unknown_account', 'the sender has no account');
  if (tx.nonce < sender.nonce)
    return refuse('nonce_too_low', `nonce ${tx.nonce} is used, the account is at ${sender.nonce}`);
  if (tx.nonce > sender.nonce) {
    if (isVoid(sender, tx.nonce)) return refuse('nonce_void', `nonce ${tx.nonce} was cancelled`);
    return refuse('nonce_gap', `nonce ${tx.nonce} is ahead, the account is at ${sender.nonce}`);
  }
  // Last: a used or void nonce is the more useful answer, because it stays so at any time.
  if (tx.validUntil !== undefined && isPast(tx.validUntil, block.timeNs))
    return refuse('validity_passed', `valid until ${tx.validUntil}, the block is later`);

  const used = useNonce(sender);
  if (sender.balance < tx.amount) {
    return {
      ok: true,
      effect: {
        code: CODES.insufficient_funds,
        log: `insufficient funds: balance ${sender.balance}, amount ${tx.amount}`,
        accounts: [[tx.from, used]],
      },
    };
  }
  // To oneself the money comes back at once: only the nonce is used.
  if (tx.to === tx.from) return { ok: true, effect: { code: CODES.ok, log: '', accounts: [[tx.from, used]] } };
  const receiver = view.account(tx.to) ?? EMPTY_ACCOUNT;
  if (receiver === EMPTY_ACCOUNT && opensTooLittle(view, tx)) {
    return {
      ok: true,
      effect: {
        code: CODES.below_opening_minimum,
        log: `below the opening minimum: the receiver has no account, and at least ${view.governance().openingMinimum} opens one`,
        accounts: [[tx.from, used]],
      },
    };
  }
  return {
    ok: true,
    effect: {
      code: CODES.ok,
      log: '',
      accounts: [
        [tx.from, { ...used, balance: used.balance - tx.amount }],
        // No overflow: the sum of all balances never exceeds AMOUNT_MAX.
        [tx.to, { ...receiver, balance: receiver.balance + tx.amount }],
      ],
    },
  };
}
