/**
 * A cancel: voids a nonce, not bytes. Signed bytes stay valid forever and one payment can carry several signatures, so only a nonce that
 * can never be used again keeps the promise that a cancelled payment does not happen.
 */
import { isVoid, voidNonce } from './account.ts';
import { CODES, refuse } from './codes.ts';
import type { StepResult } from './effect.ts';
import { NONCE_WINDOW } from './limits.ts';
import type { StateView } from './state.ts';
import type { Cancel } from './transaction.ts';

export function stepCancel(view: StateView, tx: Cancel): StepResult {
  const account = view.account(tx.from);
  if (!account) return refuse('unknown_account', 'the sender has no account');
  if (tx.nonce < account.nonce || tx.nonce >= account.nonce + NONCE_WINDOW) {
    return refuse(
      'cancel_outside_window',
      `nonce ${tx.nonce} is outside ${account.nonce} to ${account.nonce + NONCE_WINDOW - 1}`,
    );
  }
  // If a cancel that changes nothing were accepted, anyone who has its bytes could fill blocks with them.
  if (isVoid(account, tx.nonce)) return refuse('cancel_without_effect', `nonce ${tx.nonce} is void already`);
  if (tx.signer !== tx.from && !view.governance().cancellers.includes(tx.signer)) {
    return refuse('signer_not_allowed', 'a cancel is signed by the sender or by a canceller');
  }
  return {
    ok: true,
    effect: { code: CODES.ok, log: '', accounts: [[tx.from, voidNonce(account, tx.nonce)]] },
  };
}
