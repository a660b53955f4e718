/**
 * Rate limits per client address and per token, shown in the structured fields of the IETF draft "RateLimit header fields for HTTP"
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * A quota is counted in units of cost (cost.ts), by the generic cell rate algorithm: for each caller one number, the moment at which its
 * debt is paid off. It needs no timer, no promise and no division of time into windows, at whose boundary twice the quota could pass.
 * (rate-limiter-flexible, used here before, returns only promises and starts a timer for each caller.)
 *
 * Counted in memory per process, for all HTTP threads together (shared/table.ts): a limit protects this process, and a counter shared by
 * several would put a round trip into every request. If there are more callers than places in the table, those whose debt is paid off first
 * are forgotten. IPv6 clients count by their /64, the smallest block that one customer gets (RFC 6177).
 */
import type { Clock } from '../engine/ports.ts';
import type { Principal } from '../gateway/types.ts';

import type { RateLimit } from './options.ts';
import type { SharedTable } from './shared/table.ts';

/** The header fields. It is a type, not an interface, so that it can be assigned to any map of headers. */
export type RateHeaders = { RateLimit: string; 'RateLimit-Policy': string };

export interface RateVerdict {
  readonly ok: boolean;
  /** Whole seconds, at least 1. Meaningless if `ok`. */
  readonly retryAfterS: number;
  /** The quotas at the moment of reading, including later charges. */
  readonly headers: RateHeaders;
  /** Time until the charged cost is within the quota again; 0 if it is. */
  readonly debtMs: number;
  /**
   * Charges a cost that became known later, such as the bytes of the answer. It is never refused, and is paid off before the next request.
   */
  charge(cost: number): void;
}

/** Callers of each kind whose debt is kept: 200,000 places take 3 MB. No caller is refused because of the number of others. */
export const CALLERS_MAX = 50_000;

/** No debt is longer than this, so a caller without requests for as long has the whole quota again and can be forgotten. */
const DEBT_MS_MAX = 10_000;

/** Rounding errors of moments in milliseconds are a thousand times smaller. */
const EPSILON_MS = 1e-4;

/** The token that is charged, or its owner. */
export type QuotaOwner = Pick<Principal, 'tokenId' | 'quotaKey' | 'limits'>;

/** Own rates of tokens that are cached: operators have a handful of them. Beyond this number each is computed on demand. */
const OWN_RATES_MAX = 1000;

export class RateLimits {
  readonly #addresses: Meter;
  readonly #tokens: Meter;

  /** @param shared debts of all threads, by a monotonic clock that all threads share. */
  constructor(
    limits: { perToken: RateLimit; perClient: RateLimit },
    clock: Clock,
    shared: { addressDebts: SharedTable; tokenDebts: SharedTable },
  ) {
    this.#addresses = new Meter('client', limits.perClient, clock, shared.addressDebts);
    this.#tokens = new Meter('token', limits.perToken, clock, shared.tokenDebts);
  }

  /** Charges the address, before the token is looked up. A refused request is charged nothing. */
  takeAddress(address: string | undefined, cost: number): RateVerdict {
    const quota = this.#addresses.quota(clientKey(address ?? ''));
    return new Verdict(quota.take(cost), quota, undefined);
  }

  /** Charges the token, once it is valid; `before` is the result of takeAddress, so that later charges and headers include both. */
  takeToken({ tokenId, quotaKey = tokenId, limits }: QuotaOwner, cost: number, before?: RateVerdict): RateVerdict {
    const quota = this.#tokens.quota(quotaKey, limits?.ratePerS);
    return new Verdict(quota.take(cost), quota, before);
  }

  /** Charges both, the address first, for a caller with a valid token. */
  take(address: string | undefined, owner: QuotaOwner | undefined, cost: number): RateVerdict {
    const before = this.takeAddress(address, cost);
    return before.ok && owner !== undefined ? this.takeToken(owner, cost, before) : before;
  }
}

class Verdict implements RateVerdict {
  readonly retryAfterS: number;
  readonly #quota: Quota;
  readonly #before: RateVerdict | undefined;

  /** @param waitMs 0 if the cost was accepted. */
  constructor(waitMs: number, quota: Quota, before: RateVerdict | undefined) {
    this.retryAfterS = Math.ceil(waitMs / 1000);
    this.#quota = quota;
    this.#before = before;
  }

  get ok(): boolean {
    return this.retryAfterS === 0;
  }

