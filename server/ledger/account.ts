/**
 * An account and the life of its nonces.
 *
 * Every nonce is used exactly once: executed, failed or void. Void nonces ahead of the account are remembered as bits, and an
 * account's nonce never stays on one: every change of the nonce also moves it past every void that follows, in the same execution.
 */
import { NONCE_WINDOW } from './limits.ts';

export interface Account {
  /** Minor units. */
  readonly balance: bigint;
  /** The next nonce that can execute. */
  readonly nonce: number;
  /** Bit i is set when nonce + i is void; below 2^NONCE_WINDOW, and bit 0 is never set at rest. */
  readonly voids: bigint;
}

/** One account as it is persisted. */
export interface AccountRow {
  readonly address: string;
  /** Index in the tree: given at the first write, dense from 0, never changed. */
  readonly leaf: number;
  readonly account: Account;
}

export const EMPTY_ACCOUNT: Account = { balance: 0n, nonce: 0, voids: 0n };

/** True when `nonce` is void and still ahead. Nonces below the account's are used, however that happened. */
export function isVoid(account: Account, nonce: number): boolean {
  const ahead = nonce - account.nonce;
  return ahead >= 0 && ahead < NONCE_WINDOW && ((account.voids >> BigInt(ahead)) & 1n) === 1n;
}

function passVoids(account: Account): Account {
  let { nonce, voids } = account;
  while ((voids & 1n) === 1n) {
    nonce += 1;
    voids >>= 1n;
  }
  return { balance: account.balance, nonce, voids };
}

/** Uses the account's nonce, executed or failed. */
export function useNonce(account: Account): Account {
  const next = { balance: account.balance, nonce: account.nonce + 1, voids: account.voids >> 1n };
  return account.voids === 0n ? next : passVoids(next);
}

/** Voids a nonce; the caller has checked that it is inside the window and not void. */
export function voidNonce(account: Account, nonce: number): Account {
  return passVoids({ ...account, voids: account.voids | (1n << BigInt(nonce - account.nonce)) });
}
