/**
 * Port of tokens and bound addresses for the HTTP layer, and the shapes that pass between them: plain, structured-cloneable data, because
 * the service runs where the database is. The methods have the names of the operations.
 */
import type { Refusal } from '../refusal-types.ts';
import type { Scope } from '../scopes.ts';
import type { AddressBinding, TokenLimits, TokenView } from './token-types.ts';

export type { AddressBinding, TokenLimits, TokenView };

/** The caller: the token, for the audit trail, and its rights. No token gives rights that it does not have. */
export interface AccessCaller {
  tokenId: string;
  scopes: readonly Scope[];
}

export interface TokenRequest {
  owner: string;
  scopes: readonly string[];
  expiresInSeconds?: number | undefined;
  limits?: TokenLimits | undefined;
}

export interface TokenUpdate {
  expiresInSeconds?: number | undefined;
  limits?: TokenLimits | undefined;
}

export interface RotationRequest {
  overlapSeconds: number;
  expiresInSeconds?: number | undefined;
}

export interface TokenQuery {
  /** 1 to LIST_LIMIT_MAX. */
  limit: number;
  cursor?: string | undefined;
  owner?: string | undefined;
  state: 'usable' | 'all';
}

export type BindingQuery = Omit<TokenQuery, 'state'>;

/** Only this answer has `text`. */
export interface TokenMade {
  ok: true;
  token: TokenView;
  text: string;
}

/** Every change is durable, and in the audit trail, when its answer comes. */
export interface AccessApi {
  createToken(caller: AccessCaller, wanted: TokenRequest): Promise<TokenMade | Refusal>;
  /** Newest first. */
  listTokens(query: TokenQuery): Promise<{ ok: true; tokens: TokenView[]; nextCursor?: string } | Refusal>;
  getToken(tokenId: string): Promise<{ ok: true; token: TokenView } | Refusal>;
  updateToken(
    caller: AccessCaller,
    tokenId: string,
    update: TokenUpdate,
  ): Promise<{ ok: true; token: TokenView } | Refusal>;
  rotateToken(
    caller: AccessCaller,
    tokenId: string,
    rotation: RotationRequest,
  ): Promise<(TokenMade & { replaced: TokenView }) | Refusal>;
  revokeToken(caller: AccessCaller, tokenId: string): Promise<{ ok: true } | Refusal>;
  /** Ordered by address. */
  listBoundAddresses(
    query: BindingQuery,
  ): Promise<{ ok: true; bindings: AddressBinding[]; nextCursor?: string } | Refusal>;
  bindAddress(
    caller: AccessCaller,
    address: string,
    owner: string,
    replace: boolean,
  ): Promise<{ ok: true; binding: AddressBinding } | Refusal>;
  unbindAddress(caller: AccessCaller, address: string): Promise<{ ok: true } | Refusal>;
}
