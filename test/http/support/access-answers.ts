/** What the gateway in memory answers about tokens and bound addresses: one of each. */
import type { AccessApi, AddressBinding, TokenView } from '../../../server/gateway/access/api.ts';

export const TOKEN_ID = '3f0c9a1b2d4e5f60';
export const TOKEN_TEXT = `txl_${TOKEN_ID}_${'ab'.repeat(32)}`;
const AT_MS = Date.UTC(2026, 10, 22, 9, 30, 1, 250);

export const TOKEN_VIEW: TokenView = {
  id: TOKEN_ID,
  owner: 'acme',
  scopes: ['transactions:read', 'transactions:write'],
  createdAtMs: AT_MS,
  expiresAtMs: AT_MS + 1000,
  revokedAtMs: AT_MS + 500,
  lastUsedAtMs: AT_MS,
  limits: { ratePerS: 100, pendingMax: 500 },
};

export const BINDING: AddressBinding = {
  address: 'txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz',
  owner: 'acme',
  boundAtMs: AT_MS,
};

const one = { ok: true, token: TOKEN_VIEW } as const;

export const ACCESS_ANSWERS: { [Name in keyof AccessApi]: Awaited<ReturnType<AccessApi[Name]>> } = {
  createToken: { ...one, text: TOKEN_TEXT },
  listTokens: { ok: true, tokens: [TOKEN_VIEW], nextCursor: 'AAAAAAAAAco' },
  getToken: one,
  updateToken: one,
  rotateToken: { ...one, text: TOKEN_TEXT, replaced: { ...TOKEN_VIEW, id: '1a2b3c4d5e6f7081' } },
  revokeToken: { ok: true },
  listBoundAddresses: { ok: true, bindings: [BINDING], nextCursor: 'AAAAAAAAAco' },
  bindAddress: { ok: true, binding: BINDING },
  unbindAddress: { ok: true },
};
