/** What an integrator needs to sign the next transfer of an account. An unknown address is an empty account. */
import { EMPTY_ACCOUNT, isVoid } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';
import type { AccountView } from './types.ts';

export async function viewAccount(store: Store, address: string): Promise<AccountView> {
  return await store.read(async (tx) => {
    const [stored] = await tx.accountsByAddress([address]);
    const account = stored ?? EMPTY_ACCOUNT;
    const held = stored === undefined ? [] : await tx.heldNonces(stored.id, stored.nonce);
    const nextNonce = lowestFree(account.nonce, new Set(held), (nonce) => isVoid(account, nonce));
    return { ok: true, address, balance: account.balance.toString(), nonce: account.nonce, nextNonce };
  });
}

/** The lowest, not the highest used plus one: that would skip a hole for ever, and everything behind it would wait. */
function lowestFree(from: number, held: ReadonlySet<number>, isVoidNonce: (nonce: number) => boolean): number {
  let nonce = from;
  while (held.has(nonce) || isVoidNonce(nonce)) nonce += 1;
  return nonce;
}
