/**
 * Verifies the history of a chain from its first block: bytes, hashes, parents, commits, and the results of executing every block from
 * genesis.
 *
 * Of the recorded data only genesis is trusted. One block is in memory at a time, beside the state that the blocks make.
 */
import {
  commitHash,
  decodeCommit,
  EMPTY_ROOT,
  encodeCommit,
  nsToMs,
  precommitSignBytes,
  resultsHash,
  upperHex,
  validatorAddress,
  type Block,
  type Commit,
} from '../encoding/index.ts';
import {
  type AccountRow,
  finalizeBlock,
  LedgerState,
  type Transaction,
  type Verdict,
  verifyStrict,
  verifyTransaction,
  type GenesisDocument,
  txHash,
} from '../../ledger/index.ts';
import { EngineStartError } from '../start-error.ts';
import { chainConstants, type ChainConstants } from './chain-constants.ts';
import { readBlock, sameBytes } from './history-check.ts';
import { genesisTip, nextHeaderTimeNs, type Tip } from './next-block.ts';
import { failuresOf } from '../results.ts';
import type { ChainStore, StoredBlock } from './stores.ts';

/** A block that was verified. */
export interface ReplayedBlock {
  height: number;
  timeMs: number;
  transactions: ReplayedTransaction[];
}

export interface ReplayedTransaction {
  /** Undefined for bytes that are not a transaction of this chain. */
  tx: Transaction | undefined;
  hash: string;
  code: number;
}

export interface ReplayOptions {
  genesis: GenesisDocument;
  store: ChainStore;
  /** Absent: executes from genesis. Given: hashes and commits alone, from this height on. */
  hashesFrom?: number;
  /** True for a transaction that was verified before, byte for byte: its signatures are not verified again. */
  isVerified?: (height: number, index: number) => boolean;
}

const fault = (height: number, what: string): EngineStartError => new EngineStartError(`block ${height}: ${what}`);

export class Replay {
  readonly #genesis: GenesisDocument;
  readonly #store: ChainStore;
  readonly #constants: ChainConstants;
  readonly #hashesFrom: number | undefined;
  readonly #isVerified: (height: number, index: number) => boolean;
  /** The state after the last block that was replayed. */
  readonly state: LedgerState;
  #tip: Tip;

  constructor({ genesis, store, hashesFrom, isVerified = () => false }: ReplayOptions) {
    const publicKey = Buffer.from(genesis.validators[0]?.publicKey ?? '', 'hex');
    const noKey = { publicKey, address: validatorAddress(publicKey), sign: () => new Uint8Array() };
    this.#genesis = genesis;
    this.#store = store;
    this.#constants = chainConstants(genesis, noKey);
    this.#hashesFrom = hashesFrom;
    this.#isVerified = isVerified;
    this.state = LedgerState.fromGenesis(genesis);
    this.#tip = genesisTip(this.state.appHash);
  }

  /** Verifies and yields every block in turn. Throws EngineStartError with the first difference. */
  *blocks(): Generator<ReplayedBlock> {
    const genesis = this.#genesis;
    const stored = this.#store.load();
    if (stored === undefined) throw new EngineStartError('chain.db holds no chain');
    if (stored.chainId !== genesis.chainId || stored.genesisHash !== genesis.hash) {
      throw new EngineStartError(
        `chain.db is of chain ${stored.chainId} with genesis ${stored.genesisHash}, and the genesis file of chain ${genesis.chainId} with hash ${genesis.hash}`,
      );
    }
    const first = this.#hashesFrom ?? 1;
    if (first > 1) this.#tip = this.#tipBefore(first);
    for (let height = first; height <= stored.height; height += 1) yield this.#next(height);
    this.#checkSigned();
  }

