/**
 * Nonces for many sends at once from one account in one process.
 *
 * A nonce is given out once and kept until the account's nonce at the service is past it. Only the service has the list of free nonces, so
 * the account is read at the beginning, after another process has taken a nonce, and when the window of accepted nonces is used up.
 */
import { getAccount } from './actions/getAccount.ts';
import type { Client } from './client.ts';
import { after, type Deadline, sleep } from './deadline.ts';
import type { Environment } from './environment.ts';
import { AttemptTimeoutError } from './errors/AttemptTimeoutError.ts';
import { NONCE_ACCOUNTS_MAX, NONCE_WINDOW, WINDOW_POLL_MS } from './limits.ts';

/** The result of the use of a nonce: never used; held by this process or by another one; or not known yet. */
export type NonceFate = 'unused' | 'ours' | 'taken' | 'unknown';

interface AccountNonces {
  /** The lowest nonce that may be free: everything below is used, void or held. */
  floor: number;
  /** Nonces from here on are refused by the service. */
  ceiling: number;
  /** The start of the search for a free nonce; everything between `floor` and this one is in `held`. */
  next: number;
  /** Nonces at or above the floor that are given out or known to be held. */
  readonly held: Set<number>;
  /** Sends that have a nonce and have not said how it ended. */
  inFlight: number;
  /** Set when the service has newer information. */
  stale: boolean;
  /** The read of the account that is under way, so that many sends make one request. */
  asking: Promise<void> | undefined;
}

export class NonceManager {
  readonly #client: Client;
  readonly #accounts = new Map<string, AccountNonces>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reserves a nonce that no other send of this process has. Waits, until the deadline, while the service would refuse every free one. */
  async reserve(address: string, deadline: Deadline): Promise<number> {
    const account = this.#account(address);
    account.inFlight += 1;
    try {
      for (;;) {
        if (deadline.timeoutMs === 0) throw outOfTime(this.#client, address);
        if (account.stale || account.asking) await this.#ask(address, account, deadline);
        const nonce = take(account);
        if (nonce !== undefined) return nonce;
        // The window is full of this client's pending transfers: only blocks free nonces.
        await this.#ask(address, account, deadline);
        const room = take(account);
        if (room !== undefined) return room;
        await sleep(this.#client.environment, Math.min(WINDOW_POLL_MS, deadline.timeoutMs), deadline.signal);
      }
    } catch (error) {
      account.inFlight -= 1;
      throw error;
    }
  }

  /** Records how the use of a reserved nonce ended. */
  settle(address: string, nonce: number, fate: NonceFate): void {
    const account = this.#account(address);
    account.inFlight -= 1;
    if (fate === 'unused') {
      account.held.delete(nonce);
      account.next = Math.min(account.next, nonce);
    }
    if (fate === 'taken') account.stale = true;
  }

  #account(address: string): AccountNonces {
    const known = this.#accounts.get(address);
    if (known) return known;
    if (this.#accounts.size >= NONCE_ACCOUNTS_MAX) {
      // Any account without a send in flight may be dropped: reading it again costs one request.
      for (const [other, { inFlight }] of this.#accounts) {
        if (inFlight === 0) {
          this.#accounts.delete(other);
          break;
        }
      }
    }
    const account: AccountNonces = {
      floor: 0,
      ceiling: 0,
      next: 0,
      held: new Set(),
      inFlight: 0,
      stale: true,
      asking: undefined,
    };
    this.#accounts.set(address, account);
    return account;
  }

  async #ask(address: string, account: AccountNonces, deadline: Deadline): Promise<void> {
    // Sends that come while a read is under way share its answer, but each gives up at its own deadline. Only the send that made the
    // request fails with its error.
    if (account.asking) {
      await settledBy(this.#client.environment, account.asking, deadline);
      return;
    }
    account.asking = (async () => {
      account.stale = false;
      try {
        const { nonce, nextNonce } = await getAccount(this.#client, { address, ...deadline });
        account.floor = Math.max(account.floor, nextNonce);
        account.ceiling = Math.max(account.ceiling, nonce + NONCE_WINDOW);
        for (const held of account.held) if (held < account.floor) account.held.delete(held);
      } catch (error) {
        account.stale = true;
        throw error;
      }
    })();
    try {
      await account.asking;
    } finally {
      account.asking = undefined;
    }
  }
}

/** Resolves when the promise is fulfilled or rejected, or when the time is up; rejects with the signal's reason as soon as it aborts. */
function settledBy(
  environment: Environment,
  promise: Promise<unknown>,
  { timeoutMs, signal }: Deadline,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = after(environment, timeoutMs, signal, () => (signal?.aborted ? reject(signal.reason) : resolve()));
    const settled = (): void => {
      stop();
      resolve();
    };
    promise.then(settled, settled);
  });
}

function outOfTime({ baseUrl }: Client, address: string): AttemptTimeoutError {
  return new AttemptTimeoutError(
    { method: 'GET', url: `${baseUrl}/accounts/${address}`, attempts: 0, baseUrl, status: 0 },
    0,
  );
}

function take(account: AccountNonces): number | undefined {
  let nonce = Math.max(account.floor, account.next);
  while (account.held.has(nonce)) nonce += 1;
  account.next = nonce;
  if (nonce >= account.ceiling) return undefined;
  account.held.add(nonce);
  return nonce;
}

const managers = new WeakMap<Client, NonceManager>();

/** The one manager of a client. */
export function noncesOf(client: Client): NonceManager {
  let manager = managers.get(client);
  if (!manager) {
    manager = new NonceManager(client);
    managers.set(client, manager);
  }
  return manager;
}
