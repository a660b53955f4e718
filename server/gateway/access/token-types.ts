/** Tokens and bound addresses as rows hold them, without secrets. */
import type { Scope } from '../scopes.ts';

/** Limits of one token in place of the service's. */
export interface TokenLimits {
  /** Units of cost a second. */
  ratePerS?: number;
  /** Transfers that its owner may have pending when another is submitted with it. */
  pendingMax?: number;
}

/** What may be shown of a token: everything but its secret. */
export interface TokenView {
  id: string;
  owner: string;
  scopes: Scope[];
  createdAtMs: number;
  expiresAtMs: number | undefined;
  revokedAtMs: number | undefined;
  /** To the minute; undefined when it was never used. */
  lastUsedAtMs?: number | undefined;
  limits?: TokenLimits | undefined;
}

export interface AddressBinding {
  address: string;
  owner: string;
  boundAtMs: number;
}
