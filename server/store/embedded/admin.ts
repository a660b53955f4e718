/**
 * Rows of tokens, bound addresses and the audit trail in chain.db. The one writer of chain.db writes them from the log, and any connection
 * reads them; before a chain has begun there is no log, and a command line writes the first rows.
 */
import { NO_HASH } from '../../log/log.ts';
import type { AccessWrite, AdminQuestions, AuditQuery, StoredSubmission } from '../types.ts';
import { hexOfHash } from '../hash-bytes.ts';
import { auditEntryOfRow, bindingOfRow, tokenOfRow } from '../admin-rows.ts';
import type { AddressBindingsTable, AuditTable, TokensTable } from '../schema.ts';
import { statementFailure } from '../sqlite/failure.ts';
import type { ChainConnection } from './connection.ts';
import { auditLineHash } from './audit-chain.ts';
import type { EntryWrite } from './access-entry.ts';
import { findSubmission } from './submission.ts';
import { webhookWriter } from './webhooks.ts';

/** `Method` of the port with its answer at once. */
type AtOnce<Port> = {
  [Name in keyof Port]: Port[Name] extends (...parameters: infer P) => Promise<infer R>
    ? (...parameters: P) => R
    : never;
};

/** A line of the audit trail with its hash (audit-chain.ts), which a gateway's database does not have. */
type ChainedLine = AuditTable & { hash: Buffer };

export type AccessRows = AtOnce<AdminQuestions>;

export function accessRows(sql: ChainConnection): AccessRows {
  const token = sql.prepare<[string], TokensTable>('SELECT * FROM tokens WHERE id = ?');
  const tokens = sql.prepare<[], TokensTable>('SELECT * FROM tokens ORDER BY created_at_ms, id');
  const tokenPage = sql.prepare<[object], TokensTable>(
    `SELECT * FROM tokens WHERE (:owner IS NULL OR owner = :owner) AND (:usableAtMs IS NULL OR (revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > :usableAtMs)))
      AND (:id IS NULL OR (created_at_ms, id) < (:createdAtMs, :id)) ORDER BY created_at_ms DESC, id DESC LIMIT :limit`,
  );
  const binding = sql.prepare<[string], AddressBindingsTable>('SELECT * FROM address_bindings WHERE address = ?');
  const allBindings = sql.prepare<[], AddressBindingsTable>('SELECT * FROM address_bindings ORDER BY address');
  const bindingPage = sql.prepare<[object], AddressBindingsTable>(
    'SELECT * FROM address_bindings WHERE address > :after AND (:owner IS NULL OR owner = :owner) ORDER BY address LIMIT :limit',
  );
  const auditWhere = `WHERE id > :after AND id < :before AND at_ms >= :sinceMs AND (:actions IS NULL OR action IN (SELECT value FROM json_each(:actions)))`;
  const audit = (order: 'ASC' | 'DESC') =>
    sql.prepare<[object], ChainedLine>(`SELECT * FROM audit ${auditWhere} ORDER BY id ${order} LIMIT :limit`);
  const [oldestFirst, newestFirst] = [audit('ASC'), audit('DESC')];
  const lastProcessAudit = sql
    .prepare<[], number>(
      "SELECT id FROM audit WHERE action IN ('server.start', 'server.refuse', 'server.stop') ORDER BY id DESC LIMIT 1",
    )
    .pluck();

  return {
    token: (id) => {
      const row = token.get(id);
      return row && tokenOfRow(row);
    },
    tokens: () => tokens.all().map(tokenOfRow),
    tokenPage: ({ limit, owner = null, usableAtMs = null, after }) =>
      tokenPage
        .all({ limit, owner, usableAtMs, createdAtMs: after?.createdAtMs ?? null, id: after?.id ?? null })
        .map(tokenOfRow),
    bindings: (addresses) =>
      addresses.flatMap((address) => {
        const row = binding.get(address);
        return row === undefined ? [] : [bindingOfRow(row)];
      }),
    allBindings: () => allBindings.all().map(bindingOfRow),
    bindingPage: ({ limit, owner = null, after = '' }) => bindingPage.all({ limit, owner, after }).map(bindingOfRow),
    auditEntries: ({ after, before, limit, actions, sinceMs }: AuditQuery) => {
      const wanted = {
        after: after ?? 0,
        before: before ?? Number.MAX_SAFE_INTEGER,
        sinceMs: sinceMs ?? 0,
        actions: actions === undefined ? null : JSON.stringify(actions),
        limit,
      };
      return (after === undefined ? newestFirst : oldestFirst).all(wanted).map((row) => ({
        ...auditEntryOfRow(row),
        hash: hexOfHash(row.hash),
      }));
    },
    lastProcessAudit: () => lastProcessAudit.get() ?? 0,
    submission: (hash): StoredSubmission | undefined => findSubmission(sql.name, hash),
  };
}

