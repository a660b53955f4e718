/**
 * Changes of tokens and bound addresses: each reads some rows, decides, and returns what is written, with its entry in the audit trail.
 *
 * A change is a value, and so are its writes: the same rules run in a transaction of a gateway's database, and on the thread that appends
 * to the log of the embedded engine, where the writes are one entry.
 */
import type { AccessWrite, AdminStore, StoredBinding, StoredToken } from '../../store/index.ts';
import { parseAddress } from '../../ledger/index.ts';
import type { AuditAction, Scope } from '../types.ts';
import { makeToken } from './token-text.ts';
import type { TokenLimits, TokenView } from './token-types.ts';

export type { TokenView } from './token-types.ts';

export const OWNER_PATTERN = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export interface AdminChange<T> {
  /** Rows that it reads; all undefined for none. `callerId` is the token of the caller. */
  readonly reads: { readonly tokenId?: string; readonly address?: string; readonly callerId?: string };
  /** Nothing is written where `writes` is empty. */
  decide(found: FoundRows): { result: T; writes: readonly AccessWrite[] };
}

export interface FoundRows {
  token: StoredToken | undefined;
  binding: StoredBinding | undefined;
  caller: StoredToken | undefined;
}

/** Runs a change: all of its writes, or nothing. */
export type RunChange = <T>(change: AdminChange<T>) => Promise<T>;

/** Runs changes in one transaction of a database each. */
export const runOn =
  (store: Pick<AdminStore, 'write'>): RunChange =>
  (change) =>
    store.write(async (tx) => {
      const { tokenId, address, callerId } = change.reads;
      const caller = callerId === undefined ? undefined : await tx.token(callerId);
      const token = tokenId === undefined ? undefined : await tx.token(tokenId);
      const [binding] = address === undefined ? [] : await tx.bindings([address]);
      const { result, writes } = change.decide({ token, binding, caller });
      const calls: { [Name in AccessWrite[0]]: (...values: never[]) => Promise<unknown> } = tx;
      for (const [name, ...values] of writes) await calls[name](...(values as unknown as never[]));
      return result;
    });

/** Rows that are read synchronously. */
export interface AccessAtOnce {
  token(id: string): StoredToken | undefined;
  bindings(addresses: readonly string[]): readonly StoredBinding[];
}

export function decideAtOnce<T>(
  access: AccessAtOnce,
  { reads: { tokenId, address, callerId }, decide }: AdminChange<T>,
): ReturnType<AdminChange<T>['decide']> {
  const caller = callerId === undefined ? undefined : access.token(callerId);
  const token = tokenId === undefined ? undefined : access.token(tokenId);
  const [binding] = address === undefined ? [] : access.bindings([address]);
  return decide({ token, binding, caller });
}

/**
 * The same change, made only while the token of its caller is still valid. A token that was looked up is cached for a moment after its
 * revocation; in that moment its holder could otherwise make a new token, which no operator would revoke.
 */
export function byToken<T, R>(callerId: string, nowMs: number, change: AdminChange<T>, ended: R): AdminChange<T | R> {
  return {
    reads: { ...change.reads, callerId },
    decide: (found) =>
      found.caller !== undefined && isUsable(found.caller, nowMs)
        ? change.decide(found)
        : { result: ended, writes: [] },
  };
}

const isUsable = ({ revokedAtMs, expiresAtMs = Number.POSITIVE_INFINITY }: StoredToken, nowMs: number): boolean =>
  revokedAtMs === undefined && expiresAtMs > nowMs;

/** The author of a change, its time, and the author's rights. */
export interface ChangeContext {
  /** Names of the author in the audit trail. */
  actor: string;
  nowMs: number;
  /** Scopes that tokens may have which this one makes or changes; undefined for all of them, which is a command line. */
  held?: readonly Scope[] | undefined;
}

/** `scopes`: the token has some that the caller lacks. */
export type Refused<Reason extends string> = { ok: false; reason: Reason; message: string; missing?: readonly Scope[] };
export type TokenFault = 'unknown' | 'revoked' | 'expired' | 'scopes';

export interface NewToken {
  owner: string;
  scopes: readonly Scope[];
  /** Never, when absent. */
  expiresAtMs?: number | undefined;
  limits?: TokenLimits | undefined;
}

export type CreateResult = { ok: true; token: string; made: TokenView } | Refused<'scopes'>;

