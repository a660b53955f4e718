/** Finds who a token stands for. A row is remembered for a moment only, so that a revocation soon holds. */
import type { Clock } from '../../engine/ports.ts';
import type { StoredToken } from '../../store/index.ts';
import { TOKEN_CACHE_ENTRIES_MAX, TOKEN_CACHE_MS } from '../limits.ts';
import type { Principal, Refusal } from '../types.ts';
import { readToken, sameSecret } from './token-text.ts';

/** A refusal: the store could not be asked. */
type Row = StoredToken | Refusal | undefined;

interface Entry {
  readonly untilMs: number;
  readonly row: Promise<Row>;
}

export class TokenCache {
  readonly #clock: Clock;
  readonly #lookup: (id: string) => Promise<Row>;
  /** In the order of lookup, so the first entry is the oldest. Unknown ids are remembered like known ones. */
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, lookup: (id: string) => Promise<Row>) {
    this.#clock = clock;
    this.#lookup = lookup;
  }

  async authenticate(text: string): Promise<Principal | Refusal | undefined> {
    const parts = readToken(text);
    if (parts === undefined) return undefined;
    const token = await this.#row(parts.id);
    if (token !== undefined && 'ok' in token) return token;
    if (token === undefined || !sameSecret(token.secretSha256, parts.secretSha256)) return undefined;
    if (token.revokedAtMs !== undefined) return undefined;
    if (token.expiresAtMs !== undefined && token.expiresAtMs <= this.#clock.nowMs()) return undefined;
    return { tokenId: token.id, owner: token.owner, scopes: token.scopes };
  }

  #row(id: string): Promise<Row> {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#entries.get(id);
    if (known !== undefined && nowMs < known.untilMs) return known.row;
    this.#entries.delete(id);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < TOKEN_CACHE_ENTRIES_MAX) break;
      this.#entries.delete(oldest);
    }
    const row = this.#lookup(id);
    this.#entries.set(id, { untilMs: nowMs + TOKEN_CACHE_MS, row });
    // A lookup that failed says nothing about the token.
    row.then(
      (found) => found !== undefined && 'ok' in found && this.#entries.delete(id),
      () => this.#entries.delete(id),
    );
    return row;
  }
}
