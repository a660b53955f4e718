/** Rows of tokens, bound addresses and the audit trail, and the queries for them. */
import type { AddressBinding, AuditAction, Scope, TokenLimits, TokenView } from '../gateway/types.ts';

export interface StoredToken extends TokenView {
  secretSha256: Uint8Array;
}

export interface TokenPageQuery {
  limit: number;
  owner?: string | undefined;
  /** Only those that are not revoked and do not expire until then; all without it. */
  usableAtMs?: number | undefined;
  /** Only those after this one, in the order newest first. */
  after?: { createdAtMs: number; id: string } | undefined;
}

export interface BindingPageQuery {
  limit: number;
  owner?: string | undefined;
  /** Only greater addresses. */
  after?: string | undefined;
}

export type StoredBinding = AddressBinding;

/** One entry of the audit trail: actor, action, subject and time. It holds no secret and no whole token. */
export interface AuditEntry {
  atMs: number;
  /** `user:NAME@HOST` at a command line, `gateway:ID` for a server. */
  actor: string;
  action: AuditAction;
  /** Subject of the action: the id of a token, an address, a validator's key, a host. */
  subject: string;
  details: Readonly<Record<string, unknown>>;
}

export interface StoredAuditEntry extends AuditEntry {
  /** 1, 2, 3, ... in the order of the commits. */
  id: number;
  /** Over the lines up to this one, 64 upper-case hex digits; of chain.db alone. */
  hash?: string;
}

export interface AuditQuery {
  /** Entries with a greater id only, oldest first. */
  after?: number;
  /** Entries with a smaller id only, newest first; so without either. */
  before?: number;
  limit: number;
  actions?: readonly AuditAction[];
  /** Entries of this moment or later. */
  sinceMs?: number;
}

/** Tokens that submitted a transfer and requested its cancel. */
export interface StoredSubmission {
  hash: string;
  owner: string | undefined;
  tokenId: string | undefined;
  firstSeenAtMs: number;
  cancelTokenId: string | undefined;
  cancelRequestedAtMs: number | undefined;
}

export interface TokenUse {
  id: string;
  atMs: number;
}

/** One change of a row: the name of a method of `WriteTransaction`, and its arguments. */
export type AccessWrite =
  | [name: 'insertToken', token: StoredToken]
  | [name: 'revokeToken', id: string, atMs: number]
  | [name: 'expireToken', id: string, atMs: number]
  | [name: 'setTokenScopes', id: string, scopes: readonly Scope[]]
  | [name: 'setTokenLimits', id: string, limits: TokenLimits]
  | [name: 'saveBinding', binding: StoredBinding]
  | [name: 'removeBinding', address: string]
  | [name: 'markTokensUsed', uses: readonly TokenUse[]]
  | [name: 'appendAudit', entries: readonly AuditEntry[]];
