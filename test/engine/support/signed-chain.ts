/**
 * A chain of several validators, made block by block and signed with real keys, for nodes that are scripted.
 *
 * The ledger's own state says who the validators are, so that what an engine derives from the transactions is compared with another reading.
 */
import { evidenceOfJson } from '../../../server/engine/cometbft/blocks/evidence-json.ts';
import { blockJson, blockMetaJson } from '../../../server/engine/embedded/rpc/block-json.ts';
import {
  BLOCK_ID_FLAG_ABSENT,
  BLOCK_ID_FLAG_COMMIT,
  BLOCK_ID_FLAG_NIL,
  BLOCK_MAX_GAS,
  blockId,
  commitHash,
  consensusHash,
  EMPTY_COMMIT,
  encodeBlock,
  headerHash,
  merkleRoot,
  nsToMs,
  parseTime,
  precommitSignBytes,
  resultsHash,
  sha256,
  sortValidators,
  upperHex,
  validatorAddress,
  validatorsHash,
  ZERO_BLOCK_ID,
  type Block,
  type BlockId,
  type Commit,
  type CommitSig,
  type Header,
} from '../../../server/engine/encoding/index.ts';
import type {
  Checkpoint,
  CommittedBlock,
  EngineStatus,
  RpcArguments,
  RpcMethod,
  RpcOutcome,
  ValidatorSetAt,
} from '../../../server/engine/port.ts';
import { resultJson } from '../../../server/engine/rpc/result-json.ts';
import {
  BLOCK_MAX_BYTES,
  type BlockContext,
  finalizeBlock,
  type GenesisDocument,
  type GovernanceState,
  LedgerState,
  signEd25519,
  type TxResult,
  type ValidatorPower,
} from '../../../server/ledger/index.ts';
import { blockIdJson, commitJson, headerJson } from '../../../server/engine/rpc/signed-header-json.ts';
import { testGenesis, validatorKey, validatorSeed } from '../../ledger/support.ts';

const SECOND_NS = 1_000_000_000n;
/** Go's zero time, where no one signed. */
const NO_TIME_NS = -62_135_596_800n * SECOND_NS;
const NO_BYTES = new Uint8Array(0);
/** Seeds that the chain knows; others are strangers. */
const SEEDS = Array.from({ length: 40 }, (_, i) => validatorSeed(i));
const seedOf = (publicKey: string): Uint8Array =>
  SEEDS[SEEDS.findIndex((_, i) => validatorKey(i) === publicKey)] as Uint8Array;

export type Vote = 'block' | 'nil' | 'absent';

export interface VoteOptions {
  round?: number;
  chainId?: string;
  height?: number;
  /** What each validator did, by its key; all vote for the block otherwise. */
  votes?: Readonly<Record<string, Vote>>;
}

export interface ChainBlock {
  block: Block;
  id: BlockId;
  commit: Commit;
  results: readonly TxResult[];
  appHash: Uint8Array;
  governance: GovernanceState;
  /** As a node answers it. */
  evidence: readonly unknown[];
}

/** Evidence that a validator, by its number, signed two blocks of one height. */
export function doubleSigning(i: number, height: number): unknown {
  const address = upperHex(validatorAddress(Buffer.from(validatorKey(i), 'hex')));
  const vote = (fill: string) => ({
    type: 2,
    height: String(height),
    round: 0,
    block_id: { hash: fill.repeat(32), parts: { total: 1, hash: fill.repeat(32) } },
    timestamp: '2026-11-21T09:00:00Z',
    validator_address: address,
    validator_index: 0,
    signature: Buffer.alloc(64, 1).toString('base64'),
    extension: null,
    extension_signature: null,
  });
  const value = {
    vote_a: vote('AA'),
    vote_b: vote('BB'),
    TotalVotingPower: '30',
    ValidatorPower: '10',
    Timestamp: '2026-11-21T09:00:00Z',
  };
  return { type: 'tendermint/DuplicateVoteEvidence', value };
}

