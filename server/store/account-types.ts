/** Accounts and owners of transfers, as a store keeps them. */

export interface StoredAccount {
  id: number;
  address: string;
  /** False while the address is only named as the receiver of a pending transfer. */
  onChain: boolean;
  balance: bigint;
  nonce: number;
  /** Bit i is for nonce + i. */
  voids: bigint;
  /** Sum of the amounts of its pending transfers, those with a cancel requested included. */
  reserved: bigint;
}

export interface StoredOwner {
  id: number;
  name: string;
  /** Its pending transfers, of all shards. */
  pending: number;
}

/** So many of an owner's pending transfers, with senders of one shard, are settled. */
export interface OwnerSettled {
  owner: string;
  shard: number;
  count: number;
}
