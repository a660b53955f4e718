/** Tokens and bound addresses as resources of the contract. Members that do not apply are absent, never null. */
import type { AddressBinding, TokenLimits, TokenView } from '../../gateway/access/api.ts';
import { timestamp } from '../timestamp.ts';
import { resource } from '../typed/exact.ts';
import type { Schemas } from '../typed/types.ts';

export function tokenResource({
  id,
  owner,
  scopes,
  limits,
  createdAtMs,
  expiresAtMs,
  revokedAtMs,
  lastUsedAtMs,
}: TokenView) {
  return resource('AccessToken', {
    tokenId: id,
    owner,
    scopes,
    ...(limits && {
      limits: {
        ...(limits.ratePerS !== undefined && { ratePerSecond: limits.ratePerS }),
        ...(limits.pendingMax !== undefined && { pendingMax: limits.pendingMax }),
      },
    }),
    createdAt: timestamp(createdAtMs),
    ...(expiresAtMs !== undefined && { expiresAt: timestamp(expiresAtMs) }),
    ...(revokedAtMs !== undefined && { revokedAt: timestamp(revokedAtMs) }),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: timestamp(lastUsedAtMs) }),
  });
}

/** Limits as a client sends them. Absent limits stay absent: they are not changed. */
export function limitsOf(limits: Schemas['TokenLimits'] | undefined): TokenLimits | undefined {
  if (limits === undefined) return undefined;
  const { ratePerSecond, pendingMax } = limits;
  return {
    ...(ratePerSecond !== undefined && { ratePerS: ratePerSecond }),
    ...(pendingMax !== undefined && { pendingMax }),
  };
}

export function bindingResource({ address, owner, boundAtMs }: AddressBinding) {
  return resource('BoundAddress', { address, owner, boundAt: timestamp(boundAtMs) });
}

/** @param folder reference to the tokens, relative to the URL of the request; used without a public URL. */
export function tokenLocation(id: string, folder: './tokens/' | '../', publicUrl: string | undefined): string {
  return publicUrl === undefined ? `${folder}${id}` : `${publicUrl}access/tokens/${id}`;
}