/** A commit as these validators sign it. */
export function signCommit(
  validators: readonly ValidatorPower[],
  height: number,
  id: BlockId,
  timeNs: bigint,
  chainId: string,
  options: VoteOptions = {},
): Commit {
  const { round = 0, votes = {} } = options;
  const sorted = sortValidators(
    validators.map(({ publicKey, power }) => ({ publicKey: Buffer.from(publicKey, 'hex'), power })),
  );
  const signatures = sorted.map(({ publicKey }, i): CommitSig => {
    const key = Buffer.from(publicKey).toString('hex');
    const vote = votes[key] ?? 'block';
    if (vote === 'absent')
      return {
        blockIdFlag: BLOCK_ID_FLAG_ABSENT,
        validatorAddress: NO_BYTES,
        timestampNs: NO_TIME_NS,
        signature: NO_BYTES,
      };
    // Each has a clock of its own.
    const timestampNs = timeNs + BigInt(i + 1);
    const voted = vote === 'nil' ? ZERO_BLOCK_ID : id;
    const signBytes = precommitSignBytes({
      chainId: options.chainId ?? chainId,
      height: options.height ?? height,
      round,
      blockId: voted,
      timestampNs,
    });
    return {
      blockIdFlag: vote === 'nil' ? BLOCK_ID_FLAG_NIL : BLOCK_ID_FLAG_COMMIT,
      validatorAddress: validatorAddress(publicKey),
      timestampNs,
      signature: signEd25519(seedOf(key), signBytes),
    };
  });
  return { height, round, blockId: id, signatures };
}

export interface BlockOptions extends VoteOptions {
  /** Changes the header before it is hashed and signed. */
  header?: Partial<Header>;
  /** Who signs, in place of the chain's validators. */
  signers?: readonly ValidatorPower[];
  /** What the block carries, as a node answers it. */
  evidence?: readonly unknown[];
}

export class SignedChain {
  readonly genesis: GenesisDocument;
  readonly blocks: ChainBlock[] = [];
  readonly #ledger: LedgerState;
  /** Sets by height, from the ledger's state: index h is who signs block h. */
  readonly #signers: (readonly ValidatorPower[])[];
  readonly #genesisGovernance: GovernanceState;
  readonly #genesisAppHash: Uint8Array;

  constructor(genesis: GenesisDocument) {
    this.genesis = genesis;
    this.#ledger = LedgerState.fromGenesis(genesis);
    this.#genesisGovernance = this.#ledger.governance();
    this.#genesisAppHash = this.#ledger.appHash;
    const { validators } = this.#genesisGovernance;
    this.#signers = [validators, validators, validators];
  }

  /** Validators 0 to n - 1 with these powers. */
  static of(...powers: readonly number[]): SignedChain {
    return new SignedChain(
      testGenesis({ validators: powers.map((power, i) => ({ publicKey: validatorKey(i), power, name: '' })) }),
    );
  }

  get height(): number {
    return this.blocks.length;
  }

  at(height: number): ChainBlock {
    const found = this.blocks[height - 1];
    if (found === undefined) throw new Error(`the chain has no block ${height}`);
    return found;
  }

  signersAt(height: number): readonly ValidatorPower[] {
    return this.#signers[height] ?? [];
  }

