/** One node: its client, and its last known state. */
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

/** The lowest limit of a batch that can be used. */
const BATCH_CALLS_MIN = 1;

export class ChainNode {
  readonly url: string;
  readonly #port: NodePort;
  #batchMax = BATCH_CALLS_MAX;

  /** It answered the last query. */
  isUp = false;
  /** The reason why it did not answer; '' when it did, or was never queried. */
  trouble = '';
  /** The other chain that it belongs to; such a node is never used. */
  otherChain: string | undefined;
  /** Moment (monotonic) until which it is not used: it gave a false answer. */
  distrustedUntilMs = 0;
  /** Number of its false answers. */
  lies = 0;
  /** A block that it claims to have and did not show when queried; when it first and last answered so (monotonic). */
  unshown: { height: number; sinceMs: number; lastMs: number } | undefined;
  /** Moment (monotonic) until which its claimed height is no reason to query it: it did not answer a request for a block. */
  silentUntilMs = 0;
  /** Number of requests for a block in a row that it did not answer. */
  silences = 0;
  /** The highest verified block that it has shown. */
  shownHeight = 0;
  /** Moment (monotonic) until which it gets transactions only if there is no other node: it left some unanswered. */
  slowUntilMs = 0;
  /** It is fetching blocks from others and does not take part in consensus yet. */
  isCatchingUp = false;
  /** Height that it claims. */
  height = 0;
  /** The lowest height that it still has; 0 before the first block. */
  earliest = 0;
  mempoolSize = 0;
  /** The lowest block whose codes are requested from its application: it had none of an earlier block, or of any before the next try. */
  codesFrom = 0;

  constructor(url: string, port: NodePort) {
    this.url = url;
    this.#port = port;
  }

  /**
   * Makes one call. Rejects with NodeFailure; the node counts as down then, unless this process did not send the call or did not read on.
   */
  async ask(call: NodeCall, limits: CallLimits): Promise<NodeAnswer> {
    return await this.#call(singleBody(call), limits, readSingle);
  }

  /** Makes many calls in order, in as many batches as the node needs. Rejects as `ask` does. */
  async askAll(calls: readonly NodeCall[], limits: CallLimits): Promise<ReadAnswer[]> {
    const answers: ReadAnswer[] = [];
    while (answers.length < calls.length) answers.push(...(await this.askSome(calls.slice(answers.length), limits)));
    return answers;
  }

  /** Makes as many of these calls as fit into one batch, at least the first, and returns as many answers. */
  async askSome(calls: readonly NodeCall[], limits: CallLimits): Promise<ReadAnswer[]> {
    for (;;) {
      const batch = this.#fitting(calls);
      const read = await this.#call(batchBody(batch), limits, (text) => readBatch(text, batch.length));
      if (typeof read !== 'number') return read;
      // Without this check, a node that refuses one request as too many would be queried forever.
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