  get headers(): RateHeaders {
    const { field, policy } = this.#quota;
    if (this.#before === undefined) return { RateLimit: field, 'RateLimit-Policy': policy };
    const { headers } = this.#before;
    return {
      RateLimit: `${field}, ${headers.RateLimit}`,
      'RateLimit-Policy': `${policy}, ${headers['RateLimit-Policy']}`,
    };
  }

  get debtMs(): number {
    return Math.max(this.#quota.debtMs, this.#before?.debtMs ?? 0);
  }

  charge(cost: number): void {
    this.#quota.charge(cost);
    this.#before?.charge(cost);
  }
}

/** The quotas of one kind of caller. */
class Meter {
  readonly #kind: Kind;
  /** Kinds by units per second, for callers with a rate of their own. */
  readonly #ownKinds = new Map<number, Kind>();
  readonly #debts: SharedTable;

  constructor(name: string, limit: RateLimit, clock: Clock, debts: SharedTable) {
    this.#debts = debts;
    this.#kind = kindOf(name, limit, clock);
  }

  /** @param perS units per second, for a caller with a rate of its own. It may change: the debt is a moment, and stays. */
  quota(key: string, perS?: number): Quota {
    return new Quota(perS === undefined ? this.#kind : this.#ownKind(perS), this.#debts, key);
  }

  /** Makes a kind with the window of all callers. */
  #ownKind(perS: number): Kind {
    const known = this.#ownKinds.get(perS);
    if (known !== undefined) return known;
    const { name, windowMs, clock } = this.#kind;
    const windowS = windowMs / 1000;
    const kind = kindOf(name, { requests: perS * windowS, windowS }, clock);
    if (this.#ownKinds.size < OWN_RATES_MAX) this.#ownKinds.set(perS, kind);
    return kind;
  }
}

interface Kind {
  name: string;
  policy: string;
  /** Time that pays off one unit. */
  unitMs: number;
  /** Time that pays off the whole quota. */
  windowMs: number;
  clock: Clock;
}

function kindOf(name: string, { requests, windowS }: RateLimit, clock: Clock): Kind {
  const windowMs = windowS * 1000;
  return { name, policy: `"${name}";q=${requests};w=${windowS}`, unitMs: windowMs / requests, windowMs, clock };
}

/** The debt of one caller: the moment, on the monotonic clock, at which all of it is paid off. */
class Quota {
  readonly #kind: Kind;
  readonly #debts: SharedTable;
  readonly #key: string;

  constructor(kind: Kind, debts: SharedTable, key: string) {
    this.#kind = kind;
    this.#debts = debts;
    this.#key = key;
  }

  get policy(): string {
    return this.#kind.policy;
  }

  /** One item of the RateLimit header: remaining units, and seconds until the quota is full again. */
  get field(): string {
    const { name, unitMs, windowMs, clock } = this.#kind;
    const debtMs = Math.max(0, this.#paidMs() - clock.monotonicMs());
    const left = Math.max(0, Math.floor((windowMs - debtMs + EPSILON_MS) / unitMs));
    return `"${name}";r=${left};t=${Math.max(1, Math.ceil(debtMs / 1000))}`;
  }

  get debtMs(): number {
    const { windowMs, clock } = this.#kind;
    return Math.max(0, this.#paidMs() - windowMs - clock.monotonicMs());
  }

  /** Returns 0 if the cost is accepted, otherwise the time until it can be. A cost above the whole quota needs the whole quota. */
  take(cost: number): number {
    if (cost === 0) return 0;
    const { unitMs, windowMs, clock } = this.#kind;
    const nowMs = clock.monotonicMs();
    let wait = 0;
    this.#change((paidMs) => {
      const startMs = Math.max(paidMs, nowMs);
      const waitMs = startMs + Math.min(cost * unitMs, windowMs) - windowMs - nowMs;
      wait = waitMs > EPSILON_MS ? waitMs : 0;
      return wait > 0 ? undefined : this.#after(startMs, cost, nowMs);
    });
    return wait;
  }

  charge(cost: number): void {
    if (cost === 0) return;
    const nowMs = this.#kind.clock.monotonicMs();
    this.#change((paidMs) => this.#after(Math.max(paidMs, nowMs), cost, nowMs));
  }

  #paidMs(): number {
    return this.#debts.update(this.#key, true, (values, at) => values[at] as number) ?? 0;
  }

  /** Changes the moment in one step. `next` returns the new moment, or undefined to keep the old one. */
  #change(next: (paidMs: number) => number | undefined): void {
    this.#debts.update(this.#key, true, (values, at) => {
      const paid = next(values[at] as number);
      if (paid !== undefined) values[at] = paid;
    });
  }

  #after(startMs: number, cost: number, nowMs: number): number {
    const { unitMs, windowMs } = this.#kind;
    return Math.min(startMs + cost * unitMs, nowMs + Math.max(windowMs, DEBT_MS_MAX));
  }
}

const MAPPED = '::ffff:';

/** Exported for its test and for other counts by address. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address;
  const lower = address.toLowerCase();
  if (lower.startsWith(MAPPED) && lower.includes('.')) return address.slice(MAPPED.length);
  const [head = '', tail] = lower.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':')}::/64`;
}