  /** One block further, with these transactions. */
  add(transactions: readonly Uint8Array[] = [], options: BlockOptions = {}): ChainBlock {
    const made = this.forge(transactions, options);
    const { appHash } = this.#ledger.commit(finalizeBlock(this.#ledger, transactions, contextOf(made)));
    const block = { ...made, appHash, governance: this.#ledger.governance() };
    this.#signers.push(block.governance.validators);
    this.blocks.push(block);
    return block;
  }

  /** The block that `add` would append, left out of the chain. */
  forge(transactions: readonly Uint8Array[], options: BlockOptions = {}): ChainBlock {
    const height = this.height + 1;
    const parent = this.blocks.at(-1);
    const lastCommit = parent?.commit ?? EMPTY_COMMIT;
    const { evidence = [] } = options;
    const [now, next] = [options.signers ?? this.signersAt(height), options.signers ?? this.signersAt(height + 1)];
    const keyed = (validators: readonly ValidatorPower[]) =>
      validators.map(({ publicKey, power }) => ({ publicKey: Buffer.from(publicKey, 'hex'), power }));
    const timeNs = (parseTime(this.genesis.genesisTime) ?? 0n) + BigInt(height - 1) * SECOND_NS;
    const header: Header = {
      version: { block: 11, app: 1 },
      chainId: this.genesis.chainId,
      height,
      timeNs,
      lastBlockId: parent?.id ?? ZERO_BLOCK_ID,
      lastCommitHash: commitHash(lastCommit),
      dataHash: merkleRoot(transactions.map(sha256)),
      validatorsHash: validatorsHash(keyed(now)),
      nextValidatorsHash: validatorsHash(keyed(next)),
      consensusHash: consensusHash({ maxBytes: BLOCK_MAX_BYTES, maxGas: BLOCK_MAX_GAS }),
      appHash: parent?.appHash ?? this.#genesisAppHash,
      lastResultsHash: resultsHash(parent?.results ?? []),
      evidenceHash: merkleRoot(evidence.map((each) => evidenceOfJson(each).bytes)),
      proposerAddress: validatorAddress(Buffer.from(now[0]?.publicKey ?? '', 'hex')),
      ...options.header,
    };
    const block: Block = { header, transactions, lastCommit };
    const id = blockId(header, encodeBlock(block));
    const { results } = finalizeBlock(this.#ledger, transactions, contextOf({ block, evidence }));
    return {
      evidence,
      block,
      id,
      commit: signCommit(now, height, id, timeNs + SECOND_NS, this.genesis.chainId, options),
      results,
      appHash: NO_BYTES,
      governance: this.#ledger.governance(),
    };
  }

  /** What a gateway's store holds that followed up to a height. */
  checkpoint(height = this.height): Checkpoint {
    const last = height === 0 ? undefined : this.at(height);
    const validatorSets: ValidatorSetAt[] = [];
    for (let at = 1; at <= height + 2; at++) {
      const validators = this.signersAt(at);
      if (JSON.stringify(validatorSets.at(-1)?.validators) !== JSON.stringify(validators))
        validatorSets.push({ height: at, validators });
    }
    return {
      height,
      hash: last === undefined ? '' : upperHex(last.id.hash),
      timeMs: last === undefined ? Date.parse(this.genesis.genesisTime) : nsToMs(last.block.header.timeNs),
      governance: last?.governance ?? this.#genesisGovernance,
      validatorSets,
    };
  }

  committed(height: number): Pick<CommittedBlock, 'height' | 'hash' | 'transactions' | 'codes'> {
    const { id, block, results } = this.at(height);
    return {
      height,
      hash: upperHex(id.hash),
      transactions: block.transactions.map((raw) => Buffer.from(raw)),
      codes: results.map(({ code }) => code),
    };
  }

  /** As far as a scripted node asks. */
  readonly engine = {
    status: async (): Promise<Pick<EngineStatus, 'height'>> => ({ height: this.height }),
    rpc: async (method: RpcMethod, args: RpcArguments): Promise<RpcOutcome> => {
      const result = this.#answer(method, Number(args['height'] ?? this.height));
      return { ok: true, json: JSON.stringify(result) };
    },
  };

  #answer(method: RpcMethod, height: number): unknown {
    if (method === 'status') return { node_info: {}, sync_info: {} };
    if (method === 'num_unconfirmed_txs') return { n_txs: '0', total: '0', total_bytes: '0', txs: null };
    // Whoever claims to have more has to say itself what it is.
    if (height > this.height) return null;
    if (method === 'block') return blockAnswer(this.at(height));
    if (method === 'block_results') return resultsAnswer(this.at(height));
    if (method === 'commit') return commitAnswer(this.at(height));
    if (method === 'blockchain')
      return {
        last_height: String(this.height),
        block_metas: this.blocks
          .toReversed()
          .map(({ block, id }) =>
            blockMetaJson(
              { id, bytes: encodeBlock(block), transactionCount: block.transactions.length } as never,
              block.header,
            ),
          ),
      };
    throw new Error(`${method} is not scripted`);
  }
}

export const blockAnswer = ({ block, id, evidence }: ChainBlock) => ({
  block_id: blockIdJson(id),
  block: { ...blockJson(block), evidence: { evidence } },
});

/** Of the block itself, as the application is told. */
function contextOf({ block, evidence }: Pick<ChainBlock, 'block' | 'evidence'>): BlockContext {
  return {
    height: block.header.height,
    timeNs: block.header.timeNs,
    misbehavior: evidence.flatMap((each) => evidenceOfJson(each).misbehavior),
  };
}

export const commitAnswer = ({ block, commit }: Pick<ChainBlock, 'block' | 'commit'>, canonical = true) => ({
  signed_header: { header: headerJson(block.header), commit: commitJson(commit) },
  canonical,
});

export const resultsAnswer = ({ block, results, appHash }: ChainBlock) => ({
  height: String(block.header.height),
  txs_results: results.length === 0 ? null : results.map(resultJson),
  finalize_block_events: null,
  validator_updates: null,
  consensus_param_updates: null,
  app_hash: Buffer.from(appHash).toString('base64'),
});

export const hashOf = (header: Header): string => upperHex(headerHash(header));
