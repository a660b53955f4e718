/**
 * The genesis document: CometBFT's genesis.json with our application state in it.
 *
 * It is the same file under both engines, so that an embedded chain can later be carried on by CometBFT nodes. Everything that decides a
 * hash is fixed or checked here.
 */
import type { AddressPrefix } from './chain.ts';
import type { Currency, RulesActivation, ValidatorPower } from './state.ts';

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
  /** RFC 3339 in UTC with up to nine digits of fraction, as in the file; the time of block 1. */
  readonly genesisTime: string;
  readonly chainId: string;
  readonly addressPrefix: AddressPrefix;
  readonly initialHeight: 1;
  /** In the order of the file; powers above 0. */
  readonly validators: readonly GenesisValidator[];
  /** In the order of the file, which is the order of their leaves in the state tree. */
  readonly accounts: readonly GenesisAccount[];
  /** Addresses, at least one: they can void nonces of others. */
  readonly cancellers: readonly string[];
  /** Addresses, at least `threshold`: so many of them together change roles, validators and rules. */
  readonly governors: readonly string[];
  readonly threshold: number;
  readonly currency: Currency;
  /** The minimum that opens an account, in minor units, 1 to AMOUNT_MAX. */
  readonly openingMinimum: bigint;
  /** The first is in force from height 1 on. */
  readonly rules: readonly RulesActivation[];
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
  // As Info returns it: with another number stock `cometbft rollback`, and replay into a wiped application, panic.
  version: { app: '1' },
  abci: { vote_extensions_enable_height: '0' },
} as const;

/** block.max_bytes as a number: a part of every header's consensus_hash. */
export const BLOCK_MAX_BYTES = Number(CONSENSUS_PARAMS.block.max_bytes);

/** For a genesis without this member: every account is opened with something. */
export const OPENING_MINIMUM_DEFAULT = 1n;

/** For a genesis without this member, and in every new one. */
export const FIRST_RULES: readonly RulesActivation[] = [{ version: 1, height: 1 }];

/** Upper-case letters and digits: codes of ISO 4217, and names of other units. */
export const CURRENCY_CODE_PATTERN = /^[A-Z0-9]{3,12}$/;

/** CometBFT's name for an Ed25519 public key in JSON. */
export const PUBLIC_KEY_TYPE = 'tendermint/PubKeyEd25519';
