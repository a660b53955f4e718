/**
 * Tokens and bound addresses as of the last entry of the log: rows of chain.db, and in memory what changed since. A token that was revoked
 * is refused from its entry on, whether chain.db has it or not.
 */
import type { EntryWrite } from '../../store/embedded/access-entry.ts';
import type { StoredBinding, StoredToken } from '../../store/index.ts';
import type { AccessAtOnce } from '../access/changes.ts';
import type { ChainIndex } from './settled.ts';

/** Bindings that are cached, addresses without one included; about 200 bytes each. */
const BINDINGS_MAX = 100_000;

interface Changed<T> {
  /** The entry that changed it last. */
  seq: number;
  value: T;
}

export class CurrentAccess implements AccessAtOnce {
  readonly #rows: AccessAtOnce;
  readonly #index: Pick<ChainIndex, 'accessSeq'>;
  /** Changed by entries that chain.db did not have at the last look, in their order. */
  readonly #tokens = new Map<string, Changed<StoredToken>>();
  readonly #bindings = new Map<string, Changed<StoredBinding | undefined>>();
  /** Rows that were read before. No other process changes one. */
  readonly #known = new Map<string, StoredBinding | undefined>();
  #lastSeq = 0;

  constructor(rows: AccessAtOnce, index: Pick<ChainIndex, 'accessSeq'>) {
    this.#rows = rows;
    this.#index = index;
  }

  /** The last entry that changed something, or that has a line in the audit trail. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  token(id: string): StoredToken | undefined {
    this.#forget();
    const changed = this.#tokens.get(id);
    return changed === undefined ? this.#rows.token(id) : changed.value;
  }

  bindings(addresses: readonly string[]): StoredBinding[] {
    this.#forget();
    return addresses.flatMap((address) => {
      const changed = this.#bindings.get(address);
      return (changed === undefined ? this.#row(address) : changed.value) ?? [];
    });
  }

  /**
   * Works out the tokens and bindings after an entry with these writes. Rows are read here, before it is appended.
   * @returns applies the changes, once the entry is in the log: from then on nothing may fail.
   */
  prepare(writes: readonly EntryWrite[]): (seq: number) => void {
    const tokens = new Map<string, StoredToken>();
    const bindings = new Map<string, StoredBinding | undefined>();
    const change = (id: string, made: (token: StoredToken) => StoredToken): void => {
      const token = tokens.get(id) ?? this.token(id);
      if (token !== undefined) tokens.set(id, made(token));
    };
    for (const write of writes) prepareOne(write, { tokens, bindings, change });
    // No caller waits for the time of a token's last use, or for the position of an endpoint.
    const isWaitedFor = writes.some(([name]) => name !== 'markTokensUsed' && name !== 'movePlaces');
    return (seq) => {
      for (const [id, value] of tokens) setLast(this.#tokens, id, { seq, value });
      for (const [address, value] of bindings) {
        this.#known.delete(address);
        setLast(this.#bindings, address, { seq, value });
      }
      if (isWaitedFor) this.#lastSeq = seq;
    };
  }

  #row(address: string): StoredBinding | undefined {
    if (this.#known.has(address)) return this.#known.get(address);
    if (this.#known.size >= BINDINGS_MAX) this.#known.clear();
    const [row] = this.#rows.bindings([address]);
    this.#known.set(address, row);
    return row;
  }

  /** Rows are read after this, so a change is in one of the two places. */
  #forget(): void {
    const { accessSeq } = this.#index;
    for (const changed of [this.#tokens, this.#bindings])
      for (const [key, { seq }] of changed) {
        if (seq > accessSeq) break;
        changed.delete(key);
      }
  }
}

interface Prepared {
  tokens: Map<string, StoredToken>;
  bindings: Map<string, StoredBinding | undefined>;
  change(id: string, made: (token: StoredToken) => StoredToken): void;
}

function prepareOne(write: EntryWrite, { tokens, bindings, change }: Prepared): void {
  switch (write[0]) {
    case 'insertToken':
      tokens.set(write[1].id, write[1]);
      return;
    case 'revokeToken':
      return change(write[1], (token) => ({ ...token, revokedAtMs: token.revokedAtMs ?? write[2] }));
    case 'expireToken':
      return change(write[1], (token) => ({ ...token, expiresAtMs: write[2] }));
    case 'setTokenScopes':
      return change(write[1], (token) => ({ ...token, scopes: [...write[2]] }));
    case 'setTokenLimits':
      return change(write[1], (token) => ({
        ...token,
        limits: Object.keys(write[2]).length === 0 ? undefined : write[2],
      }));
    case 'saveBinding':
      bindings.set(write[1].address, write[1]);
      return;
    case 'removeBinding':
      bindings.set(write[1], undefined);
      return;
    default:
      // Nothing that requests are checked against.
      return;
  }
}

/** Moved to the end, so that the map is in the order of the entries. */
function setLast<T>(map: Map<string, Changed<T>>, key: string, changed: Changed<T>): void {
  map.delete(key);
  map.set(key, changed);
}
