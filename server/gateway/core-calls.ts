/** Calls of the ledger service: each reads or changes the store, and answers from it. */
import type { Engine } from '../engine/port.ts';
import type { StoreFigures } from '../engine/ports.ts';
import type { StoredTransfer, StorePlace } from '../store/index.ts';
import { transferQuestions } from '../store/transfer-questions.ts';
import { StoreSteppedBackError, StoreUnavailableError } from '../store/errors.ts';
import { checkSubmission } from './accept/accept-group.ts';
import { viewAccount, viewAccounts } from './account-view.ts';
import { momentOf, storeIntake } from './accept/store-intake.ts';
import { GovernanceSubmissions } from './audit/governance-submissions.ts';
import { Cancelling } from './cancelling.ts';
import { type AdminChange, runOn } from './access/changes.ts';
import type { ChainFacts } from './chain-facts.ts';
import type { GatewayCoreApi, Submission, Wait } from './core-api.ts';
import type { CoreState } from './core-state.ts';
import type { Duty } from './duty.ts';
import { gapsOf } from './gaps.ts';
import type { Health } from './health.ts';
import type { Intake } from './intake.ts';
import { WAIT_MS_MAX } from './limits.ts';
import { listEvents } from './list/list-events.ts';
import { listTransfers } from './list/list-transfers.ts';
import { afterLostCancel, lostTransfer } from './lost-transfers.ts';
import { numbersOf } from './numbers.ts';
import { historyOf, recordOf } from './records.ts';
import type { Reflection } from './reflection.ts';
import { readReceipt } from './receipt.ts';
import { settledOtherwise } from './request-cancels.ts';
import type { BroadcastParts } from './rpc/broadcast.ts';
import { broadcastSignedCancel, callRpc } from './rpc/broadcast.ts';
import type { ChainLag } from './sharing/chain-lag.ts';
import type { Changes } from './sharing/changes.ts';
import type { Role } from './sharing/role.ts';
import { refuseStoreFault } from './store-faults.ts';
import { StoreWait } from './store-wait.ts';
import type { CancelAnswer, Principal, Refusal, TransactionRecord } from './types.ts';

export interface CoreParts {
  state: CoreState;
  engine: Pick<Engine, 'rpc' | 'events' | 'receipt' | 'waitForHeight'>;
  facts: ChainFacts;
  health: Health;
  lag: ChainLag;
  reflection: Reflection;
  duty: Duty;
  changes: Changes;
  /** Absent where one gateway has the store for itself. */
  role: Role | undefined;
  storeFigures: (() => StoreFigures) | undefined;
}

/** Used until the engine has reported its interval between blocks. */
const BLOCK_INTERVAL_MS_UNKNOWN = 1000;
const IDLE_BLOCK_MS_UNKNOWN = 10_000;

export class Core implements GatewayCoreApi {
  readonly #parts: CoreParts;
  readonly #state: CoreState;
  readonly #health: Health;
  readonly #intake: Intake;
  readonly #cancelling: Cancelling;
  readonly #engine: CoreParts['engine'];
  readonly #broadcasts: BroadcastParts;
  readonly #storeWait: StoreWait;
  /** The last block that some answer included, which memory may not have yet. */
  #shownHeight = 0;