export function creating(
  { owner, scopes, expiresAtMs, limits }: NewToken,
  random: Uint8Array,
  context: ChangeContext,
): AdminChange<CreateResult> {
  const { id, text, secretSha256 } = makeToken(random);
  const made: StoredToken = {
    id,
    secretSha256,
    owner,
    scopes: [...new Set(scopes)],
    createdAtMs: context.nowMs,
    expiresAtMs,
    revokedAtMs: undefined,
    ...limitsOf(limits),
  };
  return {
    reads: {},
    decide: () => {
      const beyond = scopeFault(made.scopes, context);
      if (beyond !== undefined) return { result: beyond, writes: [] };
      return {
        result: { ok: true, token: text, made: viewOf(made) },
        writes: [['insertToken', made], audit(context, 'token.create', id, detailsOf(made))],
      };
    },
  };
}

export interface Rotation {
  /** Time for which the old token stays valid; less when it expires before that. */
  overlapMs: number;
  /** Expiry of the new token. When absent, the new token has the lifetime with which the old one was made. */
  expiresAtMs?: number | undefined;
}

export type RotateResult =
  /** Only this result has `token`. */
  { ok: true; token: string; made: TokenView; old: TokenView } | Refused<TokenFault>;

export function rotating(
  tokenId: string,
  { overlapMs, expiresAtMs }: Rotation,
  random: Uint8Array,
  context: ChangeContext,
): AdminChange<RotateResult> {
  const { nowMs } = context;
  return onUsableToken(tokenId, context, (old) => {
    const { id, text, secretSha256 } = makeToken(random);
    const sameLifetimeMs = old.expiresAtMs === undefined ? undefined : nowMs + (old.expiresAtMs - old.createdAtMs);
    const made: StoredToken = {
      ...old,
      id,
      secretSha256,
      createdAtMs: nowMs,
      expiresAtMs: expiresAtMs ?? sameLifetimeMs,
      lastUsedAtMs: undefined,
    };
    const oldEndMs = Math.min(nowMs + overlapMs, old.expiresAtMs ?? Number.POSITIVE_INFINITY);
    return {
      result: { ok: true, token: text, made: viewOf(made), old: viewOf({ ...old, expiresAtMs: oldEndMs }) },
      writes: [
        ['insertToken', made],
        ['expireToken', tokenId, oldEndMs],
        audit(context, 'token.rotate', tokenId, { madeId: id, ...detailsOf(made), oldExpiresAt: time(oldEndMs) }),
      ],
    };
  });
}

export interface TokenPatch {
  /** Unchanged when absent. */
  expiresAtMs?: number | undefined;
  /** All limits; unchanged when absent. */
  limits?: TokenLimits | undefined;
}

export type UpdateResult = { ok: true; token: TokenView } | Refused<TokenFault>;

export function updating(
  tokenId: string,
  { expiresAtMs, limits }: TokenPatch,
  context: ChangeContext,
): AdminChange<UpdateResult> {
  return onUsableToken(tokenId, context, ({ limits: limitsBefore, ...before }) => {
    const after: StoredToken = {
      ...before,
      expiresAtMs: expiresAtMs ?? before.expiresAtMs,
      ...limitsOf(limits ?? limitsBefore),
    };
    const result: UpdateResult = { ok: true, token: viewOf(after) };
    if (expiresAtMs === undefined && limits === undefined) return { result, writes: [] };
    return {
      result,
      writes: [
        ...(expiresAtMs === undefined ? [] : [['expireToken', tokenId, expiresAtMs] satisfies AccessWrite]),
        ...(limits === undefined ? [] : [['setTokenLimits', tokenId, limits] satisfies AccessWrite]),
        audit(context, 'token.update', tokenId, {
          owner: before.owner,
          ...(expiresAtMs !== undefined && { expiresAt: time(expiresAtMs) }),
          ...(limits !== undefined && { limits }),
        }),
      ],
    };
  });
}

/** Gives a usable token the scopes that it lacks; false when it lacks none, or when there is no such token. */
export function extending(tokenId: string, scopes: readonly Scope[], context: ChangeContext): AdminChange<boolean> {
  return {
    reads: { tokenId },
    decide: ({ token }) => {
      const added =
        token === undefined || token.revokedAtMs !== undefined
          ? []
          : scopes.filter((scope) => !token.scopes.includes(scope));
      if (token === undefined || added.length === 0) return { result: false, writes: [] };
      return {
        result: true,
        writes: [
          ['setTokenScopes', tokenId, [...token.scopes, ...added]],
          audit(context, 'token.extend', tokenId, { owner: token.owner, added }),
        ],
      };
    },
  };
}

/**
 * Revokes any token, with any scopes: a revocation gives no rights. False when there is no such token or it was revoked before.
 */
export function revoking(tokenId: string, context: ChangeContext): AdminChange<boolean> {
  return {
    reads: { tokenId },
    decide: ({ token }) => {
      if (token === undefined || token.revokedAtMs !== undefined) return { result: false, writes: [] };
      return {
        result: true,
        writes: [
          ['revokeToken', tokenId, context.nowMs],
          audit(context, 'token.revoke', tokenId, { owner: token.owner }),
        ],
      };
    },
  };
}

