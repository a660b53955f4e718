/**
 * Broadcasts pending transfers and cancels through the engine, again and again until a block decides.
 *
 * One call is under way at a time. Its answers only decide when the next attempt is due: nothing but a block settles anything.
 */
import type { BroadcastItem, Engine } from '../../engine/port.ts';
import type { Clock, Logger, Timer } from '../../engine/ports.ts';
import type { ChainContext, Transfer } from '../../ledger/index.ts';
import { encodeTransaction, paymentMembers, verifyTransaction } from '../../ledger/index.ts';
import { BROADCAST_BATCH_MAX, FORGED_NAMED_MAX, REBROADCAST_MS_MIN } from '../limits.ts';
import type { CancelSigner } from './cancel-bytes.ts';
import type { Schedule, Sending } from './schedule.ts';

export interface DispatcherParts {
  engine: Pick<Engine, 'broadcast'>;
  schedule: Schedule;
  chain: ChainContext;
  cancels: CancelSigner;
  clock: Clock;
  logger: Logger;
  /** True when the engine runs on this thread: it then gets verified transactions as objects. */
  isLocal?: boolean;
  /** Transfers that an engine took for the first time. */
  onFirstBroadcast(seqs: readonly number[]): void;
}

export class Dispatcher {
  readonly #parts: DispatcherParts;
  #timer: Timer | undefined;
  /** The monotonic moment at which the timer fires. */
  #timerAtMs = Infinity;
  #running = false;
  #stopped = true;
  #broadcasts = 0;
  /** Hashes of the changed rows that a log line has named. */
  readonly #namedForged = new Set<string>();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Transactions broadcast since the start, repeats included. */
  get broadcasts(): number {
    return this.#broadcasts;
  }

  /** Looks for broadcasts that are due. */
  kick(): void {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    void this.#run();
  }

  start(): void {
    this.#stopped = false;
    this.kick();
  }

  /** Stops broadcasting. A call under way ends by itself, and nothing follows it until the next start. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timerAtMs = Infinity;
  }

  async #run(): Promise<void> {
    const { schedule, clock } = this.#parts;
    while (!this.#stopped) {
      const batch = schedule.take(clock.monotonicMs(), BROADCAST_BATCH_MAX);
      if (batch.length === 0 || !(await this.#send(batch))) break;
    }
    this.#running = false;
    const { nextAtMs } = schedule;
    // A timer that fires too early finds nothing to do. Setting it again for each group would cost more than that.
    if (nextAtMs === undefined || this.#stopped || this.#timerAtMs <= nextAtMs) return;
    this.#timer?.cancel();
    this.#timerAtMs = nextAtMs;
    this.#timer = clock.setTimer(
      () => {
        this.#timerAtMs = Infinity;
        this.kick();
      },
      Math.max(0, nextAtMs - clock.monotonicMs()),
    );
  }

  /** False when the engine could not be reached: then everything waits for the timer. */
  async #send(batch: readonly Sending[]): Promise<boolean> {
    const { engine, schedule, clock, logger, onFirstBroadcast } = this.#parts;
    try {
      const items = batch.map((sending) => this.#itemOf(sending));
      const results = await engine.broadcast(items);
      this.#broadcasts += batch.length;
      for (const [index, sending] of batch.entries())
        if (results[index]?.code !== 0) this.#examine(sending, items[index]?.raw);
      const first = batch.filter(
        ({ kind, entry }, index) => kind === 'transfer' && !entry.taken && results[index]?.code === 0,
      );
      for (const { entry } of first) entry.taken = true;
      for (const sending of batch) schedule.sent(sending, clock.monotonicMs());
      if (first.length > 0) onFirstBroadcast(first.map(({ entry }) => entry.transfer.seq));
      return true;
    } catch (error) {
      logger.warn(
        { err: error, transactions: batch.length },
        'the engine could not be reached; broadcasting again later',
      );
      for (const sending of batch) schedule.failed(sending, clock.monotonicMs() + REBROADCAST_MS_MIN);
      return false;
    }
  }

  #itemOf({ kind, entry }: Sending): BroadcastItem {
    const { chain, cancels, isLocal } = this.#parts;
    const { from, to, amount, nonce, signature, hash, owner } = entry.transfer;
    const whose = { account: from, ...(owner !== undefined && { owner }) };
    if (kind === 'cancel') return { raw: cancels.sign(entry.transfer), ...whose };
    const tx: Transfer = {
      kind: 'transfer',
      chainId: chain.chainId,
      from,
      to,
      amount,
      nonce,
      ...paymentMembers(entry.transfer),
      signature,
    };
    const raw = encodeTransaction(tx);
    // A row may have been changed in the database since it was accepted: then its hash is not that of these bytes.
    if (!entry.signatureVerified) return { raw, ...whose };
    return {
      raw,
      signatureVerified: true,
      hash,
      ...whose,
      ...(isLocal === true && { transaction: { tx, raw, hash } }),
    };
  }

  /**
   * A transfer from the database that an engine refuses is verified here, once: the engine's answer may be false, and a row may have been
   * changed.
   */
  #examine({ kind, entry }: Sending, raw: Uint8Array | undefined): void {
    const { chain, logger, schedule } = this.#parts;
    if (kind === 'cancel' || raw === undefined || entry.signatureVerified || entry.forged) return;
    if (verifyTransaction(chain, raw).ok) {
      entry.signatureVerified = true;
      return;
    }
    schedule.forged(entry);
    const { hash, from, nonce } = entry.transfer;
    // Logged once in this process, although a gateway that takes over again reads the changed row again.
    if (this.#namedForged.has(hash)) return;
    if (this.#namedForged.size < FORGED_NAMED_MAX) this.#namedForged.add(hash);
    logger.error(
      { txHash: hash, from, nonce },
      'a pending transfer in the database is not what its sender signed: its row was changed after it was accepted. It is not broadcast; ' +
        'cancel it (DELETE /transactions/{txHash}), or stop the service and restore the database from a backup made before the change',
    );
  }
}
