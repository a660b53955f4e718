/**
 * The ledger's ABCI 2.0 application behind a CometBFT node, with one method for each request.
 *
 * It holds one state. FinalizeBlock executes the next block on it and Commit makes that durable; between the two, readers are answered from
 * the block before. When a node reconnects in between and sends the block again, the state is loaded from the store again: executing a
 * block twice on top of itself would give another chain.
 */
import {
  CheckTxType,
  type Misbehavior,
  type Request,
  type RequestApplySnapshotChunk,
  type RequestCheckTx,
  type RequestFinalizeBlock,
  type RequestInitChain,
  type RequestLoadSnapshotChunk,
  type RequestOfferSnapshot,
  type RequestPrepareProposal,
  type RequestProcessProposal,
  type RequestQuery,
  type ResponseApplySnapshotChunk,
  type ResponseCheckTx,
  type ResponseCommit,
  type ResponseFinalizeBlock,
  type ResponseInfo,
  type ResponseInitChain,
  type ResponseListSnapshots,
  type ResponseLoadSnapshotChunk,
  type ResponseOfferSnapshot,
  type ResponsePrepareProposal,
  type ResponseProcessProposal,
  ResponseProcessProposal_ProposalStatus as ProposalStatus,
  type ResponseQuery,
} from 'cosmjs-types/tendermint/abci/types';
import type { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import {
  type BlockContext,
  CheckState,
  CODES,
  type FinalizedBlock,
  finalizeBlock,
  LedgerState,
  prepareAndFinalize,
  processBlock,
  type VerifiedTransaction,
} from '../../../ledger/index.ts';
import {
  type AbciQueryAnswer,
  answerAbciQuery,
  APPLICATION_NAME,
  APPLICATION_VERSION,
  type JudgeTransaction,
  refuseQuery,
} from '../../abci-query.ts';
import { APP_PROTOCOL_VERSION, joinNs } from '../../encoding/index.ts';
import { FairOrder, NO_OWNER } from '../../fair-order.ts';
import type { Clock, Logger } from '../../ports.ts';
import { BLOCK_CODES_PATH } from '../block-codes.ts';
import { BLOCK_TRANSACTIONS_MAX, blockLimits } from './block-limits.ts';
import { genesisOf } from './init-chain.ts';
import { checkMessage, eventMessage, queryMessage, resultMessage, validatorMessage } from './messages.ts';
import { misbehaviorOf } from './misbehavior.ts';
import { RecentCodes } from './recent-codes.ts';
import { AbciRefusal } from './refusal.ts';
import { loadState } from './load-state.ts';
import { ReplayProgress } from './replay-progress.ts';
import { SnapshotRestore } from './snapshot-restore.ts';
import { SnapshotTaker } from './snapshot-taker.ts';
import type { AppStore, SnapshotStore, StateChange, StoredState } from './store.ts';
import { ProposedBlock } from './proposed-block.ts';
import { VERIFIED_ENTRIES_MAX, VerifiedTransactions, type VerifySignatures } from './verified-transactions.ts';
import { WaitingTransactions } from './waiting.ts';

export interface ApplicationParts {
  readonly store: AppStore;
  readonly snapshots: SnapshotStore;
  /** Blocks between two snapshots; 0 takes none. */
  readonly snapshotIntervalBlocks: number;
  /** When given, the application serves this chain only. */
  readonly chainId: string | undefined;
  /** The lowest block that the node must keep once it has this one; 0 for all. Called at each commit; absent: all. */
  readonly retainHeight?: (height: number, chainId: string) => number;
  /** Runs a function in a later turn of the event loop. */
  readonly later: (fn: () => void) => void;
  readonly logger: Logger;
  /** For logging the progress of a replay; without it a replay logs nothing. */
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** Verifies signatures on other threads, where the machine has cores for them. */
  readonly verifySignatures?: VerifySignatures | undefined;
}

/** A state, with what this process has checked and verified on it. */
interface Ledger {
  readonly state: LedgerState;
  readonly check: CheckState;
  readonly verified: VerifiedTransactions;
  readonly waiting: WaitingTransactions;
  readonly codes: RecentCodes;
  /** Height and app hash after the last Commit. */
  committed: { readonly height: number; readonly appHash: Uint8Array };
  /** The block after the committed one in its last proposal, by this node or another. */
  proposed: ProposedBlock | undefined;
  /** Executed by FinalizeBlock and not committed yet. */
  pending:
    | { readonly context: BlockContext; readonly finalized: FinalizedBlock; readonly change: StateChange }
    | undefined;
}

/** The refusal while the node fetches a snapshot: without a state no transaction can be checked. */
const NO_STATE = 'this node has no state yet: broadcast it again later';
const NO_BYTES = new Uint8Array(0);

/**
 * The last block's time where the store does not record it: CheckTx then refuses no transfer as too late. CheckTx is advice, and the next
 * block brings its time.
 */
const TIME_UNKNOWN = 0n;

function ledgerOf(state: LedgerState, verifySignatures: VerifySignatures | undefined): Ledger {
  return {
    state,
    check: new CheckState(state, { height: state.height, timeNs: TIME_UNKNOWN }),
    verified: new VerifiedTransactions(state.chain, VERIFIED_ENTRIES_MAX, verifySignatures),
    waiting: new WaitingTransactions(),
    codes: new RecentCodes(),
    committed: { height: state.height, appHash: state.appHash },
    proposed: undefined,
    pending: undefined,
  };
}

/** A block is executed once in this process, even where it was proposed before: choosing and checking it have executed it. */
function executedBlock(
  { state, verified, proposed }: Ledger,
  txs: readonly Uint8Array[],
  block: BlockContext,
): FinalizedBlock {
  return proposed?.isOf(txs, block) === true
    ? proposed.finalized
    : finalizeBlock(state, txs, block, { read: verified.read });
}

/** The context of the block that a request is about. CometBFT always sends a time (proto/tendermint/abci/types.proto, v0.38). */
function contextOf({
  height,
  time,
  misbehavior,
}: {
  height: bigint;
  time?: Timestamp | undefined;
  misbehavior: readonly Misbehavior[];
}): BlockContext {
  if (time === undefined) throw new AbciRefusal(`the request for block ${height} has no time`);
  return {
    height: Number(height),
    timeNs: joinNs(time.seconds, time.nanos),
    ...(misbehavior.length > 0 && { misbehavior: misbehaviorOf(misbehavior) }),
  };
}

function answerCodes({ codes, committed }: Ledger, height: number): AbciQueryAnswer {
  const answer = codes.get(height);
  if (answer === undefined)
    return refuseQuery(
      committed.height,
      'height_not_available',
      `the codes of block ${height} are not kept: ask for its block_results`,
    );
  return { code: 0, codespace: '', log: '', key: NO_BYTES, value: Buffer.from(answer), ops: undefined, height };
}

/**
 * Orders candidates by turns of their accounts, where they are more than a block takes: the node's order is that of arrival, in which
 * one account's thousands come before another's one.
 */
function accountsByTurns(candidates: readonly VerifiedTransaction[]): readonly VerifiedTransaction[] {
  if (candidates.length <= BLOCK_TRANSACTIONS_MAX) return candidates;
  const order = new FairOrder();
  for (const transaction of candidates)
    if (transaction.tx.kind === 'transfer') order.add({ transaction, owner: NO_OWNER });
  return [
    ...candidates.filter(({ tx }) => tx.kind !== 'transfer'),
    ...Array.from(order.values(), ({ transaction }) => transaction),
  ];
}

export class Application {
  readonly #parts: ApplicationParts;
  readonly #taker: SnapshotTaker;
  readonly #restore: SnapshotRestore;
  readonly #progress: ReplayProgress | undefined;
  #ledger: Ledger | undefined;

  /** Loads the stored state. Throws EngineStartError when it is damaged. */
  constructor(parts: ApplicationParts) {
    this.#parts = parts;
    const { store, snapshots, snapshotIntervalBlocks: intervalBlocks, chainId, later, logger } = parts;
    this.#taker = new SnapshotTaker({ snapshots, intervalBlocks, reader: () => store.reader(), later, logger });
    this.#restore = new SnapshotRestore({ chainId, snapshots, logger, onRestored: (state) => this.#replace(state) });
    this.#progress = parts.clock && new ReplayProgress(parts.clock, logger);
    const state = loadState(store, chainId);
    if (state) this.#ledger = ledgerOf(state, parts.verifySignatures);
  }

  /** Height of the last committed block; 0 before the first. */
  get height(): number {
    return this.#ledger?.committed.height ?? 0;
  }

  get accounts(): number {
    return this.#ledger?.state.accountCount ?? 0;
  }

  info(): ResponseInfo {
    return {
      data: APPLICATION_NAME,
      version: APPLICATION_VERSION,
      appVersion: BigInt(APP_PROTOCOL_VERSION),
      lastBlockHeight: BigInt(this.height),
      // At height 0 the node reads genesis and ignores the hash of this answer.
      lastBlockAppHash: this.height === 0 ? NO_BYTES : (this.#ledger?.committed.appHash ?? NO_BYTES),
    };
  }

  /** Also when genesis was read before and no block followed it: the node then starts at genesis again. */
  initChain(request: RequestInitChain): ResponseInitChain {
    if (this.height > 0) {
      throw new AbciRefusal(
        `InitChain, but this application is at height ${this.height} of ${this.#ledger?.state.chain.chainId}: the node lost its data, or is ` +
          "another chain's. Give it its data back, or let both start empty",
      );
    }
    const genesis = genesisOf(request);
    const { chainId } = this.#parts;
    if (chainId !== undefined && chainId !== genesis.chainId) {
      throw new AbciRefusal(`the genesis is of chain ${genesis.chainId}, but TXLEDGER_CHAIN_ID is ${chainId}`);
    }
    const state = LedgerState.fromGenesis(genesis);
    const { chain, height, appHash } = state;
    this.#replace({ chain, height, appHash, governance: state.governance(), accounts: state.leaves() });
    this.#parts.logger.info(
      { chainId: genesis.chainId, accounts: genesis.accounts.length },
      'initialised from genesis',
    );
    // No validators: those of genesis stay.
    return { validators: [], appHash };
  }

  query({ path, data, height, prove }: RequestQuery): ResponseQuery {
    const ledger = this.#ledger;
    if (!ledger) return queryMessage(refuseQuery(0, 'height_not_available', 'this node has no state yet'));
    if (path === BLOCK_CODES_PATH) return queryMessage(answerCodes(ledger, Number(height)));
    const judge: JudgeTransaction = (raw) => {
      const read = ledger.verified.read(raw);
      const result = read.ok ? ledger.check.peek(read.verified) : read;
      return result.ok ? { code: CODES.ok, log: '' } : result.refusal;
    };
    return queryMessage(answerAbciQuery(ledger.state, ledger.committed.height, { path, data, height, prove }, judge));
  }

  /** Verifies the transactions of these requests on other threads; undefined when there is nothing to wait for. No answer depends on it. */
  verifyAhead(requests: readonly Request[]): Promise<void> | undefined {
    const raws = requests.flatMap(({ checkTx, prepareProposal, processProposal, finalizeBlock }) =>
      checkTx ? [checkTx.tx] : (prepareProposal?.txs ?? processProposal?.txs ?? finalizeBlock?.txs ?? []),
    );
    return this.#ledger?.verified.ahead(raws);
  }

  checkTx({ tx, type }: RequestCheckTx): ResponseCheckTx {
    const ledger = this.#ledger;
    if (!ledger) return checkMessage({ code: CODES.check_full, log: NO_STATE });
    const { check, waiting, committed } = ledger;
    const read = ledger.verified.read(tx);
    if (!read.ok) return checkMessage(read.refusal);
    const { hash } = read.verified;
    const recheck = type === CheckTxType.RECHECK;
    const result = recheck
      ? check.recheck(read.verified, waiting.blocks(hash, committed.height))
      : check.check(read.verified);
    if (!result.ok) waiting.left(hash);
    else if (!recheck) waiting.arrived(hash, committed.height);
    return checkMessage(result.ok ? undefined : result.refusal);
  }

  prepareProposal({ txs, maxTxBytes, height, time, misbehavior }: RequestPrepareProposal): ResponsePrepareProposal {
    const ledger = this.#at(height, 'PrepareProposal');
    const block = contextOf({ height, time, misbehavior });
    const candidates = txs.map(ledger.verified.read).flatMap((read) => (read.ok ? [read.verified] : []));
    const { transactions, finalized } = prepareAndFinalize(
      ledger.state,
      accountsByTurns(candidates),
      block,
      blockLimits(maxTxBytes),
    );
    const chosen = transactions.map(({ raw }) => raw);
    ledger.proposed = new ProposedBlock(chosen, block, finalized);
    return { txs: chosen };
  }

  processProposal({
    txs,
    height,
    time,
    misbehavior,
    proposerAddress,
  }: RequestProcessProposal): ResponseProcessProposal {
    const ledger = this.#at(height, 'ProcessProposal');
    const block = contextOf({ height, time, misbehavior });
    // What this node proposed or accepted before is valid again.
    if (ledger.proposed?.isOf(txs, block) === true) return { status: ProposalStatus.ACCEPT };
    const judged = processBlock(ledger.state, txs, block, { ...blockLimits(), read: ledger.verified.read });
    if (judged.ok) {
      ledger.proposed = new ProposedBlock(
        txs.map((raw) => Buffer.from(raw)),
        block,
        judged.finalized,
      );
      return { status: ProposalStatus.ACCEPT };
    }
    const proposer = Buffer.from(proposerAddress).toString('hex').toUpperCase();
    this.#parts.logger.warn(
      { height: Number(height), proposer, index: judged.index, reason: judged.refusal.log },
      'a proposal is refused',
    );
    return { status: ProposalStatus.REJECT };
  }

  finalizeBlock({ txs, height, time, misbehavior }: RequestFinalizeBlock): ResponseFinalizeBlock {
    const ledger = this.#at(height, 'FinalizeBlock');
    const context = contextOf({ height, time, misbehavior });
    const block = executedBlock(ledger, txs, context);
    if (block.events.length > 0)
      this.#parts.logger.warn(
        { height: context.height, misbehavior: context.misbehavior },
        'evidence costs a validator its power',
      );
    const { appHash, accounts, governance } = ledger.state.commit(block);
    ledger.pending = { context, finalized: block, change: { height: context.height, appHash, accounts, governance } };
    return {
      events: block.events.map(eventMessage),
      txResults: block.results.map(resultMessage),
      validatorUpdates: block.validatorUpdates.map(validatorMessage),
      appHash,
    };
  }

  commit(): ResponseCommit {
    const ledger = this.#ledger;
    if (!ledger?.pending) throw new AbciRefusal(`Commit without FinalizeBlock, at height ${this.height}`);
    const { context, finalized, change } = ledger.pending;
    const { height, appHash, accounts } = change;
    this.#parts.store.commit(change);
    ledger.pending = undefined;
    ledger.proposed = undefined;
    ledger.committed = { height, appHash };
    // A node announces a block after this answer, so a gateway that receives the announcement can read the block's codes here.
    ledger.codes.add({ height, appHash, finalized });
    // Before any recheck, which the node requests after this answer.
    ledger.check.reset(ledger.state, context);
    ledger.waiting.prune(height);
    this.#progress?.committed(height, finalized.results.length);
    this.#taker.committed(height);
    this.#parts.store.maintain(accounts.length === 0);
    return { retainHeight: BigInt(this.#parts.retainHeight?.(height, ledger.state.chain.chainId) ?? 0) };
  }

  listSnapshots(): ResponseListSnapshots {
    return { snapshots: this.#parts.snapshots.list().map((info) => ({ ...info, height: BigInt(info.height) })) };
  }

  offerSnapshot(request: RequestOfferSnapshot): ResponseOfferSnapshot {
    return { result: this.#restore.offer(request, this.height === 0) };
  }

  loadSnapshotChunk({ height, format, chunk }: RequestLoadSnapshotChunk): ResponseLoadSnapshotChunk {
    // Empty bytes mean that this node does not have the chunk.
    return { chunk: this.#parts.snapshots.chunk(Number(height), format, chunk) ?? NO_BYTES };
  }

  applySnapshotChunk({ index, chunk, sender }: RequestApplySnapshotChunk): ResponseApplySnapshotChunk {
    return this.#restore.apply(index, chunk, sender);
  }

  /** Abandons the snapshot in progress. The caller closes the stores. */
  close(): void {
    this.#taker.close();
  }

  /** The committed ledger, for a request about the block after it. */
  #at(height: bigint, request: string): Ledger {
    if (this.#ledger?.pending) this.#forgetPending();
    const ledger = this.#ledger;
    if (!ledger)
      throw new AbciRefusal(`${request} of height ${height}, but this application has no state: InitChain comes first`);
    if (height !== BigInt(ledger.committed.height + 1)) {
      throw new AbciRefusal(
        `${request} of height ${height}, but this application is at height ${ledger.committed.height}`,
      );
    }
    return ledger;
  }

  /** Returns to the last commit after a block that was executed and never committed because the node died. */
  #forgetPending(): void {
    const state = loadState(this.#parts.store, this.#parts.chainId);
    if (!state) throw new Error('the store lost its state');
    this.#parts.logger.info(
      { height: state.height },
      'read the committed state again: the node asks again for a block that was not committed',
    );
    this.#ledger = ledgerOf(state, this.#parts.verifySignatures);
  }

  #replace(stored: StoredState): void {
    const { store, chainId } = this.#parts;
    store.replace(stored);
    const state = loadState(store, chainId);
    if (!state) throw new Error('the store lost its state');
    this.#ledger = ledgerOf(state, this.#parts.verifySignatures);
  }
}