/** The same, as promises. */
export function accessQuestions(rows: AccessRows): AdminQuestions {
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
    Object.entries(rows).map(([name, method]) => [name, later(method)]),
  ) as unknown as AdminQuestions;
}

/** Writes the rows of an entry, within the transaction that is open. */
export function accessWriter(sql: ChainConnection): (writes: readonly EntryWrite[]) => void {
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
  const saveBinding = sql.prepare(
    'INSERT INTO address_bindings (address, owner, bound_at_ms) VALUES (?, ?, ?) ON CONFLICT (address) DO UPDATE SET owner = excluded.owner, bound_at_ms = excluded.bound_at_ms',
  );
  const removeBinding = sql.prepare('DELETE FROM address_bindings WHERE address = ?');
  const lastAudit = sql.prepare<[], { id: number; hash: Buffer }>(
    'SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1',
  );
  const appendAudit = sql.prepare(
    'INSERT INTO audit (id, at_ms, actor, action, subject, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );

  const calls: { [Write in AccessWrite as Write[0]]: (...values: ValuesOf<Write>) => void } = {
    insertToken: ({ id, secretSha256, owner, scopes, createdAtMs, expiresAtMs, revokedAtMs, limits }) =>
      void insertToken.run(
        id,
        Buffer.from(secretSha256),
        owner,
        JSON.stringify(scopes),
        createdAtMs,
        expiresAtMs ?? null,
        revokedAtMs ?? null,
        limits?.ratePerS ?? null,
        limits?.pendingMax ?? null,
      ),
    revokeToken: (id, atMs) => void revokeToken.run(atMs, id),
    expireToken: (id, atMs) => void expireToken.run(atMs, id),
    setTokenScopes: (id, scopes) => void setScopes.run(JSON.stringify(scopes), id),
    setTokenLimits: (id, { ratePerS, pendingMax }) => void setLimits.run(ratePerS ?? null, pendingMax ?? null, id),
    saveBinding: ({ address, owner, boundAtMs }) => void saveBinding.run(address, owner, boundAtMs),
    removeBinding: (address) => void removeBinding.run(address),
    markTokensUsed: (uses) => {
      for (const { id, atMs } of uses) markUsed.run({ id, atMs });
    },
    appendAudit: (entries) => {
      let { id, hash }: { id: number; hash: Uint8Array } = lastAudit.get() ?? { id: 0, hash: NO_HASH };
      for (const { atMs, actor, action, subject, details } of entries) {
        id += 1;
        const json = JSON.stringify(details);
        hash = auditLineHash(hash, { id, atMs, actor, action, subject, details: json });
        appendAudit.run(id, atMs, actor, action, subject, json, hash);
      }
    },
  };
  const all = { ...calls, ...webhookWriter(sql) };
  return (writes) => {
    for (const [name, ...values] of writes) (all[name] as (...values: readonly unknown[]) => void)(...values);
  };
}

type ValuesOf<Write> = Write extends [unknown, ...infer Values] ? Values : never;
