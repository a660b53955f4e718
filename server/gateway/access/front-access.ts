/**
 * Tokens and bound addresses for the HTTP threads: a change is refused while the service stops, and one under way is awaited before the
 * end.
 */
import { refuse } from '../refusals.ts';
import type { Refusal } from '../types.ts';
import type { AccessApi } from './api.ts';

/** For services where they cannot be managed. */
export const NO_ACCESS: AccessApi = new Proxy({} as AccessApi, {
  get: () => async (): Promise<Refusal> =>
    refuse('store_unavailable', 'This service does not manage tokens.', { retryAfterS: 60 }),
});

/** @param gate refuses, or runs the change and counts it as in flight. */
export function frontAccess(
  access: AccessApi,
  gate: <T>(change: () => Promise<T | Refusal>) => Promise<T | Refusal>,
): AccessApi {
  return {
    listTokens: (query) => access.listTokens(query),
    getToken: (tokenId) => access.getToken(tokenId),
    listBoundAddresses: (query) => access.listBoundAddresses(query),
    createToken: (caller, wanted) => gate(() => access.createToken(caller, wanted)),
    updateToken: (caller, tokenId, update) => gate(() => access.updateToken(caller, tokenId, update)),
    rotateToken: (caller, tokenId, rotation) => gate(() => access.rotateToken(caller, tokenId, rotation)),
    revokeToken: (caller, tokenId) => gate(() => access.revokeToken(caller, tokenId)),
    bindAddress: (caller, address, owner, replace) => gate(() => access.bindAddress(caller, address, owner, replace)),
    unbindAddress: (caller, address) => gate(() => access.unbindAddress(caller, address)),
  };
}
