/**
 * The ledger service above an engine on its own thread: accepts, cancels, dispatches and settles, as the one writer of the log.
 *
 * It keeps in memory what the checks need. Nothing follows the chain here: the engine calls `settle` before it appends the entry of a
 * block, and `applied` after it. Another thread writes chain.db from the log.
 */
import type { ExecutedTransactions, LocalEngine } from '../../engine/port.ts';
import type { Clock, Logger, StoreFigures, Tracer } from '../../engine/ports.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import type { EntryWrite } from '../../store/embedded/access-entry.ts';
import type { ChainReader } from '../../store/embedded/reader.ts';
import type { LedgerLog } from '../../store/embedded/ledger-log.ts';
import type { StoredTransfer } from '../../store/index.ts';
import { StoreUnavailableError } from '../../store/errors.ts';
import { type AccessAtOnce, type AdminChange, decideAtOnce } from '../access/changes.ts';
import type { JudgeLimits } from '../accept/judge.ts';
import { actorOfGateway } from '../audit/entries.ts';
import { GovernanceSubmissions } from '../audit/governance-submissions.ts';
import { chainFacts } from '../chain-facts.ts';
import { checkedSubmission } from '../check.ts';
import type { CoreMetrics, GatewayCoreApi, Submission } from '../core-api.ts';
import { Counts } from '../counts.ts';
import { CancelSigner } from '../dispatch/cancel-bytes.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { Schedule } from '../dispatch/schedule.ts';
import { FollowerHeights } from '../follower-heights.ts';
import type { GapOf } from '../gaps.ts';
import { Health } from '../health.ts';
import type { Judged } from '../intake.ts';
import { Intake } from '../intake.ts';
import { Lifecycle } from '../lifecycle.ts';
import type { GatewayLimits } from '../limits.ts';
import { GATEWAY_LIMITS_DEFAULT, STORE_FAULT_MS } from '../limits.ts';
import { readReceipt } from '../receipt.ts';
import { recordOf } from '../records.ts';
import type { BroadcastParts } from '../rpc/broadcast.ts';
import { broadcastSignedCancel, callRpc } from '../rpc/broadcast.ts';
import { refuseStoreFault, worthRetrying } from '../store-faults.ts';
import { TransferTraces } from '../transfer-traces.ts';
import type { Refusal, TransactionRecord } from '../types.ts';
import { Uptime } from '../uptime.ts';
import { Waiters } from '../waiters.ts';
import { Acceptance } from './acceptance.ts';
import { Cancelling } from './cancelling.ts';
import { CurrentAccess } from './current-access.ts';
import type { LiveTransfer } from './live-transfers.ts';
import { LiveTransfers } from './live-transfers.ts';
import { loadPending } from './load.ts';
import type { EmbeddedReads } from './reads.ts';
import { type ChainIndex, SettledTransfers } from './settled.ts';
import { type SettledBlock, settleBlock } from './settlement.ts';

const MS_PER_S = 1000;
/** Submissions wait for chain.db while it does not have this many settled transfers, about 20 MB. */
const BEHIND_TRANSFERS_MAX = 20_000;

export interface EmbeddedCoreOptions {
  engine: LocalEngine;
  log: LedgerLog;
  index: ChainIndex;
  /** Reads on this thread, for what is no longer in its memory. */
  reader: ChainReader;
  reads: EmbeddedReads;
  /** Rows of tokens and bindings. */
  access: AccessAtOnce;
  genesis: GenesisDocument;
  /** 32 bytes; the key that signs cancels. */
  operatorSeed: Uint8Array;
  clock: Clock;
  logger: Logger;
  /** Called once when the process has to end because the outcome of a commit is unknown. */
  onFatal: (error: Error) => void;
  limits?: Partial<GatewayLimits>;
  /** Names this process in the audit trail. */
  gatewayId: string;
  /** Durations of the database's calls. */
  storeFigures?: () => StoreFigures;
  /** Threads that submit; 1 when absent. */
  fronts?: number;
  tracer?: Tracer | undefined;
}

export class EmbeddedCore implements GatewayCoreApi {
  readonly #options: EmbeddedCoreOptions;
  readonly #limits: GatewayLimits & JudgeLimits;
  readonly #actor: string;
  readonly #live = new LiveTransfers();
  readonly #schedule: Schedule;
  readonly #cancels: CancelSigner;
  readonly #dispatcher: Dispatcher;
  readonly #waiters: Waiters;
  readonly #heights: FollowerHeights;
  readonly #counts = new Counts();
  readonly #uptime: Uptime;
  readonly #lifecycle: Lifecycle;
  readonly #health: Health;
  readonly #acceptance: Acceptance;
  readonly #intake: Intake;
  readonly #cancelling: Cancelling;
  readonly #broadcasts: BroadcastParts;
  readonly #traces: TransferTraces | undefined;
  readonly #settled: SettledTransfers;
  readonly #access: CurrentAccess;
  /** Effects of the block whose transaction is under way. */
  #settling: ({ startedMs: number; block: ExecutedTransactions } & SettledBlock) | undefined;