  /**
   * The block before the first, where verification begins in the middle: its results are taken as recorded, its own bytes are still
   * checked.
   */
  #tipBefore(first: number): Tip {
    const { stored } = readBlock(this.#store, first - 1);
    const executed = this.#store.executed(first - 1);
    if (executed === undefined) throw fault(first - 1, 'it is not there');
    const commit = this.#commit(stored);
    return {
      height: first - 1,
      id: stored.id,
      headerTimeNs: stored.timeNs,
      commit,
      appHash: executed.appHash,
      resultsHash: executed.resultsHash,
    };
  }

  #next(height: number): ReplayedBlock {
    const { stored, block } = readBlock(this.#store, height);
    this.#checkHeader(stored, block);
    const commit = this.#commit(stored);
    const recorded = this.#store.executed(height);
    if (recorded === undefined) throw fault(height, 'what it gave is not recorded');
    const tip = { height, id: stored.id, headerTimeNs: stored.timeNs, commit };
    if (this.#hashesFrom !== undefined) {
      this.#tip = { ...tip, ...recorded };
      return { height, timeMs: nsToMs(stored.timeNs), transactions: [] };
    }
    const verdicts = new Map(
      block.transactions.map((raw, index): [Uint8Array, Verdict] => [
        raw,
        verifyTransaction(this.#genesis, raw, { signatureVerified: this.#isVerified(height, index) }),
      ]),
    );
    const finalized = finalizeBlock(
      this.state,
      block.transactions,
      { height, timeNs: stored.timeNs },
      { read: (raw) => verdicts.get(raw) as Verdict },
    );
    const { appHash } = this.state.commit(finalized);
    const hashOfResults = resultsHash(finalized.results);
    if (JSON.stringify(failuresOf(finalized.results)) !== JSON.stringify(recorded.failures))
      throw fault(height, 'its transactions have other results than the ones that are recorded');
    if (!sameBytes(hashOfResults, recorded.resultsHash))
      throw fault(
        height,
        `its results give the hash ${upperHex(hashOfResults)}, and ${upperHex(recorded.resultsHash)} is recorded`,
      );
    if (!sameBytes(appHash, recorded.appHash))
      throw fault(
        height,
        `executing it gives the application hash ${upperHex(appHash)}, and ${upperHex(recorded.appHash)} is recorded`,
      );
    this.#tip = { ...tip, appHash, resultsHash: hashOfResults };
    const transactions = block.transactions.map((raw, index) => {
      const verdict = verdicts.get(raw);
      const known = verdict?.ok ? verdict.verified : undefined;
      return { tx: known?.tx, hash: known?.hash ?? txHash(raw), code: finalized.results[index]?.code ?? Number.NaN };
    });
    return { height, timeMs: nsToMs(stored.timeNs), transactions };
  }

  #checkHeader(stored: StoredBlock, { header, lastCommit, transactions }: Block): void {
    const { height } = stored;
    const before = this.#tip;
    const constants = this.#constants;
    const checks: readonly (readonly [holds: boolean, what: string])[] = [
      [header.chainId === constants.chainId, `it is of chain ${header.chainId}`],
      [
        sameBytes(header.lastBlockId.hash, before.id.hash) &&
          sameBytes(header.lastBlockId.parts.hash, before.id.parts.hash),
        `it follows another block than the one at height ${height - 1}`,
      ],
      [
        sameBytes(header.appHash, before.appHash),
        `it names the application hash ${upperHex(header.appHash)}, and the blocks before it give ${upperHex(before.appHash)}`,
      ],
      [
        sameBytes(header.lastResultsHash, before.resultsHash),
        'it names another results hash than the block before it gives',
      ],
      [
        sameBytes(commitHash(lastCommit), header.lastCommitHash) &&
          sameBytes(encodeCommit(lastCommit), encodeCommit(before.commit)),
        `it holds another commit of block ${height - 1} than the one that is stored`,
      ],
      [
        sameBytes(header.validatorsHash, constants.validatorsHash) &&
          sameBytes(header.nextValidatorsHash, constants.validatorsHash),
        'it names other validators than genesis',
      ],
      [sameBytes(header.consensusHash, constants.consensusHash), 'it names other consensus parameters than genesis'],
      [
        sameBytes(header.proposerAddress, constants.proposerAddress),
        'it was proposed by another validator than that of genesis',
      ],
      [sameBytes(header.evidenceHash, EMPTY_ROOT), 'it names evidence'],
      [header.timeNs === nextHeaderTimeNs(constants, before), 'its time is not that of the commit before it'],
      [
        header.timeNs === stored.timeNs && transactions.length === stored.transactionCount,
        'its row says another time or number of transactions than its bytes',
      ],
    ];
    for (const [holds, what] of checks) if (!holds) throw fault(height, what);
  }

