/**
 * Tokens, bound addresses and the audit trail in chain.db.
 *
 * `chainAdmin` answers at once, for the threads of a server; `adminStore` puts the promises of `AdminStore` around it, for administration
 * and its command lines. The writer of the chain and a command line are two processes on one file: the write lock makes them take turns.
 */
import type { TokenLimits } from '../../gateway/types.ts';
import type {
  AdminStore,
  AdminTransaction,
  AuditEntry,
  AuditQuery,
  StoredBinding,
  StoredSubmission,
  TokenUse,
} from '../types.ts';
import { auditEntryOfRow, bindingOfRow, tokenOfRow } from '../admin-rows.ts';
import type { AddressBindingsTable, AuditTable, TokensTable } from '../schema.ts';
import { statementFailure } from '../sqlite/failure.ts';
import { type ChainConnection, writing, writingLater } from './connection.ts';
import { findSubmission } from './submission.ts';

/** `Method` of the port with its answer at once. */
type AtOnce<Port> = {
  [Name in keyof Port]: Port[Name] extends (...parameters: infer P) => Promise<infer R>
    ? (...parameters: P) => R
    : never;
};

/** Each change is a transaction of its own, unless the caller has one open: then it is part of that one. */
export interface ChainAdmin extends AtOnce<AdminTransaction> {
  /** Makes several changes one transaction. */
  together<T>(work: () => T): T;
}

/** Bindings that are remembered, those that do not exist among them; about 200 bytes each. */
const BINDINGS_MAX = 100_000;

