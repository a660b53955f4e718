/**
 * Determines the principal of a token. A row is cached for a moment only, so that a revocation soon has effect.
 *
 * Ids that the store does not have are cached apart from those that it has, and only few of them, so that invented tokens evict only other
 * invented ones. Few unknown ids are looked up at once, while a token that was found a moment ago is looked up again at any time.
 */
import type { Clock } from '../../engine/ports.ts';
import type { StoredToken } from '../../store/index.ts';
import {
  TOKEN_CACHE_ENTRIES_MAX,
  TOKEN_CACHE_MS,
  UNKNOWN_TOKEN_ENTRIES_MAX,
  UNKNOWN_TOKEN_LOOKUPS_MAX,
  UNKNOWN_TOKENS_WAITING_MAX,
} from '../limits.ts';
import { refuse } from '../refusals.ts';
import type { Principal, Refusal } from '../types.ts';
import { isSecret, readToken } from './token-text.ts';
import type { TokenParts } from './token-text.ts';

/** A refusal: the store could not be read. */
type Row = StoredToken | Refusal | undefined;

interface Known {
  row: StoredToken;
  untilMs: number;
}

export class TokenCache {
  readonly #clock: Clock;
  readonly #lookup: (id: string) => Promise<Row>;
  /** In the order of lookup, so the first is the oldest. An entry that is no longer valid still shows that the id is a token's. */
  readonly #known = new Map<string, Known>();
  /** Time until which each id counts as unknown. */
  readonly #unknown = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<Row>>();
  readonly #waiting: (() => void)[] = [];
  #unknownUnderWay = 0;
  #lookups = { known: 0, unknown: 0 };

  constructor(clock: Clock, lookup: (id: string) => Promise<Row>) {
    this.#clock = clock;
    this.#lookup = lookup;
  }

  /** Lookups in the store, for ids that were found before and for others. */
  get lookups(): Readonly<{ known: number; unknown: number }> {
    return this.#lookups;
  }

  /** A promise only where the store has to be read. */
  authenticate(text: string): Principal | Refusal | undefined | Promise<Principal | Refusal | undefined> {
    const parts = readToken(text);
    if (parts === undefined) return undefined;
    const known = this.#known.get(parts.id);
    const nowMs = this.#clock.monotonicMs();
    if (known !== undefined && nowMs < known.untilMs) return this.#check(known.row, parts);
    if (nowMs < (this.#unknown.get(parts.id) ?? 0)) return undefined;
    return this.#ask(parts.id, known !== undefined).then((row) => this.#check(row, parts));
  }

  #check(row: Row, parts: TokenParts): Principal | Refusal | undefined {
    if (row === undefined || 'ok' in row) return row;
    if (!isSecret(row.secretSha256, parts)) return undefined;
    if (row.revokedAtMs !== undefined) return undefined;
    if (row.expiresAtMs !== undefined && row.expiresAtMs <= this.#clock.nowMs()) return undefined;
    return row.limits === undefined
      ? { tokenId: row.id, owner: row.owner, scopes: row.scopes }
      : { tokenId: row.id, owner: row.owner, scopes: row.scopes, limits: row.limits };
  }

  /** All requests for an id that is being looked up share one lookup. */
  #ask(id: string, isKnown: boolean): Promise<Row> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const asked = (isKnown ? this.#look(id, 'known') : this.#lookWhenFew(id)).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, asked);
    return asked;
  }

  async #lookWhenFew(id: string): Promise<Row> {
    if (this.#unknownUnderWay < UNKNOWN_TOKEN_LOOKUPS_MAX) this.#unknownUnderWay += 1;
    else {
      if (this.#waiting.length >= UNKNOWN_TOKENS_WAITING_MAX)
        return refuse(
          'store_unavailable',
          'Too many tokens are being looked up. Wait as long as Retry-After says, then send the request again.',
          { retryAfterS: 1 },
        );
      // A lookup that ends passes its place to the next one.
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    try {
      return await this.#look(id, 'unknown');
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#unknownUnderWay -= 1;
      else next();
    }
  }

  async #look(id: string, kind: 'known' | 'unknown'): Promise<Row> {
    const untilMs = this.#clock.monotonicMs() + TOKEN_CACHE_MS;
    this.#lookups[kind] += 1;
    const row = await this.#lookup(id);
    // A lookup that failed shows nothing about the token.
    if (row !== undefined && 'ok' in row) return row;
    this.#known.delete(id);
    if (row === undefined) remember(this.#unknown, id, untilMs, UNKNOWN_TOKEN_ENTRIES_MAX);
    else {
      this.#unknown.delete(id);
      remember(this.#known, id, { row, untilMs }, TOKEN_CACHE_ENTRIES_MAX);
    }
    return row;
  }
}

/** Adds the youngest entry and evicts the oldest when the map is full. */
function remember<T>(entries: Map<string, T>, id: string, entry: T, entriesMax: number): void {
  entries.delete(id);
  for (const oldest of entries.keys()) {
    if (entries.size < entriesMax) break;
    entries.delete(oldest);
  }
  entries.set(id, entry);
}