  /** Reads the stored commit, and verifies the validator's signature by the STRICT rule. */
  #commit(stored: StoredBlock): Commit {
    const { height, id } = stored;
    const bytes = this.#store.commit(height);
    if (bytes === undefined) throw fault(height, 'it has no commit');
    let commit: Commit;
    try {
      commit = decodeCommit(bytes);
    } catch (error) {
      throw fault(height, `its commit cannot be read: ${(error as Error).message}`);
    }
    const [sig, ...others] = commit.signatures;
    const { chainId, validatorPublicKey, proposerAddress } = this.#constants;
    const holds =
      sig !== undefined &&
      others.length === 0 &&
      commit.height === height &&
      sameBytes(commit.blockId.hash, id.hash) &&
      sameBytes(commit.blockId.parts.hash, id.parts.hash) &&
      sameBytes(sig.validatorAddress, proposerAddress) &&
      verifyStrict(
        validatorPublicKey,
        precommitSignBytes({ chainId, height, round: commit.round, blockId: id, timestampNs: sig.timestampNs }),
        sig.signature,
      );
    if (!holds) throw fault(height, 'its commit is not signed by the validator of genesis');
    return commit;
  }

  #checkSigned(): void {
    const last = this.#store.lastSigned();
    const { height, commit } = this.#tip;
    if (height === 0 && last === undefined) return;
    const [sig] = commit.signatures;
    if (last?.height !== height || !sameBytes(last.signature ?? new Uint8Array(), sig?.signature ?? new Uint8Array())) {
      throw fault(
        height,
        `it is the last, and the signature that is recorded as the last one is of height ${last?.height ?? 0} or another one`,
      );
    }
  }
}

/** Compares the rows of accounts and governance with the state that the blocks give. Throws EngineStartError with the first difference. */
export function compareState(state: LedgerState, store: ChainStore): void {
  const stored = store.load();
  if (stored === undefined) throw new EngineStartError('chain.db holds no chain');
  const where = `after block ${stored.height}`;
  const rows = stored.accounts[Symbol.iterator]();
  try {
    compareAccounts(state, rows, where);
  } finally {
    rows.return?.();
  }
  if (JSON.stringify(stored.governance) !== JSON.stringify(state.governance()))
    throw new EngineStartError(`${where} roles and validators are others by the blocks than in the database`);
}

function compareAccounts(state: LedgerState, rows: Iterator<AccountRow>, where: string): void {
  for (const { leaf, address, account } of state.leaves()) {
    const { value: row } = rows.next() as IteratorResult<AccountRow, undefined>;
    if (row === undefined || row.address !== address || row.leaf !== leaf) {
      throw new EngineStartError(
        `${where} the account ${address} is missing, or another one is in its place (${row?.address ?? 'none'})`,
      );
    }
    for (const member of ['balance', 'nonce', 'voids'] as const) {
      if (row.account[member] !== account[member])
        throw new EngineStartError(
          `${where} the ${member} of account ${address} is ${account[member]} by the blocks, and ${row.account[member]} in the database`,
        );
    }
  }
  const surplus = rows.next() as IteratorResult<AccountRow, undefined>;
  if (surplus.done !== true)
    throw new EngineStartError(
      `${where} the database has the account ${surplus.value.address}, which the blocks do not give`,
    );
}
