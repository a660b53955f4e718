/** Rows of tokens, bound addresses and the audit trail: the same columns in chain.db and in a gateway's database. */
import type { AuditAction } from '../gateway/types.ts';
import type { AddressBindingsTable, AuditTable, TokensTable } from './schema.ts';
import type { StoredAuditEntry, StoredBinding, StoredToken } from './types.ts';

export const tokenOfRow = (row: TokensTable): StoredToken => ({
  id: row.id,
  secretSha256: row.secret_sha256,
  owner: row.owner,
  scopes: JSON.parse(row.scopes),
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms ?? undefined,
  revokedAtMs: row.revoked_at_ms ?? undefined,
  lastUsedAtMs: row.last_used_at_ms ?? undefined,
  ...limitsOfRow(row),
});

/** One object for each row: it goes with every request of the token. */
function limitsOfRow({ rate_per_s, pending_max }: TokensTable): Pick<StoredToken, 'limits'> {
  if (rate_per_s === null && pending_max === null) return {};
  return {
    limits: {
      ...(rate_per_s !== null && { ratePerS: rate_per_s }),
      ...(pending_max !== null && { pendingMax: pending_max }),
    },
  };
}

export const bindingOfRow = ({ address, owner, bound_at_ms }: AddressBindingsTable): StoredBinding => ({
  address,
  owner,
  boundAtMs: bound_at_ms,
});

export const auditEntryOfRow = ({ id, at_ms, actor, action, subject, details }: AuditTable): StoredAuditEntry => ({
  id,
  atMs: at_ms,
  actor,
  action: action as AuditAction,
  subject,
  details: JSON.parse(details),
});
