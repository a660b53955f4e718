/**
 * Tokens and bound addresses as the operator's command line manages them, on the store of a server that may be running,
 * and the audit trail, which records each change in the transaction that makes it.
 */
import type { Clock, RandomSource } from '../../engine/ports.ts';
import { parseAddress } from '../../ledger/index.ts';
import type { AdminStore, AdminTransaction, AuditQuery, StoredAuditEntry, StoredBinding, StoredSubmission, StoredToken } from '../../store/index.ts';
import type { AuditAction, Scope } from '../types.ts';
import { SCOPES } from '../types.ts';
import { makeToken, TOKEN_RANDOM_BYTES } from './token-text.ts';

export const OWNER_PATTERN = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** What may be shown of a token: everything but its secret. */
export type TokenView = Omit<StoredToken, 'secretSha256'>;

export interface NewToken {
  owner: string;
  scopes: readonly Scope[];
  /** Never, when absent. */
  expiresAtMs?: number;
}

export interface Rotation {
  /** How long the old token still holds; less when it expires before that anyway. */
  overlapMs: number;
  /** Expiry of the new one. Left out, it holds for as long as the old one was made for. */
  expiresAtMs?: number;
}

export type RotateResult =
  /** `token` is shown this once. */
  | { ok: true; token: string; made: TokenView; old: TokenView }
  | { ok: false; reason: 'unknown' | 'revoked' | 'expired'; message: string };

export type BindResult =
  | { ok: true }
  | { ok: false; reason: 'invalid_address' | 'invalid_owner' | 'bound_to_another'; message: string };

export type UnbindResult =
  /** Whose it was, and since when. */
  | { ok: true; was: StoredBinding }
  | { ok: false; reason: 'not_bound'; message: string };

export interface Administration {
  /** `token` is shown this once. Throws RangeError for an owner or a scope that cannot be. */
  createToken(wanted: NewToken): Promise<{ token: string; tokenId: string }>;
  listTokens(): Promise<TokenView[]>;
  /** A new token of the same owner and scopes, and an end for the old one: both, or nothing. */
  rotateToken(tokenId: string, rotation: Rotation): Promise<RotateResult>;
  /** Gives a usable token the scopes that it lacks; false when there is nothing to give, or no such token. */
  extendToken(tokenId: string, scopes: readonly Scope[]): Promise<boolean>;
  /** False when there is no such token or it was revoked before. */
  revokeToken(tokenId: string): Promise<boolean>;
  /** From then on only this owner's tokens submit and cancel for the address. `replace` takes it from another owner. */
  bindAddress(address: string, owner: string, options?: { replace?: boolean }): Promise<BindResult>;
  /** From then on anyone submits for the address again. */
  unbindAddress(address: string): Promise<UnbindResult>;
  binding(address: string): Promise<StoredBinding | undefined>;
  /** By address. */
  listBindings(): Promise<StoredBinding[]>;
  audit(query: AuditQuery): Promise<StoredAuditEntry[]>;
  /** Which tokens submitted a transfer and asked for its cancel. */
  submission(txHash: string): Promise<StoredSubmission | undefined>;
}

export interface AdministrationParts {
  clock: Clock;
  random: RandomSource;
  /** Who makes the changes, as the audit trail names them. */
  actor: string;
}

/** Writes one entry of the audit trail. */
type RecordAudit = (tx: AdminTransaction, action: AuditAction, subject: string, details: Record<string, unknown>) => Promise<void>;