  constructor(parts: CoreParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#health = parts.health;
    this.#intake = storeIntake(parts.state, parts.reflection);
    this.#cancelling = new Cancelling(parts.state, parts.changes);
    this.#engine = parts.engine;
    this.#storeWait = new StoreWait(parts.state.clock);
    const { store, actor, clock, logger, lifecycle, heights } = parts.state;
    const governance = new GovernanceSubmissions({
      actor,
      clock,
      logger,
      lifecycle,
      append: (entries) => store.write((tx) => tx.appendAudit(entries)),
    });
    this.#broadcasts = {
      engine: parts.engine,
      lifecycle,
      clock,
      logger,
      heights,
      submit: this.submitGroup,
      mayActFor: this.mayActFor,
      onTaken: (...taken) => governance.record(...taken),
    };
  }

  submitGroup: GatewayCoreApi['submitGroup'] = async (submissions) => {
    const answers = await this.#refusingStoreFaults(async () => {
      const outcomes = await this.#storeWait.write(() => this.#intake.submit(submissions));
      return await Promise.all(
        outcomes.map(async (outcome, index) =>
          outcome.ok ? outcome : await this.#orCancelled(submissions[index] as Submission, outcome),
        ),
      );
    });
    return Array.isArray(answers) ? answers : submissions.map(({ txHash }) => ({ ...answers, txHash }));
  };

  mayActFor: GatewayCoreApi['mayActFor'] = (address, owner) =>
    this.#reading(async () => {
      const [binding] = await this.#state.store.now.bindings([address]);
      return binding === undefined || binding.owner === owner;
    });

  waitUntilSettled: GatewayCoreApi['waitUntilSettled'] = async (txHash, wait) => {
    // The callers have the acknowledgement already: a store that cannot be read now does not revoke it.
    const transfer = await this.#refusingStoreFaults(() => this.#settledOrWaited(txHash, wait));
    return transfer === undefined || 'ok' in transfer ? undefined : await this.#record(transfer);
  };

  endWait: GatewayCoreApi['endWait'] = async (id) => this.#state.waiters.end(id);

  cancel: GatewayCoreApi['cancel'] = async (txHash, principal, wait, signed) => {
    const stopped = this.#state.lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    return await this.#refusingStoreFaults(() => this.#cancel(txHash, principal, wait, signed));
  };

  list: GatewayCoreApi['list'] = (query) =>
    this.#reading(async () => {
      const height = this.#height;
      const page = await listTransfers(this.#state.store, this.#state.chain.chainId, query);
      if (!page.ok) return page;
      const gapOf = await gapsOf(this.#state, page.transfers);
      const transactions = page.transfers.map((transfer) => recordOf(transfer, gapOf));
      return {
        ok: true,
        transactions,
        height: this.#reflected(height, transactions),
        ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      };
    });

  get: GatewayCoreApi['get'] = (txHash) =>
    this.#refusingStoreFaults(async () => {
      const height = this.#height;
      const transfer = await this.#find(txHash);
      if (transfer === undefined) return await this.#storeWait.read(() => lostTransfer(this.#state.store.now, txHash));
      // The gateway that broadcast it has the time in memory; the others, and the row, get it with the block.
      const broadcastAtMs = transfer.broadcastAtMs ?? this.#state.pending.get(transfer.seq)?.transfer.broadcastAtMs;
      return {
        ...(await this.#record(transfer)),
        nonce: transfer.nonce,
        history: historyOf({ ...transfer, broadcastAtMs }),
        ledgerHeight: this.#reflected(height, [transfer]),
      };
    });

  check: GatewayCoreApi['check'] = async (submission) => {
    const stopped = this.#state.lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    const { store, chain, limits } = this.#state;
    const moment = momentOf(this.#state);
    return await this.#reading(() => checkSubmission({ store, chain, limits, moment: () => moment }, submission));
  };

  accounts: GatewayCoreApi['accounts'] = (addresses) => this.#showing(() => viewAccounts(this.#state.store, addresses));

  events: GatewayCoreApi['events'] = (query) =>
    this.#showing(() => listEvents(this.#state.store, this.#state.chain.chainId, query));

  account: GatewayCoreApi['account'] = (address) => this.#showing(() => viewAccount(this.#state.store, address));

  receipt: GatewayCoreApi['receipt'] = (height, txHash, waitMs) => {
    const { heights, clock } = this.#state;
    return readReceipt({ engine: this.#engine, heights, clock }, height, txHash, waitMs);
  };

  chain: GatewayCoreApi['chain'] = async () => {
    if (this.#health.intervals === undefined) await this.#health.engineStatus();
    await this.#refreshStanding();
    const { chain, follower } = this.#state;
    return {
      ...chain,
      height: follower.height,
      lastBlockTimeMs: follower.blockTimeMs,
      blockIntervalMs: this.#health.intervals?.blockIntervalMs ?? BLOCK_INTERVAL_MS_UNKNOWN,
      idleBlockIntervalMs: this.#health.intervals?.idleBlockMs ?? IDLE_BLOCK_MS_UNKNOWN,
      ...this.#parts.facts,
    };
  };

  rpc: GatewayCoreApi['rpc'] = (method, args, caller) => callRpc(this.#broadcasts, method, args, caller);

  rpcEvents: GatewayCoreApi['rpcEvents'] = (request) => this.#engine.events(request);

  waitForHeight: GatewayCoreApi['waitForHeight'] = async (height, timeoutMs) => {
    const { heights } = this.#state;
    if (height > this.#height) await heights.wait(height, Math.min(timeoutMs, WAIT_MS_MAX));
    return Math.max(heights.height, this.#height);
  };

  waitForBlock: GatewayCoreApi['waitForBlock'] = (height, timeoutMs) => this.#engine.waitForHeight(height, timeoutMs);

  token: GatewayCoreApi['token'] = (id) => this.#reading(() => this.#state.store.now.token(id));

  tokensUsed: GatewayCoreApi['tokensUsed'] = async (uses) => {
    const { store, lifecycle, logger } = this.#state;
    try {
      await store.write((tx) => tx.markTokensUsed(uses));
    } catch (error) {
      lifecycle.watch(error);
      // The time is to the minute and for people only; the next use is written again.
      logger.warn({ err: error, tokens: uses.length }, 'when tokens were used could not be written');
    }
  };

  /** One change of tokens or bindings, in a transaction of its own. */
  changeAccess = async <T>(change: AdminChange<T>): Promise<T | Refusal> => {
    const { store, lifecycle } = this.#state;
    const stopped = lifecycle.refusal();
    if (stopped !== undefined) return stopped;
    return await this.#refusingStoreFaults(async () => {
      try {
        return await runOn(store)(change);
      } catch (error) {
        lifecycle.watch(error);
        throw error;
      }
    });
  };

  appendAudit: GatewayCoreApi['appendAudit'] = async (entries) => {
    const { store, lifecycle } = this.#state;
    try {
      await store.write((tx) => tx.appendAudit(entries));
    } catch (error) {
      lifecycle.watch(error);
      throw error;
    }
  };

  /** The last applied height, as memory has it. */
  place = (): StorePlace => {
    const { chainId, genesisHash, height, hash } = this.#state.follower;
    return { chainId, genesisHash, height, hash };
  };

  readiness: GatewayCoreApi['readiness'] = () => this.#health.readiness();

  metrics: GatewayCoreApi['metrics'] = async () => {
    await this.#refreshStanding();
    const { lag, storeFigures } = this.#parts;
    return { ...(await numbersOf(this.#state, lag)), ...(storeFigures && { store: storeFigures() }) };
  };

  endWaits: GatewayCoreApi['endWaits'] = async () => {
    this.#state.waiters.close();
    this.#state.heights.close();
  };

  drain: GatewayCoreApi['drain'] = async () => {
    this.#state.lifecycle.stopAccepting();
    await this.#intake.idle();
    await this.#cancelling.idle();
    // Another gateway may take over while this one still answers.
    await this.#parts.role?.stop();
  };

  close: GatewayCoreApi['close'] = async () => {
    const { duty, changes, lag, state } = this.#parts;
    await this.endWaits();
    await this.drain();
    changes.stop();
    lag.stop();
    duty.layDown();
    await state.lane.idle();
  };

  async #cancel(
    txHash: string,
    principal: Principal,
    wait: Wait,
    signed: Uint8Array | undefined,
  ): Promise<CancelAnswer | Refusal> {
    const { waiters } = this.#state;
    // The wait begins before the request: so no block can settle the transfer unnoticed in between.
    const settled = waiters.wait(wait.id, txHash, wait.ms);
    try {
      const judgement = await this.#storeWait.write(() =>
        this.#cancelling.request({ txHash, principal, isSigned: signed !== undefined }),
      );
      if (judgement.kind === 'refused') {
        const { refusal } = judgement;
        return refusal.code === 'not_found'
          ? ((await this.#storeWait.read(() => lostTransfer(this.#state.store.now, txHash))) ?? refusal)
          : refusal;
      }
      if (judgement.kind === 'cancelled')
        return { ok: true, decided: true, transaction: await this.#record(judgement.transfer) };
      if (signed !== undefined) broadcastSignedCancel(this.#broadcasts, signed, principal);
      if (wait.trace !== undefined) this.#state.traces?.follow(judgement.transfer.hash, wait.trace);
      await settled;
      const transfer = wait.ms > 0 ? ((await this.#find(txHash)) ?? judgement.transfer) : judgement.transfer;
      return (
        settledOtherwise(transfer) ?? {
          ok: true,
          decided: transfer.status === 'cancelled',
          transaction: await this.#record(transfer),
        }
      );
    } finally {
      waiters.end(wait.id);
    }
  }

  /** A refusal, unless what is submitted was cancelled and its row lost. */
  #orCancelled(submission: Submission, refusal: Refusal): Promise<Refusal> {
    return this.#storeWait.read(() => afterLostCancel(this.#state.store.now, submission, refusal));
  }

  /** The transfer as it is when it is settled or the wait is over. */
  async #settledOrWaited(txHash: string, wait: Wait): Promise<StoredTransfer | undefined> {
    const transfer = await this.#find(txHash);
    if (transfer === undefined || transfer.status !== 'pending' || wait.ms <= 0) return transfer;
    const waiting = this.#state.waiters.wait(wait.id, transfer.hash, wait.ms);
    // A block may have settled it between the first read and the beginning of the wait.
    const now = await this.#find(transfer.hash);
    if (now?.status !== 'pending') {
      this.#state.waiters.end(wait.id);
      return now;
    }
    await waiting;
    return await this.#find(transfer.hash);
  }

  #find(txHash: string): Promise<StoredTransfer | undefined> {
    return this.#storeWait.read(() => transferQuestions(this.#state.store).transferByHash(txHash));
  }

  async #record(transfer: StoredTransfer): Promise<TransactionRecord> {
    return recordOf(transfer, await gapsOf(this.#state, [transfer]));
  }

  /** Where other gateways may have applied blocks, every gateway answers the same height at once. */
  async #refreshStanding(): Promise<void> {
    const { store, logger } = this.#state;
    if (store.sharing === undefined) return;
    try {
      await this.#storeWait.read(() => this.#parts.reflection.refresh());
    } catch (error) {
      if (!(error instanceof StoreUnavailableError || error instanceof StoreSteppedBackError)) throw error;
      logger.warn({ err: error }, 'where the follower stands could not be read');
    }
  }

  /** The last block that every read from now on includes: memory is behind the rows, or equal to them. */
  get #height(): number {
    return Math.max(this.#shownHeight, this.#state.follower.height);
  }

  /**
   * The last block that an answer includes whose rows were read when the height was `before`. Rows of a later block were written together
   * with the new height, so an answer that shows one of them includes that block too.
   */
  #reflected(before: number, shown: readonly { height?: number | undefined }[]): number {
    const height = shown.reduce((highest, record) => Math.max(highest, record.height ?? 0), before);
    this.#shownHeight = Math.max(this.#shownHeight, height);
    return height;
  }

  /** A read that returns its height itself. */
  async #showing<T extends { height: number } | Refusal>(work: () => Promise<T>): Promise<T | Refusal> {
    const answer = await this.#reading(work);
    if ('height' in answer) this.#reflected(0, [answer]);
    return answer;
  }

  #reading<T>(work: () => Promise<T>): Promise<T | Refusal> {
    return this.#refusingStoreFaults(() => this.#storeWait.read(work));
  }

  async #refusingStoreFaults<T>(work: () => Promise<T>): Promise<T | Refusal> {
    try {
      return await work();
    } catch (error) {
      return refuseStoreFault(error, this.#state.logger);
    }
  }
}
