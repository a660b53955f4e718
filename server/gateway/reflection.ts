/**
 * Store sync: keeps memory in step with the store. Every gateway follows the applied height and the callers that wait; the leader also what
 * is pending.
 *
 * The store is authoritative. Memory may be behind it, and is never ahead: everything here comes from a commit.
 */
import type { FollowerState, ReadTransaction, StoredAccount, StoredTransfer } from '../store/index.ts';
import type { AcceptedGroup } from './accept/accept-group.ts';
import type { CoreState } from './core-state.ts';
import { StoreSteppedBackError } from '../store/errors.ts';
import { ContradictionError } from './follow/block-effects.ts';
import { HeldUpLog } from './held-up.ts';
import { CATCH_UP_ROWS_MAX } from './limits.ts';

interface Rows {
  transfers: readonly StoredTransfer[];
  senders: ReadonlyMap<number, StoredAccount>;
}

interface Standing {
  follower: FollowerState;
  /** Settled hashes among those that callers wait for. */
  settled: readonly string[];
}

export class Reflection {
  readonly #state: CoreState;
  /** For each shard: memory has every accepted transfer up to this seq that is pending. */
  #known = new Map<number, number>();
  /** Callers that wait for a transfer that a block up to this height settled were woken. */
  #wokenHeight = -1;
  readonly #heldUp: HeldUpLog;

  constructor(state: CoreState) {
    this.#state = state;
    this.#heldUp = new HeldUpLog(state);
  }

  /**
   * Reads all that memory holds from the store again; what is pending only when `dispatches` returns true. Runs in the serial queue of
   * writes.
   */
  async reload(dispatches: () => boolean = () => this.#state.active): Promise<void> {
    const { store, pending, schedule, dispatcher } = this.#state;
    // Other writers may be in the middle of a commit, also one that a broken connection left behind: those have ended once this write has
    // had its turn.
    if (store.sharing !== undefined) await store.write(async () => undefined);
    const wanted = dispatches();
    const { standing, rows, shards } = await store.read(async (tx) => ({
      standing: await this.#standing(tx),
      rows: wanted ? await withSenders(tx, await tx.pendingTransfers()) : undefined,
      shards: await tx.shards(),
    }));
    await this.#stand(standing);
    if (rows === undefined || !dispatches()) return;
    pending.clear();
    for (const transfer of rows.transfers) {
      const sender = rows.senders.get(transfer.fromId);
      if (sender !== undefined) pending.add(transfer, sender);
    }
    this.#known = new Map(shards.map(({ id, lastSeq }) => [id, lastSeq]));
    this.#heldUp.name();
    schedule.reset();
    dispatcher.kick();
  }

  /** Reads the applied height, which any gateway may have moved, and wakes the callers whose transfers are settled. */
  async refresh(): Promise<void> {
    await this.#stand(await this.#state.store.read((tx) => this.#standing(tx)));
  }