  /** Reads what is pending. No block may be made between the engine's start and this. */
  constructor(options: EmbeddedCoreOptions) {
    const { engine, log, reader, genesis, clock, logger } = options;
    const chain = {
      chainId: genesis.chainId,
      addressPrefix: genesis.addressPrefix,
      openingMinimum: genesis.openingMinimum,
      currency: genesis.currency,
    };
    this.#options = options;
    this.#traces = options.tracer && new TransferTraces(options.tracer, clock);
    this.#actor = actorOfGateway(options.gatewayId);
    this.#limits = { ...GATEWAY_LIMITS_DEFAULT, ...options.limits };
    this.#schedule = new Schedule(this.#live.pending);
    this.#cancels = new CancelSigner(chain, options.operatorSeed);
    this.#dispatcher = new Dispatcher({
      engine,
      schedule: this.#schedule,
      chain,
      cancels: this.#cancels,
      clock,
      logger,
      isLocal: true,
      onFirstBroadcast: (seqs) => this.#broadcastFirst(seqs),
    });
    this.#waiters = new Waiters(clock);
    this.#heights = new FollowerHeights(clock, engine.tip.height);
    this.#uptime = new Uptime(clock, reader.progress().uptimeMs);
    this.#settled = new SettledTransfers(reader, options.index);
    this.#access = new CurrentAccess(options.access, options.index);
    this.#lifecycle = new Lifecycle(logger, {
      onFatal: options.onFatal,
      onFault: () => this.#dispatcher.stop(),
      onUnknown: () => undefined,
    });
    this.#acceptance = new Acceptance(
      {
        engine,
        chain,
        limits: this.#limits,
        live: this.#live,
        log,
        settled: this.#settled,
        bindings: (addresses) => this.#access.bindings(addresses),
        moment: () => ({ nowMs: clock.nowMs(), believedMs: engine.clockMs, uptimeMs: this.#uptime.nowMs() }),
      },
      loadPending(this.#live, { engine, reader }),
    );
    this.#intake = new Intake({
      lifecycle: this.#lifecycle,
      counts: this.#counts,
      clock,
      logger,
      accept: (group) => this.#accept(group),
      fronts: options.fronts,
      traces: this.#traces,
    });
    this.#cancelling = new Cancelling({
      lifecycle: this.#lifecycle,
      waiters: this.#waiters,
      live: this.#live,
      log,
      bindings: (addresses) => this.#access.bindings(addresses),
      settledByHash: (hash) => this.#settled.byHash(hash),
      nowMs: () => clock.nowMs(),
      recordOf: (transfer) => this.#record(transfer),
      onRequested: (requested) => {
        for (const { entry } of requested) this.#cancelRequested(entry.transfer.seq);
        this.#dispatcher.kick();
      },
      broadcastSigned: (raw, principal) => broadcastSignedCancel(this.#broadcasts, raw, principal),
      traces: this.#traces,
    });
    this.#health = new Health({
      engine,
      clock,
      probeStore: async () => this.#probeStore(),
      groupFailedAtMs: () => this.#counts.groupFailedAtMs,
      storeFaultMs: STORE_FAULT_MS,
      followerHeight: () => engine.tip.height,
      followerFault: () => this.#lifecycle.fault,
      accepting: () => this.#lifecycle.accepting,
      lagMs: () => this.#settled.behindMs(clock.monotonicMs()),
    });
    const governance = new GovernanceSubmissions({
      actor: this.#actor,
      clock,
      logger,
      lifecycle: this.#lifecycle,
      append: (entries) => this.#writeAccess([['appendAudit', entries]]),
    });
    this.#broadcasts = {
      engine,
      lifecycle: this.#lifecycle,
      clock,
      logger,
      heights: this.#heights,
      submit: this.submitGroup,
      mayActFor: this.mayActFor,
      onTaken: (...taken) => governance.record(...taken),
    };
    this.#warnUnlessCanceller();
    this.#schedule.reset();
    this.#dispatcher.start();
    this.#expectEnd();
  }

  /** Called before the entry of an executed block is appended. When it throws, the process has to end. */
  settle(block: ExecutedTransactions): void {
    // A group whose commit may have been made is in the journal and not in memory: this block would remove it.
    if (this.#lifecycle.fault !== undefined)
      throw new Error(`no block is written after this: ${this.#lifecycle.fault}`);
    const { log } = this.#options;
    const startedMs = this.#traces?.nowMs() ?? 0;
    const settled = settleBlock(
      {
        live: this.#live,
        log,
        actor: this.#actor,
        pendingTtlMs: this.#limits.pendingTtlMs,
        uptimeMs: () => this.#uptime.nowMs(),
        takeSeq: () => this.#acceptance.takeSeq(),
      },
      block,
    );
    this.#settling = { startedMs, block, ...settled };
  }

  /** The block is durable: memory continues from it, and waiting callers are answered. */
  applied(): void {
    if (this.#settling === undefined) throw new Error('a block was applied that was not settled');
    const { startedMs, block, settled, expiring, seen } = this.#settling;
    this.#settling = undefined;
    this.#settled.add({ height: block.height, atMs: this.#options.clock.monotonicMs(), settled, seen });
    for (const { leaf, account } of block.accounts) {
      this.#live.accountMoved(leaf, account);
      this.#schedule.accountMoved(leaf);
    }
    for (const { entry } of expiring) this.#cancelRequested(entry.transfer.seq);
    for (const { entry } of settled) {
      if (entry.transfer.status !== 'pending') this.#counts.settled[entry.transfer.status] += 1;
      this.#waiters.settled(entry.transfer.hash);
    }
    if (this.#traces !== undefined) traceBlock(this.#traces, { ...block, startedMs }, settled);
    this.#heights.reached(block.height);
    this.#expectEnd();
    if (block.governance !== undefined) this.#warnUnlessCanceller();
    this.#dispatcher.kick();
  }

  /** A block could not be written: memory may be ahead of the disk, so nothing is answered from it from now on. The process has to end. */
  failed(): void {
    this.#lifecycle.fail('a block could not be written');
    this.#waiters.close();
  }

  submitGroup: GatewayCoreApi['submitGroup'] = async (submissions) => {
    if (this.#settled.behind() > BEHIND_TRANSFERS_MAX) {
      const refusal = await this.#refusingStoreFaults(() => this.#options.index.caughtUp());
      if (refusal !== undefined) return submissions.map(() => refusal);
    }
    return await this.#intake.submit(submissions);
  };

  mayActFor: GatewayCoreApi['mayActFor'] = (address, owner) =>
    this.#refusingStoreFaults(() => {
      const [binding] = this.#access.bindings([address]);
      return binding === undefined || binding.owner === owner;
    });

  waitUntilSettled: GatewayCoreApi['waitUntilSettled'] = async (txHash, wait) => {
    const live = this.#live.byHash(txHash);
    if (live === undefined) return this.#recordByHash(txHash);
    await this.#waiters.wait(wait.id, live.entry.transfer.hash, wait.ms);
    // While a block is held back, memory already has what it decided, and no caller may see that yet.
    if (this.#lifecycle.fault !== undefined || this.#options.log.held !== undefined) return undefined;
    return this.#record(live.entry.transfer);
  };

  endWait: GatewayCoreApi['endWait'] = async (id) => this.#waiters.end(id);

  cancel: GatewayCoreApi['cancel'] = async (txHash, principal, wait, signed) => {
    const stopped = this.#lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    return await this.#refusingStoreFaults(() => this.#cancelling.cancel(txHash, principal, wait, signed));
  };

  list: GatewayCoreApi['list'] = async (query) => (await this.#reads()).list(query);

  get: GatewayCoreApi['get'] = async (txHash) => (await this.#reads()).get(txHash);

  account: GatewayCoreApi['account'] = async (address) => (await this.#reads()).account(address);

  accounts: GatewayCoreApi['accounts'] = async (addresses) => (await this.#reads()).accounts(addresses);

  events: GatewayCoreApi['events'] = async (query) => (await this.#reads()).events(query);

  /** Once chain.db has caught up, it equals memory until this thread's next turn, so the check and the account are of one moment. */
  check: GatewayCoreApi['check'] = async (submission) => {
    const stopped = this.#lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    return await this.#refusingStoreFaults(async () => {
      const account = (await this.#reads()).account(submission.from);
      this.#options.log.assertNotHeld();
      return account.ok
        ? checkedSubmission(submission, this.#acceptance.judge(submission), account, this.#gapOf)
        : account;
    });
  };

  receipt: GatewayCoreApi['receipt'] = (height, txHash, waitMs) => {
    const { engine, clock } = this.#options;
    return readReceipt({ engine, heights: this.#heights, clock }, height, txHash, waitMs);
  };

  chain: GatewayCoreApi['chain'] = async () => {
    const { engine, genesis } = this.#options;
    const { blockIntervalMs, idleBlockMs } = await engine.status();
    const { height, timeMs } = engine.tip;
    const { chainId, addressPrefix } = genesis;
    return {
      chainId,
      addressPrefix,
      height,
      lastBlockTimeMs: timeMs,
      blockIntervalMs,
      idleBlockIntervalMs: idleBlockMs,
      ...chainFacts(genesis),
    };
  };

  rpc: GatewayCoreApi['rpc'] = (method, args, caller) => callRpc(this.#broadcasts, method, args, caller);

  rpcEvents: GatewayCoreApi['rpcEvents'] = (request) => this.#options.engine.events(request);

  waitForHeight: GatewayCoreApi['waitForHeight'] = (height, timeoutMs) =>
    this.#options.engine.waitForHeight(height, timeoutMs);

  /** A caller that reads its events waits for chain.db. */
  waitForBlock: GatewayCoreApi['waitForBlock'] = this.waitForHeight;

  token: GatewayCoreApi['token'] = (id) => this.#refusingStoreFaults(() => this.#access.token(id));

  tokensUsed: GatewayCoreApi['tokensUsed'] = async (uses) => {
    try {
      this.#writeAccess([['markTokensUsed', uses]]);
    } catch (error) {
      // The time is to the minute and for people only; the next use is written again.
      this.#options.logger.warn({ err: error, tokens: uses.length }, 'when tokens were used could not be written');
    }
  };

  /** One change of tokens or bindings: one entry of the log. */
  changeAccess = async <T>(change: AdminChange<T>): Promise<T | Refusal> => {
    const stopped = this.#lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    return await this.#refusingStoreFaults(() => {
      const { result, writes } = decideAtOnce(this.#access, change);
      this.#writeAccess(writes);
      return result;
    });
  };

  /**
   * Makes changes of webhooks, with their lines of the audit trail, durable. The caller decides by rows that include every earlier change.
   * Throws as `Store.write` does.
   */
  changeWebhooks = (writes: readonly EntryWrite[]): void => {
    const stopped = this.#lifecycle.refusal();
    if (stopped !== undefined) throw new StoreUnavailableError(stopped.detail);
    this.#writeAccess(writes);
  };

  /**
   * Resolves when chain.db has every change of access and webhooks that the log had at this call. Rejects with StoreUnavailableError when
   * that takes too long.
   */
  accessCaughtUp = (): Promise<void> => this.#options.index.accessCaughtUp(this.#access.lastSeq);

  appendAudit: GatewayCoreApi['appendAudit'] = async (entries) => this.#writeAccess([['appendAudit', entries]]);

  readiness: GatewayCoreApi['readiness'] = () => this.#health.readiness();

  metrics: GatewayCoreApi['metrics'] = async (): Promise<CoreMetrics> => {
    const { engine, storeFigures } = this.#options;
    const { tip } = engine;
    return {
      ...(storeFigures && { store: storeFigures() }),
      pending: this.#live.size,
      cancel_outbox: this.#live.pending.cancelsRequested,
      index_behind_transfers: this.#settled.behind(),
      active: this.#lifecycle.fault === undefined ? 1 : 0,
      ...this.#counts.metrics(),
      broadcast_total: this.#dispatcher.broadcasts,
      senders_held_up: this.#live.pending.heldUpCount,
      settlement_stalled_seconds: 0,
      follower_height: tip.height,
      follower_block_time_ms: tip.timeMs,
    };
  };

  endWaits: GatewayCoreApi['endWaits'] = async () => {
    this.#waiters.close();
    this.#heights.close();
  };

  drain: GatewayCoreApi['drain'] = async () => {
    this.#lifecycle.stopAccepting();
    await this.#intake.idle();
    await this.#cancelling.idle();
  };

  /** The owners of the engine and the database close them. */
  close: GatewayCoreApi['close'] = async () => {
    await this.endWaits();
    await this.drain();
    this.#dispatcher.stop();
  };

  /** Makes a block due for a transfer that no later block can execute, so that it ends on an idle chain too. */
  #expectEnd(): void {
    const validUntil = this.#live.earliestValidUntil();
    const ends = [validUntil === undefined ? Infinity : validUntil * MS_PER_S, this.#earliestTtlEndMs() ?? Infinity];
    const end = Math.min(...ends);
    this.#options.engine.expectTime(end === Infinity ? undefined : end);
  }

  /** Wall clock, when the time to live of the oldest transfer is over by both measures: block time, which is never later than uptime's. */
  #earliestTtlEndMs(): number | undefined {
    const oldest = this.#live.oldestWaiting();
    if (oldest === undefined) return undefined;
    const { seenUptimeMs, seenBlockMs } = oldest;
    const byUptime = this.#options.clock.nowMs() + seenUptimeMs + this.#limits.pendingTtlMs - this.#uptime.nowMs();
    // Whole seconds, so that the moment is the same at each call except for calls at the turn of a second.
    return Math.ceil(Math.max(byUptime, seenBlockMs + this.#limits.pendingTtlMs) / MS_PER_S) * MS_PER_S;
  }

  #accept(group: readonly Submission[]): Judged {
    this.#options.log.assertNotHeld();
    const { judgements, accepted } = this.#acceptance.accept(group);
    for (const { entry } of accepted) this.#schedule.changed(entry);
    if (
      accepted.length > 0 &&
      (this.#live.size === accepted.length || accepted.some(({ entry }) => entry.transfer.validUntil !== undefined))
    )
      this.#expectEnd();
    if (accepted.length > 0) this.#dispatcher.kick();
    return { judgements, gapOf: this.#gapOf };
  }

  #probeStore(): void {
    // A service that stopped reports that itself, and writes nothing from then on.
    if (this.#lifecycle.fault !== undefined) return;
    try {
      this.#options.log.saveUptime(this.#uptime.nowMs());
    } catch (error) {
      this.#lifecycle.watch(error);
      throw error;
    }
  }

  /** Resolves when chain.db has every block. */
  async #reads(): Promise<EmbeddedReads> {
    await this.#options.index.caughtUp();
    return this.#options.reads;
  }

  /** Durable when this returns. Throws as `Store.write` does. */
  #writeAccess(writes: readonly EntryWrite[]): void {
    const { log, index } = this.#options;
    if (writes.length === 0) return;
    try {
      const taken = this.#access.prepare(writes);
      taken(log.changeAccess(writes));
    } catch (error) {
      this.#lifecycle.watch(error);
      throw error;
    }
    index.wake();
  }

  readonly #gapOf: GapOf = ({ fromId }) => this.#live.pending.gapOf(fromId);

  #cancelRequested(seq: number): void {
    const entry = this.#live.pending.requestCancel(seq);
    if (entry !== undefined) this.#schedule.changed(entry);
  }

  /** It is written with the next block: history only. */
  #broadcastFirst(seqs: readonly number[]): void {
    const nowMs = this.#options.clock.nowMs();
    for (const seq of seqs) {
      const live = this.#live.get(seq);
      if (live === undefined) continue;
      live.entry.transfer.broadcastAtMs = nowMs;
      this.#live.changed(live);
    }
  }

  #recordByHash(txHash: string): TransactionRecord | undefined {
    try {
      const transfer = this.#settled.byHash(txHash);
      return transfer && this.#record(transfer);
    } catch (error) {
      // The callers have the acknowledgement already: a store that cannot be read now does not revoke it.
      if (!worthRetrying(error)) throw error;
      this.#options.logger.error({ err: error }, 'the store did not answer');
      return undefined;
    }
  }

  #record(transfer: StoredTransfer): TransactionRecord {
    return recordOf(transfer, this.#gapOf);
  }

  /** Without a canceller's key the chain refuses cancels: a DELETE and the time to live would wait forever. */
  #warnUnlessCanceller(): void {
    const { engine, logger } = this.#options;
    const { address } = this.#cancels;
    if (engine.state.governance().cancellers.includes(address)) return;
    logger.error({ address }, "the operator key is none of the chain's cancellers: no block will take its cancels");
  }

  async #refusingStoreFaults<T>(work: () => T | Promise<T>): Promise<T | Refusal> {
    try {
      return await work();
    } catch (error) {
      return refuseStoreFault(error, this.#options.logger);
    }
  }
}

function traceBlock(
  traces: TransferTraces,
  block: ExecutedTransactions & { startedMs: number },
  settled: readonly LiveTransfer[],
): void {
  const codes = new Map(block.transactions.map(({ hash }, index) => [hash, block.codes[index]]));
  traces.settled(
    block,
    settled.map(({ entry: { transfer } }) => ({
      hash: transfer.hash,
      status: transfer.status,
      code: codes.get(transfer.executedAs ?? transfer.hash),
    })),
  );
}
