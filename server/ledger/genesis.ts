/**
 * The genesis document: CometBFT's genesis.json with our application state in it.
 *
 * It is the same file under both engines, so that an embedded chain can later be carried on by CometBFT nodes. Everything that decides a hash
 * is fixed or checked here.
 */
import type { AddressPrefix } from './chain.ts';
import type { ValidatorPower } from './state.ts';

export interface GenesisValidator extends ValidatorPower {
  /** Free text for people; may be empty. */
  readonly name: string;
}

export interface GenesisAccount {
  readonly address: string;
  /** Minor units, 0 to AMOUNT_MAX. */
  readonly balance: bigint;
}

export interface GenesisDocument {
  /** RFC 3339 in UTC with up to nine digits of fraction, as it stands in the file; the time of block 1. */
  readonly genesisTime: string;
  readonly chainId: string;
  readonly addressPrefix: AddressPrefix;
  readonly initialHeight: 1;
  /** block.max_bytes as the file says it: a part of every header's consensus_hash. */
  readonly blockMaxBytes: number;
  /** In the order of the file; powers above 0. */
  readonly validators: readonly GenesisValidator[];
  /** In the order of the file, which is the order of their leaves in the state tree. */
  readonly accounts: readonly GenesisAccount[];
  /** Addresses, at least one. */
  readonly operators: readonly string[];
  /** The file as it was read. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the file's bytes, 64 upper-case hex digits. */
  readonly hash: string;
}

/**
 * Consensus parameters of a new chain, as CometBFT writes them. max_bytes is the largest that CometBFT allows (types/params.go,
 * MaxBlockSizeBytes), so that PrepareProposal sees the whole mempool: otherwise cancels could hide behind a backlog of transfers. The
 * application keeps blocks small itself.
 */
export const CONSENSUS_PARAMS = {
  block: { max_bytes: '104857600', max_gas: '-1' },
  evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
  validator: { pub_key_types: ['ed25519'] },
  version: { app: '0' },
  abci: { vote_extensions_enable_height: '0' },
} as const;

/**
 * What block.max_bytes of a chain may say. Chains made before version 1.3 say -1, which lets a node offer the same bytes; clients that read
 * it as an unsigned number (tendermint-rs) cannot use those. No chain can change it: it is in every header's consensus_hash.
 */
export const BLOCK_MAX_BYTES_ACCEPTED: readonly string[] = [CONSENSUS_PARAMS.block.max_bytes, '-1'];

/** CometBFT's name for an Ed25519 public key in JSON. */
export const PUBLIC_KEY_TYPE = 'tendermint/PubKeyEd25519';
