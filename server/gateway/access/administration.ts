/** Tokens and bound addresses for the operator's command line, and the audit trail, which records each change (changes.ts). */
import type { Clock, RandomSource } from '../../engine/ports.ts';
import type {
  AdminQuestions,
  AdminStore,
  AuditQuery,
  StoredAuditEntry,
  StoredBinding,
  StoredSubmission,
} from '../../store/index.ts';
import type { Scope } from '../types.ts';
import { SCOPES } from '../types.ts';
import type {
  BindResult,
  NewToken,
  RotateResult,
  Rotation,
  RunChange,
  TokenPatch,
  TokenView,
  UnbindResult,
  UpdateResult,
} from './changes.ts';
import {
  binding,
  creating,
  extending,
  OWNER_PATTERN,
  revoking,
  rotating,
  runOn,
  unbinding,
  updating,
  viewOf,
} from './changes.ts';
import { TOKEN_RANDOM_BYTES } from './token-text.ts';

export type * from './changes.ts';
export { OWNER_PATTERN } from './changes.ts';

export interface Administration {
  /** Only this result has `token`. Throws RangeError for an invalid owner or scope. */
  createToken(wanted: NewToken): Promise<{ token: string; tokenId: string }>;
  listTokens(): Promise<TokenView[]>;
  /** A new token of the same owner, scopes and limits, and an end for the old one: both, or nothing. */
  rotateToken(tokenId: string, rotation: Rotation): Promise<RotateResult>;
  /** Sets other limits, or another expiry. */
  updateToken(tokenId: string, patch: TokenPatch): Promise<UpdateResult>;
  /** Gives a usable token the scopes that it lacks; false when it lacks none, or when there is no such token. */
  extendToken(tokenId: string, scopes: readonly Scope[]): Promise<boolean>;
  /** False when there is no such token or it was revoked before. */
  revokeToken(tokenId: string): Promise<boolean>;
  /** From then on only this owner's tokens submit and cancel for the address. `replace` takes it from another owner. */
  bindAddress(address: string, owner: string, options?: { replace?: boolean }): Promise<BindResult>;
  /** From then on any owner submits for the address again. */
  unbindAddress(address: string): Promise<UnbindResult>;
  binding(address: string): Promise<StoredBinding | undefined>;
  /** Ordered by address. */
  listBindings(): Promise<StoredBinding[]>;
  audit(query: AuditQuery): Promise<StoredAuditEntry[]>;
  /** Tokens that submitted a transfer and requested its cancel. */
  submission(txHash: string): Promise<StoredSubmission | undefined>;
}

export interface AdministrationParts {
  clock: Clock;
  random: RandomSource;
  /** Actor of the changes, as the audit trail names it. */
  actor: string;
}

/** Store of the rows, and the function that changes them. */
export interface AdministeredAccess {
  run: RunChange;
  now: AdminQuestions;
}

/** For a database that this process writes. */
export const accessIn = (store: AdminStore): AdministeredAccess => ({ run: runOn(store), now: store.now });

export function createAdministration(
  { run, now }: AdministeredAccess,
  { clock, random, actor }: AdministrationParts,
): Administration {
  const context = () => ({ actor, nowMs: clock.nowMs() });
  return {
    createToken: async (wanted) => {
      const { owner, scopes } = wanted;
      if (!OWNER_PATTERN.test(owner))
        throw new RangeError(`owner ${JSON.stringify(owner)} is not ${OWNER_PATTERN.source}`);
      const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
      if (scopes.length === 0 || unknown.length > 0)
        throw new RangeError(`scopes are one or more of ${SCOPES.join(', ')}`);
      const created = await run(creating(wanted, random.bytes(TOKEN_RANDOM_BYTES), context()));
      if (!created.ok) throw new RangeError(created.message);
      return { token: created.token, tokenId: created.made.id };
    },
    listTokens: async () => {
      const tokens = await now.tokens();
      return tokens.map(viewOf);
    },
    rotateToken: (tokenId, rotation) => run(rotating(tokenId, rotation, random.bytes(TOKEN_RANDOM_BYTES), context())),
    updateToken: (tokenId, patch) => run(updating(tokenId, patch, context())),
    extendToken: (tokenId, scopes) => run(extending(tokenId, scopes, context())),
    revokeToken: (tokenId) => run(revoking(tokenId, context())),
    bindAddress: (address, owner, options = {}) => run(binding(address, owner, options.replace === true, context())),
    unbindAddress: (address) => run(unbinding(address, context())),
    binding: async (address) => (await now.bindings([address]))[0],
    listBindings: () => now.allBindings(),
    audit: (query) => now.auditEntries(query),
    submission: (txHash) => now.submission(txHash),
  };
}