/** On a reader's connection the changes throw. */
export function chainAdmin(sql: ChainConnection): ChainAdmin {
  const changing = <T>(work: () => T): T => (sql.inTransaction ? work() : writing(sql, work));
  const { bindingsOf, forget } = rememberedBindings(sql);

  const token = sql.prepare<[string], TokensTable>('SELECT * FROM tokens WHERE id = ?');
  const tokens = sql.prepare<[], TokensTable>('SELECT * FROM tokens ORDER BY created_at_ms, id');
  const tokenPage = sql.prepare<[object], TokensTable>(
    `SELECT * FROM tokens WHERE (:owner IS NULL OR owner = :owner) AND (:usableAtMs IS NULL OR (revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > :usableAtMs)))
      AND (:id IS NULL OR (created_at_ms, id) < (:createdAtMs, :id)) ORDER BY created_at_ms DESC, id DESC LIMIT :limit`,
  );
  const insertToken = sql.prepare(
    'INSERT INTO tokens (id, secret_sha256, owner, scopes, created_at_ms, expires_at_ms, revoked_at_ms, rate_per_s, pending_max) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const revokeToken = sql.prepare('UPDATE tokens SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL');
  const expireToken = sql.prepare('UPDATE tokens SET expires_at_ms = ? WHERE id = ?');
  const setScopes = sql.prepare('UPDATE tokens SET scopes = ? WHERE id = ?');
  const setLimits = sql.prepare('UPDATE tokens SET rate_per_s = ?, pending_max = ? WHERE id = ?');
  const markUsed = sql.prepare(
    'UPDATE tokens SET last_used_at_ms = :atMs WHERE id = :id AND (last_used_at_ms IS NULL OR last_used_at_ms < :atMs)',
  );

  const allBindings = sql.prepare<[], AddressBindingsTable>('SELECT * FROM address_bindings ORDER BY address');
  const bindingPage = sql.prepare<[object], AddressBindingsTable>(
    'SELECT * FROM address_bindings WHERE address > :after AND (:owner IS NULL OR owner = :owner) ORDER BY address LIMIT :limit',
  );
  const saveBinding = sql.prepare(
    'INSERT INTO address_bindings (address, owner, bound_at_ms) VALUES (?, ?, ?) ON CONFLICT (address) DO UPDATE SET owner = excluded.owner, bound_at_ms = excluded.bound_at_ms',
  );
  const removeBinding = sql.prepare<[string], AddressBindingsTable>(
    'DELETE FROM address_bindings WHERE address = ? RETURNING *',
  );

  const lastAudit = sql.prepare<[], number>('SELECT coalesce(max(id), 0) FROM audit').pluck();
  const appendAudit = sql.prepare(
    'INSERT INTO audit (id, at_ms, actor, action, subject, details) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const auditWhere = `WHERE id > :after AND id < :before AND at_ms >= :sinceMs AND (:actions IS NULL OR action IN (SELECT value FROM json_each(:actions)))`;
  const audit = (order: 'ASC' | 'DESC') =>
    sql.prepare<[object], AuditTable>(`SELECT * FROM audit ${auditWhere} ORDER BY id ${order} LIMIT :limit`);
  const [oldestFirst, newestFirst] = [audit('ASC'), audit('DESC')];
  const lastProcessAudit = sql
    .prepare<[], number>(
      "SELECT id FROM audit WHERE action IN ('server.start', 'server.refuse', 'server.stop') ORDER BY id DESC LIMIT 1",
    )
    .pluck();

  return {
    together: changing,
    token: (id) => {
      const row = token.get(id);
      return row && tokenOfRow(row);
    },
    tokens: () => tokens.all().map(tokenOfRow),
    tokenPage: ({ limit, owner = null, usableAtMs = null, after }) =>
      tokenPage
        .all({ limit, owner, usableAtMs, createdAtMs: after?.createdAtMs ?? null, id: after?.id ?? null })
        .map(tokenOfRow),
    insertToken: (made) =>
      changing(() => {
        const { id, secretSha256, owner, scopes, createdAtMs, expiresAtMs = null, revokedAtMs = null, limits } = made;
        insertToken.run(
          id,
          Buffer.from(secretSha256),
          owner,
          JSON.stringify(scopes),
          createdAtMs,
          expiresAtMs,
          revokedAtMs,
          limits?.ratePerS ?? null,
          limits?.pendingMax ?? null,
        );
      }),
    revokeToken: (id, atMs) => changing(() => revokeToken.run(atMs, id).changes === 1),
    expireToken: (id, atMs) => changing(() => void expireToken.run(atMs, id)),
    setTokenScopes: (id, scopes) => changing(() => void setScopes.run(JSON.stringify(scopes), id)),
    setTokenLimits: (id, { ratePerS = null, pendingMax = null }: { [Name in keyof TokenLimits]?: number | null }) =>
      changing(() => void setLimits.run(ratePerS, pendingMax, id)),
    markTokensUsed: (uses: readonly TokenUse[]) => {
      if (uses.length === 0) return;
      changing(() => {
        for (const { id, atMs } of uses) markUsed.run({ id, atMs });
      });
    },
    bindings: bindingsOf,
    allBindings: () => allBindings.all().map(bindingOfRow),
    bindingPage: ({ limit, owner = null, after = '' }) => bindingPage.all({ limit, owner, after }).map(bindingOfRow),
    saveBinding: ({ address, owner, boundAtMs }) => {
      forget();
      changing(() => void saveBinding.run(address, owner, boundAtMs));
    },
    removeBinding: (address) => {
      forget();
      const row = changing(() => removeBinding.get(address));
      return row && bindingOfRow(row);
    },
    appendAudit: (entries: readonly AuditEntry[]) => {
      if (entries.length === 0) return;
      changing(() => {
        let id = lastAudit.get() ?? 0;
        for (const { atMs, actor, action, subject, details } of entries)
          appendAudit.run(++id, atMs, actor, action, subject, JSON.stringify(details));
      });
    },
    auditEntries: ({ after, before, limit, actions, sinceMs }: AuditQuery) => {
      const wanted = {
        after: after ?? 0,
        before: before ?? Number.MAX_SAFE_INTEGER,
        sinceMs: sinceMs ?? 0,
        actions: actions === undefined ? null : JSON.stringify(actions),
        limit,
      };
      return (after === undefined ? newestFirst : oldestFirst).all(wanted).map(auditEntryOfRow);
    },
    lastProcessAudit: () => lastProcessAudit.get() ?? 0,
    submission: (hash): StoredSubmission | undefined => findSubmission(sql.name, hash),
  };
}

/**
 * Bindings that were asked for before. SQLite counts the commits of all other connections in `data_version`, so what a command line
 * changes is seen at once, at about a microsecond a question.
 */
function rememberedBindings(sql: ChainConnection): {
  bindingsOf: (addresses: readonly string[]) => StoredBinding[];
  forget: () => void;
} {
  const known = new Map<string, StoredBinding | undefined>();
  const one = sql.prepare<[string], AddressBindingsTable>('SELECT * FROM address_bindings WHERE address = ?');
  const dataVersion = sql.prepare<[], number>('PRAGMA data_version').pluck();
  let seenVersion: number | undefined;

  const look = (address: string): StoredBinding | undefined => {
    const row = one.get(address);
    const binding = row && bindingOfRow(row);
    // Within a transaction of this connection a row may be one that is rolled back.
    if (!sql.inTransaction) known.set(address, binding);
    return binding;
  };
  return {
    bindingsOf: (addresses) => {
      const version = dataVersion.get();
      if (version !== seenVersion || known.size > BINDINGS_MAX) known.clear();
      seenVersion = version;
      return addresses.flatMap((address) => (known.has(address) ? known.get(address) : look(address)) ?? []);
    },
    forget: () => known.clear(),
  };
}

/**
 * The same behind promises. A transaction may span several turns of the event loop, so it is for a process that writes nothing else on
 * this connection: a command line. A server's thread only asks `now` of it.
 */
export function adminStore(sql: ChainConnection): AdminStore {
  const admin = chainAdmin(sql);
  const later = promising(admin);
  let lastTurn: Promise<unknown> = Promise.resolve();
  return {
    now: later,
    write: (work) => {
      const turn = lastTurn.then(() => writingLater(sql, () => work(later)));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    close: async () => {
      await lastTurn;
      sql.close();
    },
  };
}

function promising(admin: ChainAdmin): AdminTransaction {
  const later =
    (method: (...parameters: never[]) => unknown) =>
    async (...parameters: never[]) => {
      try {
        return method(...parameters);
      } catch (error) {
        throw statementFailure(error);
      }
    };
  return Object.fromEntries(
    Object.entries(admin).map(([name, method]) => [name, later(method)]),
  ) as unknown as AdminTransaction;
}
