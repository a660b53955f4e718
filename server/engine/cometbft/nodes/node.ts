/** One node: how to ask it, and what it was last seen to be. */
import { BATCH_CALLS_MAX, BATCH_CHARS_MAX } from '../limits.ts';
import {
  batchBody,
  readBatch,
  readSingle,
  singleBody,
  type NodeAnswer,
  type NodeCall,
  type ReadAnswer,
} from './json-rpc.ts';
import { NodeFailure, type CallLimits, type NodePort } from './node-port.ts';

/** Below this a limit of batches makes no sense. */
const BATCH_CALLS_MIN = 1;

export class ChainNode {
  readonly url: string;
  readonly #port: NodePort;
  #batchMax = BATCH_CALLS_MAX;

  /** It answered the last time it was asked. */
  isUp = false;
  /** Why it did not; '' when it did, or was never asked. */
  trouble = '';
  /** It belongs to another chain and is never used. */
  otherChain: string | undefined;
  /** Moment (monotonic) until which it is left alone: it was caught lying. */
  distrustedUntilMs = 0;
  /** How often it was caught. */
  lies = 0;
  /** A block that it says it has, was asked for and has not shown; when it first and last answered so (monotonic). */
  unshown: { height: number; sinceMs: number; lastMs: number } | undefined;
  /** Moment (monotonic) until which what it says about its height is no reason to ask it: it was asked for a block and said nothing. */
  silentUntilMs = 0;
  /** How often in a row it said nothing. */
  silences = 0;
  /** The furthest verified block that it showed. */
  shownHeight = 0;
  /** Moment (monotonic) until which it gets transactions only if there is nobody else: it left some unanswered. */
  slowUntilMs = 0;
  /** It is fetching blocks from others and does not take part yet. */
  isCatchingUp = false;
  /** How far it says it is. */
  height = 0;
  /** The lowest height that it still has; 0 before the first block. */
  earliest = 0;
  mempoolSize = 0;
  /** The lowest block whose codes its application is asked for: of one before, or of all before a later look, it had none. */
  codesFrom = 0;

  constructor(url: string, port: NodePort) {
    this.url = url;
    this.#port = port;
  }

  /** Asks one thing. Rejects with NodeFailure; the node counts as down then, unless it was we who would not ask or read on. */
  async ask(call: NodeCall, limits: CallLimits): Promise<NodeAnswer> {
    return await this.#call(singleBody(call), limits, readSingle);
  }

  /** Asks many things in order, in as many batches as the node needs. Rejects as `ask` does. */
  async askAll(calls: readonly NodeCall[], limits: CallLimits): Promise<ReadAnswer[]> {
    const answers: ReadAnswer[] = [];
    while (answers.length < calls.length) answers.push(...(await this.askSome(calls.slice(answers.length), limits)));
    return answers;
  }

  /** Asks as many of these things as fit into one batch, at least the first; so many answers come back. */
  async askSome(calls: readonly NodeCall[], limits: CallLimits): Promise<ReadAnswer[]> {
    for (;;) {
      const batch = this.#fitting(calls);
      const read = await this.#call(batchBody(batch), limits, (text) => readBatch(text, batch.length));
      if (typeof read !== 'number') return read;
      // A node that refuses one request as too many would be asked for ever.
      if (read >= batch.length || batch.length <= BATCH_CALLS_MIN)
        throw this.#fail(
          new NodeFailure('unreadable', `it refuses ${batch.length} requests although it takes ${read}`),
        );
      this.#batchMax = Math.max(BATCH_CALLS_MIN, read);
    }
  }

  #fitting(calls: readonly NodeCall[]): readonly NodeCall[] {
    let chars = 0;
    let count = 0;
    for (const { params } of calls.slice(0, this.#batchMax)) {
      chars += params.length;
      if (count > 0 && chars > BATCH_CHARS_MAX) break;
      count += 1;
    }
    return calls.slice(0, count);
  }

  async #call<T>(body: string, limits: CallLimits, read: (text: string) => T): Promise<T> {
    try {
      const result = read(await this.#port.call(this.url, body, limits));
      this.isUp = true;
      this.trouble = '';
      return result;
    } catch (error) {
      throw error instanceof NodeFailure ? this.#fail(error) : error;
    }
  }

  #fail(failure: NodeFailure): NodeFailure {
    if (failure.kind === 'busy' || failure.kind === 'too_large') return failure;
    this.isUp = false;
    this.trouble = failure.message;
    return failure;
  }
}
