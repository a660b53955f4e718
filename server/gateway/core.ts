/**
 * The gateway's core: accepts, dispatches, follows, settles. It runs on the thread that owns the store.
 */
import type { Engine } from '../engine/port.ts';
import type { Clock, Logger } from '../engine/ports.ts';
import type { GenesisDocument } from '../ledger/index.ts';
import type { Store, StoredTransfer } from '../store/index.ts';
import { StoreUnavailableError } from '../store/index.ts';
import { viewAccount } from './account-view.ts';
import { BroadcastMarks } from './broadcast-marks.ts';
import type { GatewayCoreApi, Wait } from './core-api.ts';
import type { CoreState, GatewayLimits } from './core-state.ts';
import { Counts } from './counts.ts';
import { CancelSigner } from './dispatch/cancel-bytes.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { PendingIndex } from './dispatch/pending-index.ts';
import { Schedule } from './dispatch/schedule.ts';
import { Follower } from './follow/follower.ts';
import { FollowerHeights } from './follower-heights.ts';
import { Health } from './health.ts';
import { initialiseStore } from './initialise.ts';
import { Intake } from './intake.ts';
import { Lifecycle } from './lifecycle.ts';
import { PENDING_MAX_DEFAULT, PENDING_PER_OWNER_MAX_DEFAULT, PENDING_TTL_MS_DEFAULT, RETRY_AFTER_S } from './limits.ts';
import { listTransfers } from './list/list-transfers.ts';
import { historyOf, recordOf } from './records.ts';
import { refuse } from './refusals.ts';
import { alreadySettled, requestCancel } from './request-cancel.ts';
import { broadcastRaw, isBroadcastMethod } from './rpc/broadcast.ts';
import { Settler } from './settler.ts';
import type { CancelAnswer, Principal, Refusal, TransactionRecord } from './types.ts';
import { Waiters } from './waiters.ts';
import { WriteLane } from './write-lane.ts';

export interface GatewayCoreOptions {
  store: Store;
  engine: Pick<Engine, 'status' | 'broadcast' | 'blocks' | 'waitForHeight' | 'rpc' | 'events'>;
  genesis: GenesisDocument;
  /** 32 bytes; the key that signs cancels. */
  operatorSeed: Uint8Array;
  clock: Clock;
  logger: Logger;
  /** Called once when the process has to end because the outcome of a commit is unknown. */
  onFatal: (error: Error) => void;
  limits?: Partial<GatewayLimits>;
}

export type GatewayCore = GatewayCoreApi;

/** Until the engine has said how long it waits between blocks. */
const BLOCK_INTERVAL_MS_UNKNOWN = 1000;

/** Throws WrongStoreError when the store belongs to another chain. */
export async function createGatewayCore(options: GatewayCoreOptions): Promise<GatewayCore> {
  const { store, engine, genesis, clock, logger } = options;
  const chain = { chainId: genesis.chainId, addressPrefix: genesis.addressPrefix };
  const first = await initialiseStore(store, genesis);
  const startMs = clock.monotonicMs();

  const pending = new PendingIndex();
  const schedule = new Schedule(pending);
  const cancels = new CancelSigner(chain, options.operatorSeed);
  const marks = new BroadcastMarks(clock, () => void flushMarks(state));
  const onFirstBroadcast = (seqs: readonly number[]): void => marks.add(seqs);
  const dispatcher = new Dispatcher({ engine, schedule, chain, cancels, clock, logger, onFirstBroadcast });
  const state: CoreState = {
    store,
    chain,
    clock,
    logger,
    limits: {
      pendingTtlMs: options.limits?.pendingTtlMs ?? PENDING_TTL_MS_DEFAULT,
      pendingMax: options.limits?.pendingMax ?? PENDING_MAX_DEFAULT,
      pendingPerOwnerMax: options.limits?.pendingPerOwnerMax ?? PENDING_PER_OWNER_MAX_DEFAULT,
    },
    lane: new WriteLane(),
    pending,
    schedule,
    dispatcher,
    waiters: new Waiters(clock),
    heights: new FollowerHeights(clock, first.height),
    marks,
    counts: new Counts(),
    lifecycle: new Lifecycle(logger, options.onFatal),
    follower: first,
    uptimeMs: () => first.uptimeMs + Math.round(clock.monotonicMs() - startMs),
  };
  const checkOperator = (): void => void warnUnlessOperator(state, cancels.address);
  const settler = new Settler(state, checkOperator);
  await settler.reload();
  checkOperator();
  const follower = new Follower({
    engine,
    clock,
    logger,
    height: state.follower.height,
    apply: (block) => settler.apply(block),
    onFault: (detail) => {
      state.lifecycle.fail(detail);
      dispatcher.stop();
    },
  });
  const health = new Health({
    engine,
    clock,
    probeStore: () => state.lane.run(() => store.write((tx) => tx.saveUptime(state.uptimeMs()))),
    groupFailedAtMs: () => state.counts.groupFailedAtMs,
    followerHeight: () => state.follower.height,
    followerFault: () => state.lifecycle.fault ?? follower.engineFault,
    accepting: () => state.lifecycle.accepting,
  });
  follower.start();
  return new Core(state, follower, health, genesis.hash, engine);
}

