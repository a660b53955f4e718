/** What the disk makes of an append, a commit and a checkpoint, and what has to be true of each entry that it keeps. */
import { STEPS_TRANSACTIONS_MIN } from '../../server/engine/embedded/block-loop.ts';
import { readPrecommitTimeNs } from '../../server/engine/encoding/vote-time.ts';
import { CLOCK_AHEAD_MS_MAX } from '../../server/engine/ports.ts';
import type { LogEntry } from '../../server/log/log.ts';
import { decodeBlockEntry } from '../../server/store/embedded/block-entry.ts';
import { BLOCK, kindOf, textOf } from '../../server/store/embedded/chain-log.ts';
import type { AppendFate, CheckpointFate, CommitFate, DiskEvents } from './disk.ts';
import { demand } from './plain-model.ts';
import { MS, type World } from './world.ts';

const SLOW_MS_MAX = 400;
/** A block's reading of the clock is older than its append by what the disk took. */
const READING_MS_MAX = 1000;

export class DiskFates {
  readonly #world: World;
  /** Of the last block that this process signed: its vote, and when. */
  #vote: { ns: bigint; monotonicMs: number } | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  readonly events: DiskEvents = {
    fateOfAppend: () => this.#fateOfAppend(),
    fateOfCommit: () => this.#fateOfCommit(),
    fateOfCheckpoint: () => this.#fateOfCheckpoint(),
    durable: (entry) => this.#durable(entry),
    held: (bytes) => this.#held(bytes),
    die: () => undefined,
    pass: (ms) => this.#world.time.pass(ms),
  };

  /** Another process signs from here on. */
  forgetVote(): void {
    this.#vote = undefined;
  }

  #fateOfAppend(): AppendFate {
    const fate = this.#world.faultsOn ? this.#pickFate() : 'durable';
    if (fate !== 'durable') this.#world.coverage.count(`append ${fate}`);
    if (fate === 'broken') this.#world.mayEnd = true;
    if (fate === 'slow') this.#world.time.pass(1 + this.#world.random.below(SLOW_MS_MAX));
    return fate;
  }

  #pickFate(): AppendFate {
    const kind = this.#world.random.below(1000);
    if (kind < 30) return 'slow';
    if (kind < 35) return 'dies before';
    if (kind < 41) return 'dies unsynced';
    if (kind < 46) return 'dies before apply';
    if (kind < 51) return 'dies before answer';
    return kind < 56 ? 'broken' : 'durable';
  }

  #fateOfCommit(): CommitFate {
    const kind = this.#world.faultsOn ? this.#world.random.below(1000) : 999;
    const fate =
      kind < 8 ? 'dies before' : kind < 16 ? 'dies after' : kind < 30 && this.#world.process ? 'full' : 'committed';
    if (fate !== 'committed') this.#world.coverage.count(`commit ${fate}`);
    return fate;
  }

  #fateOfCheckpoint(): CheckpointFate {
    const kind = this.#world.faultsOn ? this.#world.random.below(100) : 99;
    const fate =
      kind < 3 ? 'dies before' : kind < 6 ? 'dies after' : kind < 16 ? 'partial' : kind < 20 ? 'full' : 'whole';
    this.#world.coverage.count(`checkpoint ${fate}`);
    return fate;
  }

  /** A block that the log has no place for is signed already, and nothing is answered from the memory behind it. */
  #held(bytes: Uint8Array): void {
    if (bytes[1] !== BLOCK) return;
    if (this.#world.heldBlock === undefined) this.#world.coverage.count('block held');
    this.#world.heldBlock ??= { signedMs: this.#world.time.monotonicMs };
  }

  #durable(entry: LogEntry): void {
    this.#world.note(`entry ${Buffer.from(entry.hash).toString('hex')}`);
    try {
      this.#world.model.apply(entry);
      if (kindOf(entry) === BLOCK) this.#signed(entry);
    } catch (error) {
      this.#world.violation ??= error as Error;
    }
  }

  /** What the guard refuses is not signed: a vote is never further ahead of the one before than time has passed. */
  #signed(entry: LogEntry): void {
    const { block, signed } = decodeBlockEntry(textOf(entry));
    const ns = readPrecommitTimeNs(signed.signBytes as Uint8Array) ?? 0n;
    const monotonicMs = this.#world.heldBlock?.signedMs ?? this.#world.time.monotonicMs;
    if (this.#world.heldBlock !== undefined) this.#world.heldUntilStep = this.#world.step;
    this.#world.heldBlock = undefined;
    if (block.transactionCount >= STEPS_TRANSACTIONS_MIN) this.#world.coverage.count('block made in steps');
    if (this.#vote !== undefined && ns > block.timeNs + MS) {
      const passedMs = monotonicMs - this.#vote.monotonicMs + READING_MS_MAX;
      demand(
        ns - this.#vote.ns <= BigInt(Math.ceil(passedMs + CLOCK_AHEAD_MS_MAX)) * MS,
        () =>
          `the vote of block ${block.height} is ${(ns - this.#vote!.ns) / MS} ms later than the one before, and ${passedMs} ms have passed`,
      );
    }
    this.#vote = { ns, monotonicMs };
  }
}