export type BindResult =
  | { ok: true; binding: StoredBinding }
  | Refused<'invalid_address' | 'invalid_owner' | 'bound_to_another'>;

export function binding(
  address: string,
  owner: string,
  replace: boolean,
  context: ChangeContext,
): AdminChange<BindResult> {
  const made: StoredBinding = { address, owner, boundAtMs: context.nowMs };
  return {
    reads: { address },
    decide: ({ binding: known }) => {
      if (!OWNER_PATTERN.test(owner))
        return {
          result: { ok: false, reason: 'invalid_owner', message: `an owner is ${OWNER_PATTERN.source}` },
          writes: [],
        };
      const parsed = parseAddress(address, address.startsWith('txlt1') ? 'txlt' : 'txl');
      if (!parsed.ok) return { result: { ok: false, reason: 'invalid_address', message: parsed.message }, writes: [] };
      if (known !== undefined && known.owner !== owner && !replace) {
        return {
          result: { ok: false, reason: 'bound_to_another', message: `the address is bound to ${known.owner} already` },
          writes: [],
        };
      }
      const details = { owner, ...(known === undefined ? {} : { before: known.owner }) };
      return {
        result: { ok: true, binding: made },
        writes: [['saveBinding', made], audit(context, 'address.bind', address, details)],
      };
    },
  };
}

/** The owner that it was bound to, and since when. */
export type UnbindResult = { ok: true; was: StoredBinding } | Refused<'not_bound'>;

export function unbinding(address: string, context: ChangeContext): AdminChange<UnbindResult> {
  return {
    reads: { address },
    decide: ({ binding: was }) => {
      if (was === undefined)
        return { result: { ok: false, reason: 'not_bound', message: `${address} is bound to no owner` }, writes: [] };
      return {
        result: { ok: true, was },
        writes: [['removeBinding', address], audit(context, 'address.unbind', address, { owner: was.owner })],
      };
    },
  };
}

export function viewOf({
  id,
  owner,
  scopes,
  createdAtMs,
  expiresAtMs,
  revokedAtMs,
  lastUsedAtMs,
  limits,
}: StoredToken): TokenView {
  return { id, owner, scopes, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs, ...limitsOf(limits) };
}

type Decision<T> = ReturnType<AdminChange<T>['decide']>;

/** A token that is no longer valid stays invalid: no change makes it valid again, under its own name or another. */
function onUsableToken<T extends { ok: true }>(
  tokenId: string,
  context: ChangeContext,
  change: (token: StoredToken) => Decision<T | Refused<TokenFault>>,
): AdminChange<T | Refused<TokenFault>> {
  const refused = (reason: TokenFault, message: string): Decision<Refused<TokenFault>> => ({
    result: { ok: false, reason, message },
    writes: [],
  });
  return {
    reads: { tokenId },
    decide: ({ token }) => {
      if (token === undefined) return refused('unknown', `there is no token ${tokenId}`);
      if (token.revokedAtMs !== undefined) return refused('revoked', `token ${tokenId} is revoked`);
      if (token.expiresAtMs !== undefined && token.expiresAtMs <= context.nowMs)
        return refused('expired', `token ${tokenId} has expired`);
      const beyond = scopeFault(token.scopes, context);
      return beyond === undefined ? change(token) : { result: beyond, writes: [] };
    },
  };
}

function scopeFault(scopes: readonly Scope[], { held }: ChangeContext): Refused<'scopes'> | undefined {
  const missing = held === undefined ? [] : scopes.filter((scope) => !held.includes(scope));
  return missing.length === 0
    ? undefined
    : { ok: false, reason: 'scopes', message: `the scope ${missing.join(', ')} is missing`, missing };
}

const audit = (
  { actor, nowMs }: ChangeContext,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown>,
): AccessWrite => ['appendAudit', [{ atMs: nowMs, actor, action, subject, details }]];

const time = (ms: number): string => new Date(ms).toISOString();

/** Has no member for a limit that is not set. */
const limitsOf = (limits: TokenLimits | undefined): Pick<StoredToken, 'limits'> =>
  limits === undefined || Object.keys(limits).length === 0 ? {} : { limits };

/** Fields of a token that the audit trail records. */
function detailsOf({ owner, scopes, expiresAtMs, limits }: StoredToken): Record<string, unknown> {
  return {
    owner,
    scopes,
    ...(expiresAtMs === undefined ? {} : { expiresAt: time(expiresAtMs) }),
    ...(limits && { limits }),
  };
}
