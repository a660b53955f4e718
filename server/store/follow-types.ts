/** State that a store keeps of the chain that its gateway follows. */

/** A chain, and its last followed block. */
export type StorePlace = Pick<FollowerState, 'chainId' | 'genesisHash' | 'height' | 'hash'>;

export interface FollowerState {
  chainId: string;
  genesisHash: string;
  height: number;
  hash: string;
  blockTimeMs: number;
  uptimeMs: number;
  /** Up to here the chain was verified by its validators' signatures. */
  verifiedHeight: number;
}

export type FollowerStep = Pick<FollowerState, 'chainId' | 'height' | 'hash' | 'blockTimeMs' | 'uptimeMs'> & {
  /** The whole chain up to this block was verified by its signatures, and every set is saved with it. */
  verifiedFromGenesis?: boolean;
};

export interface StoredValidatorSet {
  /** From this height on they sign. */
  height: number;
  validators: StoredGovernance['validators'];
}

/** The chain's decisions about itself, as the ledger defines them. */
export interface StoredGovernance {
  cancellers: readonly string[];
  governors: readonly string[];
  threshold: number;
  validators: readonly { publicKey: string; power: number }[];
  sequence: number;
  rules: readonly { version: number; height: number }[];
  currency: { code: string; scale: number };
  openingMinimum: string;
}
