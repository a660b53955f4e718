/** The chain that the rules are applied to: every signature is bound to its id and every address to its prefix. */

/** Human-readable part of an address: `txl` in production, `txlt` for development and test chains. */
export type AddressPrefix = 'txl' | 'txlt';

export interface ChainContext {
  /** 1 to 50 characters, see CHAIN_ID_PATTERN. */
  readonly chainId: string;
  readonly addressPrefix: AddressPrefix;
}

/**
 * Lower-case letters, digits and inner hyphens, at most 50 characters (CometBFT's MaxChainIDLen).
 * Nothing in it needs escaping in JSON, so that the canonical bytes are plain string formatting.
 */
export const CHAIN_ID_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

export function isAddressPrefix(text: unknown): text is AddressPrefix {
  return text === 'txl' || text === 'txlt';
}
