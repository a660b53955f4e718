/**
 * Rows of a stock node's state.db, as CometBFT v0.38.26 writes them (state/store.go), for a chain whose validators and consensus parameters
 * are still those of genesis.
 *
 * Validators and parameters are written in full only at the height at which they changed last, here 1, and the validators also at every
 * VALIDATORS_KEPT_EVERY-th height; every other height names the one at which they changed. A node that was started at genesis has the same
 * rows.
 */
import { ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types';
import { ConsensusParams } from 'cosmjs-types/tendermint/types/params';
import { Validator, ValidatorSet } from 'cosmjs-types/tendermint/types/validator';
import { type BlockId, BLOCK_PROTOCOL_VERSION, APP_PROTOCOL_VERSION, splitNs } from '../../encoding/index.ts';
import { encodeBlockId } from '../../encoding/header.ts';
import { bytesField, message, messageField, stringField, varintField } from '../../encoding/proto.ts';
import { encodeTimestamp } from '../../encoding/time.ts';
import type { LedgerEvent } from '../../../ledger/index.ts';
import type { LevelRow } from './disk-level-database.ts';

/** The version of CometBFT whose home is written; it is part of the state (state/state.go, InitStateVersion). */
export const COMETBFT_SOFTWARE = '0.38.26';

/** state/store.go, valSetCheckpointInterval. */
const VALIDATORS_KEPT_EVERY = 100_000;
const FIRST_HEIGHT = 1;

/** Facts that are the same at every height. */
export interface ChainState {
  readonly chainId: string;
  readonly validator: { readonly publicKey: Uint8Array; readonly address: Uint8Array; readonly power: number };
  /** Those of the genesis file. */
  readonly params: ConsensusParamsJson;
}

/** consensus_params of a genesis file, numbers as decimal text. */
export interface ConsensusParamsJson {
  readonly block: { readonly max_bytes: string; readonly max_gas: string };
  readonly evidence: {
    readonly max_age_num_blocks: string;
    readonly max_age_duration: string;
    readonly max_bytes: string;
  };
  readonly validator: { readonly pub_key_types: readonly string[] };
  readonly version: { readonly app: string };
  readonly abci: { readonly vote_extensions_enable_height: string };
}

/** The result of executing a block. */
export interface BlockOutcome {
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly results: readonly {
    readonly code: number;
    readonly codespace: string;
    readonly log: string;
    readonly events: readonly LedgerEvent[];
  }[];
}

/** The last block, and what the next one needs. */
export interface LastBlock {
  readonly height: number;
  readonly id: BlockId;
  readonly timeNs: bigint;
  readonly appHash: Uint8Array;
  readonly resultsHash: Uint8Array;
  readonly response: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);

export class StateRows {
  readonly #chain: ChainState;
  readonly #validators: Uint8Array;
  readonly #params: Uint8Array;

  constructor(chain: ChainState) {
    this.#chain = chain;
    this.#validators = encodeValidators(chain.validator);
    this.#params = encodeParams(chain.params);
  }

  /** The rows before the first block. */
  genesis(): LevelRow[] {
    return [this.#validatorsAt(FIRST_HEIGHT), this.#validatorsAt(FIRST_HEIGHT + 1), this.#paramsAt(FIRST_HEIGHT)];
  }

  /** The rows of a block: its results, and the validators and parameters for the blocks after it. */
  block({ height, response }: Pick<LastBlock, 'height' | 'response'>): LevelRow[] {
    return [[`abciResponsesKey:${height}`, response], this.#validatorsAt(height + 2), this.#paramsAt(height + 1)];
  }

  /**
   * The state after the last block, from which the node continues, and the last block's results once more, which a node keeps for a crash.
   */
  last({ height, id, timeNs, appHash, resultsHash, response }: LastBlock): LevelRow[] {
    const { chainId } = this.#chain;
    const consensus = message(varintField(1, BLOCK_PROTOCOL_VERSION), varintField(2, APP_PROTOCOL_VERSION));
    const state = message(
      messageField(1, message(messageField(1, consensus), stringField(2, COMETBFT_SOFTWARE))),
      stringField(2, chainId),
      varintField(3, height),
      messageField(4, encodeBlockId(id)),
      messageField(5, encodeTimestamp(timeNs)),
      messageField(6, this.#validators),
      messageField(7, this.#validators),
      messageField(8, this.#validators),
      varintField(9, FIRST_HEIGHT),
      messageField(10, this.#params),
      varintField(11, FIRST_HEIGHT),
      bytesField(12, resultsHash),
      bytesField(13, appHash),
      varintField(14, FIRST_HEIGHT),
    );
    return [
      ['lastABCIResponseKey', message(varintField(2, height), messageField(3, response))],
      ['stateKey', state],
    ];
  }

  #validatorsAt(height: number): LevelRow {
    const isWhole = height === FIRST_HEIGHT || height % VALIDATORS_KEPT_EVERY === 0;
    return [
      `validatorsKey:${height}`,
      message(isWhole ? messageField(1, this.#validators) : NO_BYTES, varintField(2, FIRST_HEIGHT)),
    ];
  }

  #paramsAt(height: number): LevelRow {
    return [
      `consensusParamsKey:${height}`,
      message(messageField(1, height === FIRST_HEIGHT ? this.#params : NO_BYTES), varintField(2, FIRST_HEIGHT)),
    ];
  }
}

/**
 * FinalizeBlock's response of this ledger's application: a block of an embedded chain never has validator updates, parameter updates or
 * events of its own.
 */
export function encodeResponse({ appHash, results }: BlockOutcome): Uint8Array {
  return ResponseFinalizeBlock.encode({
    events: [],
    txResults: results.map(({ code, codespace, log, events }) => ({
      code,
      data: NO_BYTES,
      log,
      info: '',
      gasWanted: 0n,
      gasUsed: 0n,
      events: events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
      })),
      codespace,
    })),
    validatorUpdates: [],
    appHash,
  }).finish();
}

/**
 * Encodes a set of one validator. Its priority returns to 0 at every height: it is raised by the total power, which is its own, and lowered
 * by the same when it proposes.
 */
function encodeValidators({ publicKey, address, power }: ChainState['validator']): Uint8Array {
  const validator = Validator.fromPartial({
    address,
    pubKey: { ed25519: publicKey },
    votingPower: BigInt(power),
    proposerPriority: 0n,
  });
  return ValidatorSet.encode({ validators: [validator], proposer: validator, totalVotingPower: 0n }).finish();
}

function encodeParams({ block, evidence, validator, version, abci }: ConsensusParamsJson): Uint8Array {
  return ConsensusParams.encode({
    block: { maxBytes: BigInt(block.max_bytes), maxGas: BigInt(block.max_gas) },
    evidence: {
      maxAgeNumBlocks: BigInt(evidence.max_age_num_blocks),
      maxAgeDuration: splitNs(BigInt(evidence.max_age_duration)),
      maxBytes: BigInt(evidence.max_bytes),
    },
    validator: { pubKeyTypes: [...validator.pub_key_types] },
    version: { app: BigInt(version.app) },
    abci: { voteExtensionsEnableHeight: BigInt(abci.vote_extensions_enable_height) },
  }).finish();
}