export function createAdministration(store: AdminStore, { clock, random, actor }: AdministrationParts): Administration {
  const record: RecordAudit = (tx, action, subject, details) => tx.appendAudit([{ atMs: clock.nowMs(), actor, action, subject, details }]);
  return {
    createToken: async ({ owner, scopes, expiresAtMs }) => {
      if (!OWNER_PATTERN.test(owner)) throw new RangeError(`owner ${JSON.stringify(owner)} is not ${OWNER_PATTERN.source}`);
      const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
      if (scopes.length === 0 || unknown.length > 0) throw new RangeError(`scopes are one or more of ${SCOPES.join(', ')}`);
      const { id, text, secretSha256 } = makeToken(random.bytes(TOKEN_RANDOM_BYTES));
      const token: StoredToken = { id, secretSha256, owner, scopes: [...new Set(scopes)], createdAtMs: clock.nowMs(), expiresAtMs, revokedAtMs: undefined };
      await store.write(async (tx) => {
        await tx.insertToken(token);
        await record(tx, 'token.create', id, detailsOf(token));
      });
      return { token: text, tokenId: id };
    },
    listTokens: async () => {
      const tokens = await store.now.tokens();
      return tokens.map(viewOf);
    },
    rotateToken: (tokenId, rotation) => rotateToken({ store, record }, tokenId, rotation, { nowMs: clock.nowMs(), random: random.bytes(TOKEN_RANDOM_BYTES) }),
    extendToken: (tokenId, scopes) =>
      store.write(async (tx) => {
        const token = await tx.token(tokenId);
        if (token === undefined || token.revokedAtMs !== undefined) return false;
        const added = scopes.filter((scope) => !token.scopes.includes(scope));
        if (added.length === 0) return false;
        await tx.setTokenScopes(tokenId, [...token.scopes, ...added]);
        await record(tx, 'token.extend', tokenId, { owner: token.owner, added });
        return true;
      }),
    revokeToken: (tokenId) =>
      store.write(async (tx) => {
        const revoked = await tx.revokeToken(tokenId, clock.nowMs());
        if (revoked) await record(tx, 'token.revoke', tokenId, { owner: (await tx.token(tokenId))?.owner });
        return revoked;
      }),
    bindAddress: (address, owner, options = {}) => bindAddress({ store, record }, { address, owner, boundAtMs: clock.nowMs() }, options.replace === true),
    unbindAddress: (address) =>
      store.write(async (tx) => {
        const was = await tx.removeBinding(address);
        if (was === undefined) return { ok: false, reason: 'not_bound', message: `${address} is bound to no owner` };
        await record(tx, 'address.unbind', address, { owner: was.owner });
        return { ok: true, was };
      }),
    binding: async (address) => (await store.now.bindings([address]))[0],
    listBindings: () => store.now.allBindings(),
    audit: (query) => store.now.auditEntries(query),
    submission: (txHash) => store.now.submission(txHash),
  };
}

function viewOf({ id, owner, scopes, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs }: StoredToken): TokenView {
  return { id, owner, scopes, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs };
}

const time = (ms: number): string => new Date(ms).toISOString();

/** What the audit trail records of a token. */
function detailsOf({ owner, scopes, expiresAtMs }: StoredToken): Record<string, unknown> {
  return { owner, scopes, ...(expiresAtMs === undefined ? {} : { expiresAt: time(expiresAtMs) }) };
}

interface Changing {
  store: AdminStore;
  record: RecordAudit;
}

async function rotateToken({ store, record }: Changing, tokenId: string, rotation: Rotation, at: { nowMs: number; random: Uint8Array }): Promise<RotateResult> {
  const { nowMs } = at;
  const endMs = nowMs + rotation.overlapMs;
  return await store.write(async (tx) => {
    const old = await tx.token(tokenId);
    if (old === undefined) return { ok: false, reason: 'unknown', message: `there is no token ${tokenId}` };
    // A token that no longer holds is not brought back to life under another name.
    if (old.revokedAtMs !== undefined) return { ok: false, reason: 'revoked', message: `token ${tokenId} is revoked` };
    if (old.expiresAtMs !== undefined && old.expiresAtMs <= nowMs) return { ok: false, reason: 'expired', message: `token ${tokenId} has expired` };
    const { id, text, secretSha256 } = makeToken(at.random);
    const sameLifetimeMs = old.expiresAtMs === undefined ? undefined : nowMs + (old.expiresAtMs - old.createdAtMs);
    const made: StoredToken = { ...old, id, secretSha256, createdAtMs: nowMs, expiresAtMs: rotation.expiresAtMs ?? sameLifetimeMs, lastUsedAtMs: undefined };
    const oldEndMs = Math.min(endMs, old.expiresAtMs ?? endMs);
    await tx.insertToken(made);
    await tx.expireToken(tokenId, oldEndMs);
    await record(tx, 'token.rotate', tokenId, { madeId: id, ...detailsOf(made), oldExpiresAt: time(oldEndMs) });
    return { ok: true, token: text, made: viewOf(made), old: viewOf({ ...old, expiresAtMs: oldEndMs }) };
  });
}

async function bindAddress({ store, record }: Changing, binding: StoredBinding, replace: boolean): Promise<BindResult> {
  const { address, owner } = binding;
  if (!OWNER_PATTERN.test(owner)) return { ok: false, reason: 'invalid_owner', message: `an owner is ${OWNER_PATTERN.source}` };
  const parsed = parseAddress(address, address.startsWith('txlt1') ? 'txlt' : 'txl');
  if (!parsed.ok) return { ok: false, reason: 'invalid_address', message: parsed.message };
  return await store.write(async (tx) => {
    const [known] = await tx.bindings([address]);
    if (known !== undefined && known.owner !== owner && !replace) {
      return { ok: false, reason: 'bound_to_another', message: `the address is bound to ${known.owner} already` };
    }
    await tx.saveBinding(binding);
    await record(tx, 'address.bind', address, { owner, ...(known === undefined ? {} : { before: known.owner }) });
    return { ok: true };
  });
}