  /** Reads transfers accepted elsewhere. Runs in the serial queue of writes. */
  async catchUp(): Promise<void> {
    const { store } = this.#state;
    for (let more = true; more && this.#state.active;) {
      const { rows, moved } = await store.read(async (tx) => {
        // A shard in which nothing was accepted is left out, however far back its last seq is.
        const moved = (await tx.shards()).filter(({ id, lastSeq }) => lastSeq > this.#knownSeq(id));
        const transfers = await tx.pendingAfter(
          moved.map(({ id }) => ({ id, seq: this.#knownSeq(id) })),
          CATCH_UP_ROWS_MAX,
        );
        return { moved, rows: await withSenders(tx, transfers) };
      });
      more = rows.transfers.length === CATCH_UP_ROWS_MAX;
      this.#learn(rows);
      const end = more ? (rows.transfers.at(-1)?.seq ?? 0) : Number.MAX_SAFE_INTEGER;
      for (const { id, lastSeq } of moved) this.#known.set(id, Math.max(this.#knownSeq(id), Math.min(lastSeq, end)));
    }
  }

  /** Reads cancels requested elsewhere. Runs in the serial queue of writes. */
  async learnCancels(seqs: readonly number[]): Promise<void> {
    const { store, pending } = this.#state;
    const unknown = seqs.filter((seq) => pending.get(seq)?.cancelRequested !== true);
    if (unknown.length === 0 || !this.#state.active) return;
    this.#learn(
      await store.read(
        async (tx) =>
          await withSenders(
            tx,
            (await tx.transfersBySeq(unknown)).filter(({ status }) => status === 'pending'),
          ),
      ),
    );
  }

  /** Reads all cancels that no block has decided. Runs in the serial queue of writes. */
  async findCancels(): Promise<void> {
    await this.learnCancels(await this.#state.store.now.cancelsRequested());
  }

  /** Adds what this gateway made durable just now. Runs in the serial queue of writes. */
  accepted({ accepted, steps }: Pick<AcceptedGroup, 'accepted' | 'steps'>): void {
    const { active, pending, schedule, dispatcher } = this.#state;
    if (!active || accepted.length === 0) return;
    for (const { transfer, sender } of accepted) schedule.changed(pending.add(transfer, sender, true));
    // Otherwise another gateway's transfers are between, and catching up reads these once more with them.
    for (const { id, before, after } of steps) if (this.#knownSeq(id) === before) this.#known.set(id, after);
    dispatcher.kick();
  }

  #knownSeq(shard: number): number {
    return this.#known.get(shard) ?? 0;
  }

  /** Moves to the block that this gateway applied just now. Runs in the serial queue of writes. */
  applied(follower: FollowerState): void {
    if (follower.height < this.#state.follower.height) return;
    this.#state.follower = follower;
    if (this.#wokenHeight === follower.height - 1) this.#wokenHeight = follower.height;
    this.#state.heights.reached(follower.height);
    this.#state.chainClock.reached(follower);
    this.#heldUp.nameLasting();
  }

  async #standing(tx: ReadTransaction): Promise<Standing> {
    const follower = await tx.follower();
    if (follower === undefined) throw new ContradictionError('the store has lost its follower state');
    // A caller that begins to wait after this first query looks again afterwards, and then sees at least what this snapshot holds.
    const settled = follower.height === this.#wokenHeight ? [] : await tx.settledAmong(this.#state.waiters.hashes);
    return { follower, settled };
  }

  /**
   * A snapshot may be older than a commit that memory has. When the store is behind under its own lock too, it has stepped back: what was
   * settled and accepted since is not in it, and only a new process begins from its present state.
   */
  async #assertNotSteppedBack(seen: FollowerState): Promise<void> {
    const { store, follower, lifecycle } = this.#state;
    if (store.sharing === undefined || seen.height >= follower.height) return;
    const now = await store.write(async (tx) => await tx.follower());
    if (now === undefined || now.height >= follower.height) return;
    const error = new StoreSteppedBackError(
      `the database stands at block ${now.height}, and it stood at block ${follower.height} before: it was restored from an older copy, or a standby took over that had not received everything`,
    );
    lifecycle.end(error);
    throw error;
  }

  async #stand({ follower, settled }: Standing): Promise<void> {
    await this.#assertNotSteppedBack(follower);
    const state = this.#state;
    state.uptime.atLeast(follower.uptimeMs);
    for (const hash of settled) state.waiters.settled(hash);
    if (follower.height < state.follower.height) return;
    state.follower = follower;
    state.chainClock.reached(follower);
    this.#wokenHeight = follower.height;
    state.heights.reached(follower.height);
  }

  #learn({ transfers, senders }: Rows): void {
    const { active, pending, schedule, dispatcher } = this.#state;
    if (!active) return;
    for (const transfer of transfers) {
      const sender = senders.get(transfer.fromId);
      if (sender === undefined) continue;
      const cancelRequested = transfer.cancelRequestedAtMs !== undefined || transfer.expiryRequestedAtMs !== undefined;
      const isNew = pending.get(transfer.seq) === undefined;
      const changed = isNew
        ? pending.add(transfer, sender)
        : cancelRequested
          ? pending.requestCancel(transfer.seq)
          : undefined;
      if (changed !== undefined) schedule.changed(changed);
    }
    dispatcher.kick();
  }
}

async function withSenders(tx: ReadTransaction, transfers: readonly StoredTransfer[]): Promise<Rows> {
  const senders = await tx.accountsById([...new Set(transfers.map((transfer) => transfer.fromId))]);
  return { transfers, senders: new Map(senders.map((sender) => [sender.id, sender])) };
}
