/** Keeps one websocket to one node open: when it is lost, the next node's is opened. Its messages only save waiting for the next poll. */
import type { Clock, Logger, Timer } from '../../ports.ts';
import { WEBSOCKET_RETRY_MS_MAX, WEBSOCKET_RETRY_MS_MIN } from '../limits.ts';
import type { ChainNode } from './node.ts';
import type { NodePort, Subscription } from './node-port.ts';
import type { NodePool } from './node-pool.ts';

export interface TipSubscriptionParts {
  pool: NodePool;
  port: NodePort;
  clock: Clock;
  logger: Logger;
  /** Called when a node has a new height. */
  onHeight: () => void;
}

export class TipSubscription {
  readonly #parts: TipSubscriptionParts;
  #subscription: Subscription | undefined;
  #node: ChainNode | undefined;
  #timer: Timer | undefined;
  #retryMs = WEBSOCKET_RETRY_MS_MIN;
  #attempts = 0;
  #closed = false;
  #lost = 0;

  constructor(parts: TipSubscriptionParts) {
    this.#parts = parts;
  }

  /** The number of websockets that were lost, or could not be opened. */
  get lost(): number {
    return this.#lost;
  }

  start(): void {
    if (this.#closed) return;
    const nodes = this.#parts.pool.usable();
    const node = nodes[this.#attempts++ % Math.max(1, nodes.length)];
    if (node === undefined) this.#later();
    else this.#open(node);
  }

  /** Moves to another node: this one is distrusted. */
  leave(node: ChainNode): void {
    if (this.#node !== node || this.#subscription === undefined) return;
    this.#subscription.close();
    this.#subscription = undefined;
    this.start();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#subscription?.close();
  }

  #open(node: ChainNode): void {
    this.#node = node;
    this.#subscription = this.#parts.port.subscribe(node.url, {
      onHeight: (height) => {
        this.#retryMs = WEBSOCKET_RETRY_MS_MIN;
        node.height = Math.max(node.height, height);
        this.#parts.onHeight();
      },
      onEnd: (reason) => {
        this.#subscription = undefined;
        this.#lost += 1;
        // The status query logs when the node itself does not answer.
        this.#parts.logger.info(
          { node: node.url, reason },
          'the websocket to a node is lost; new blocks are asked for until the next one is open',
        );
        this.#later();
      },
    });
  }

  #later(): void {
    this.#timer = this.#parts.clock.setTimer(() => this.start(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, WEBSOCKET_RETRY_MS_MAX);
  }
}