class Core implements GatewayCoreApi {
  readonly #state: CoreState;
  readonly #follower: Follower;
  readonly #health: Health;
  readonly #intake: Intake;
  readonly #genesisHash: string;
  readonly #engine: GatewayCoreOptions['engine'];

  constructor(state: CoreState, follower: Follower, health: Health, genesisHash: string, engine: GatewayCoreOptions['engine']) {
    this.#state = state;
    this.#follower = follower;
    this.#health = health;
    this.#intake = new Intake(state);
    this.#genesisHash = genesisHash;
    this.#engine = engine;
  }

  submitGroup: GatewayCoreApi['submitGroup'] = (submissions) => this.#intake.submit(submissions);

  mayActFor: GatewayCoreApi['mayActFor'] = (address, owner) =>
    this.#refusingStoreFaults(async () => {
      const [binding] = await this.#state.store.read((tx) => tx.bindings([address]));
      return binding === undefined || binding.owner === owner;
    });

  waitUntilSettled: GatewayCoreApi['waitUntilSettled'] = async (txHash, wait) => {
    // Whoever waits has the acknowledgement already: a store that cannot be read now takes nothing of it back.
    const transfer = await this.#refusingStoreFaults(() => this.#settledOrWaited(txHash, wait));
    return transfer === undefined || 'ok' in transfer ? undefined : this.#record(transfer);
  };

  endWait: GatewayCoreApi['endWait'] = async (id) => this.#state.waiters.end(id);

  cancel: GatewayCoreApi['cancel'] = async (txHash, principal, wait) => {
    const stopped = this.#state.lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    return await this.#refusingStoreFaults(() => this.#cancel(txHash, principal, wait));
  };

  list: GatewayCoreApi['list'] = (query) =>
    this.#refusingStoreFaults(async () => {
      const page = await listTransfers(this.#state.store, this.#state.chain.chainId, query);
      if (!page.ok) return page;
      const transactions = page.transfers.map((transfer) => this.#record(transfer));
      return { ok: true, transactions, ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
    });

  get: GatewayCoreApi['get'] = (txHash) =>
    this.#refusingStoreFaults(async () => {
      const transfer = await this.#find(txHash);
      return transfer === undefined ? undefined : { ...this.#record(transfer), history: historyOf(transfer) };
    });

  account: GatewayCoreApi['account'] = (address) => this.#refusingStoreFaults(() => viewAccount(this.#state.store, address));

  chain: GatewayCoreApi['chain'] = async () => {
    if (this.#health.blockIntervalMs === undefined) await this.#health.engineStatus();
    const { chain, follower } = this.#state;
    return {
      ...chain,
      height: follower.height,
      lastBlockTimeMs: follower.blockTimeMs,
      blockIntervalMs: this.#health.blockIntervalMs ?? BLOCK_INTERVAL_MS_UNKNOWN,
      genesisHash: this.#genesisHash,
    };
  };

  rpc: GatewayCoreApi['rpc'] = async (method, args, owner) => {
    if (!isBroadcastMethod(method)) return await this.#engine.rpc(method, args);
    const stopped = this.#state.lifecycle.refusal();
    if (stopped !== undefined) return { ok: false, status: 503, error: { code: -32603, message: 'Internal error', data: stopped.detail } };
    const { clock, logger, heights } = this.#state;
    const submit: GatewayCoreApi['submitGroup'] = (submissions) => this.#intake.submit(submissions);
    const raw = args.tx instanceof Uint8Array ? args.tx : new Uint8Array(0);
    return await broadcastRaw({ engine: this.#engine, clock, logger, heights, submit }, method, raw, owner);
  };

  rpcEvents: GatewayCoreApi['rpcEvents'] = (fromHeight, limit) => this.#engine.events(fromHeight, limit);

  waitForHeight: GatewayCoreApi['waitForHeight'] = (height, timeoutMs) => this.#engine.waitForHeight(height, timeoutMs);

  token: GatewayCoreApi['token'] = (id) => this.#refusingStoreFaults(() => this.#state.store.read((tx) => tx.token(id)));

  readiness: GatewayCoreApi['readiness'] = () => this.#health.readiness();

  metrics: GatewayCoreApi['metrics'] = async () => {
    const { counts, pending, dispatcher, follower } = this.#state;
    return {
      pending: pending.size,
      accepted_total: counts.accepted,
      replayed_total: counts.replayed,
      refused_total: counts.refused,
      committed_total: counts.settled.committed,
      failed_total: counts.settled.failed,
      cancelled_total: counts.settled.cancelled,
      expired_total: counts.settled.expired,
      broadcast_total: dispatcher.broadcasts,
      group_commits_total: counts.groups,
      group_commit_items_total: counts.groupItems,
      group_commit_size_max: counts.groupSizeMax,
      cancel_outbox: pending.cancelsRequested,
      follower_height: follower.height,
      follower_block_time_ms: follower.blockTimeMs,
    };
  };

  endWaits: GatewayCoreApi['endWaits'] = async () => {
    this.#state.waiters.close();
    this.#state.heights.close();
  };

  drain: GatewayCoreApi['drain'] = async () => {
    this.#state.lifecycle.stopAccepting();
    await this.#intake.idle();
  };

  close: GatewayCoreApi['close'] = async () => {
    await this.endWaits();
    await this.drain();
    this.#follower.stop();
    this.#state.dispatcher.stop();
    await flushMarks(this.#state);
    this.#state.marks.stop();
    await this.#state.lane.idle();
  };

  async #cancel(txHash: string, principal: Principal, wait: Wait): Promise<CancelAnswer | Refusal> {
    const { lane, store, clock, pending, schedule, dispatcher, lifecycle } = this.#state;
    const request = await lane.run(async () => {
      try {
        const answer = await requestCancel(store, txHash, principal, clock.nowMs());
        const entry = answer.kind === 'requested' ? pending.requestCancel(answer.transfer.seq) : undefined;
        if (entry !== undefined) schedule.changed(entry);
        return answer;
      } catch (error) {
        lifecycle.watch(error);
        throw error;
      }
    });
    if (request.kind === 'refused') return request.refusal;
    if (request.kind === 'cancelled') return { ok: true, decided: true, transaction: this.#record(request.transfer) };
    dispatcher.kick();
    const transfer = (await this.#settledOrWaited(request.transfer.hash, wait)) ?? request.transfer;
    if (transfer.status === 'pending') return { ok: true, decided: false, transaction: this.#record(transfer) };
    return transfer.status === 'cancelled' ? { ok: true, decided: true, transaction: this.#record(transfer) } : alreadySettled(transfer);
  }

  /** The transfer as it stands when it is settled or the wait is over. */
  async #settledOrWaited(txHash: string, wait: Wait): Promise<StoredTransfer | undefined> {
    const transfer = await this.#find(txHash);
    if (transfer === undefined || transfer.status !== 'pending' || wait.ms <= 0) return transfer;
    const waiting = this.#state.waiters.wait(wait.id, transfer.hash, wait.ms);
    // A block may have settled it between the first look and the beginning of the wait.
    const now = await this.#find(transfer.hash);
    if (now?.status !== 'pending') {
      this.#state.waiters.end(wait.id);
      return now;
    }
    await waiting;
    return await this.#find(transfer.hash);
  }

  #find(txHash: string): Promise<StoredTransfer | undefined> {
    return this.#state.store.read((tx) => tx.transferByHash(txHash));
  }

  #record(transfer: StoredTransfer): TransactionRecord {
    return recordOf(transfer, this.#state.pending);
  }

  async #refusingStoreFaults<T>(work: () => Promise<T>): Promise<T | Refusal> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.#state.logger.error({ err: error }, 'the store did not answer');
      return refuse('store_unavailable', 'the store did not answer', { retryAfterS: RETRY_AFTER_S });
    }
  }
}

/** Writes down first broadcasts that no block carried. */
async function flushMarks(state: CoreState): Promise<void> {
  await state.lane.run(async () => {
    const seqs = state.marks.take();
    if (seqs.length === 0) return;
    try {
      await state.store.write((tx) => tx.markBroadcast(seqs, state.clock.nowMs()));
    } catch (error) {
      // It is history only, and the next flush carries it; but an unknown outcome still ends the process.
      state.lifecycle.watch(error);
      state.marks.add(seqs);
    }
  });
}

/** Without an operator's key cancels are signed in vain: a DELETE and the time to live would wait for ever. */
async function warnUnlessOperator(state: CoreState, address: string): Promise<void> {
  const governance = await state.store.read((tx) => tx.governance());
  if (governance?.operators.includes(address) === true) return;
  state.logger.error({ address }, 'the operator key is not one of the chain\'s operators: no block will take its cancels');
}
