/**
 * Account of the contract: what an integrator needs to sign the next transfer, and the funds that are free. An unknown address is an empty
 * account.
 *
 * All members of an answer are of one moment: account, pending transfers and height are read from one snapshot.
 */
import type { Account } from '../ledger/index.ts';
import { EMPTY_ACCOUNT, isVoid } from '../ledger/index.ts';
import type { FollowerState, NonceRun, ReadTransaction, Store, StoredAccount } from '../store/index.ts';
import { takenIn } from './accept/places.ts';
import type { AccountsView, AccountView, NonceRange } from './types.ts';

/** The last block applied. */
export interface Moment {
  height: number;
  blockTimeMs: number;
}

/** Funds and nonces that the pending transfers of an account hold. */
export interface Held {
  /** The sum of their amounts, in minor units. */
  pendingOut: bigint;
  /** The lowest nonce that is neither void nor held by one of them. */
  free: number;
  /** The highest nonce that one of them holds; -1 without any. */
  highest: number;
  has(nonce: number): boolean;
}

export function accountView(
  address: string,
  account: Account,
  held: Held,
  { height, blockTimeMs }: Moment,
): AccountView {
  const { balance, nonce } = account;
  const { pendingOut, free } = held;
  // A transaction that reached the chain by another way can have taken money that pending transfers count on.
  const available = balance > pendingOut ? balance - pendingOut : 0n;
  const gaps = gapsOf(account, held);
  return {
    ok: true,
    address,
    balance: balance.toString(),
    available: available.toString(),
    pendingOut: pendingOut.toString(),
    nonce,
    nextNonce: free,
    gaps,
    height,
    blockTimeMs,
  };
}

/** Every nonce below `free` is void or held, so the first gap begins there. */
function gapsOf(account: Account, { free, highest, has }: Held): NonceRange[] {
  const gaps: NonceRange[] = [];
  let open: NonceRange | undefined;
  for (let nonce = free; nonce < highest; nonce++) {
    if (has(nonce) || isVoid(account, nonce)) open = undefined;
    else if (open === undefined) gaps.push((open = { first: nonce, last: nonce }));
    else open.last = nonce;
  }
  return gaps;
}

/** Reads the view from a store of rows, on one snapshot. */
export async function viewAccounts(store: Store, addresses: readonly string[]): Promise<AccountsView> {
  return await store.read(async (tx) => {
    const [follower, accounts] = await Promise.all([tx.follower(), tx.accountsByAddress(addresses)]);
    return viewsOf(addresses, follower, accounts, await pendingOf(tx, accounts));
  });
}

export async function viewAccount(store: Store, address: string): Promise<AccountView> {
  const { accounts } = await viewAccounts(store, [address]);
  return accounts[0] as AccountView;
}

/** Makes the view from rows of one snapshot; `runs` are all pending nonces of these accounts. */
export function viewsOf(
  addresses: readonly string[],
  follower: FollowerState | undefined,
  accounts: readonly StoredAccount[],
  runs: readonly NonceRun[],
): AccountsView {
  if (follower === undefined) throw new Error('the store has no follower state: it was never initialised');
  const { height, blockTimeMs } = follower;
  const stored = new Map(accounts.map((account) => [account.address, account]));
  // Not Map.groupBy: the client's testing package has this code too, and runs on Node.js 20.
  const runsOf = new Map<number, NonceRun[]>(accounts.map(({ id }) => [id, []]));
  for (const run of runs) runsOf.get(run.fromId)?.push(run);
  const views = addresses.map((address) => {
    const account = stored.get(address);
    return accountView(
      address,
      account ?? EMPTY_ACCOUNT,
      account === undefined ? NOTHING_HELD : heldBy(account, runsOf.get(account.id) ?? []),
      { height, blockTimeMs },
    );
  });
  return { ok: true, accounts: views, height, blockTimeMs };
}

/** Reads only senders that have something pending. */
async function pendingOf(tx: ReadTransaction, accounts: readonly StoredAccount[]): Promise<NonceRun[]> {
  return await tx.pendingNonces(accounts.filter(({ reserved }) => reserved > 0n).map(({ id }) => id));
}

const NOTHING_HELD: Held = { pendingOut: 0n, free: 0, highest: -1, has: () => false };

function heldBy(account: StoredAccount, runs: readonly NonceRun[]): Held {
  const nonces = new Set(runs.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i)));
  const highest = Math.max(-1, ...runs.map(({ first, count }) => first + count - 1));
  return {
    pendingOut: account.reserved,
    free: takenIn(account, runs).free,
    highest,
    has: (nonce) => nonces.has(nonce),
  };
}
