/** Tokens and bound addresses as rows hold them, without secrets. */
import type { Scope } from '../scopes.ts';

/** Limits of one token, which replace those of the service. */
export interface TokenLimits {
  /** Units of cost a second. */
  ratePerS?: number;
  /** Pending transfers that its owner may have when another one is submitted with it. */
  pendingMax?: number;
}

/** Public fields of a token: everything but its secret. */
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
