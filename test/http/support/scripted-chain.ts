/** Blocks with events, made when a test says so and matched by the engine's own matcher. */
import type { RpcEventsRequest, RpcEventType } from '../../../server/engine/port.ts';
import { EventMatcher, eventData } from '../../../server/engine/rpc/event-matcher.ts';
import { realClock } from './server.ts';
import type { StubGateway } from './stub-gateway.ts';

export interface ScriptedEvent {
  type: RpcEventType;
  /** The text of the event's value. */
  value?: string;
  keys?: Record<string, string[]>;
}

export class ScriptedChain {
  readonly #blocks: ScriptedEvent[][] = [];
  readonly #matcher = new EventMatcher(realClock);
  #wake: (() => void)[] = [];
  /** Every pull that came, and how often a text was made. */
  readonly pulls: RpcEventsRequest[] = [];
  textsMade = 0;
  /** Runs before a pull is answered. */
  beforeAnswer: () => Promise<void> = async () => {};

  /** From now on the gateway's blocks are those that the test makes. */
  static behind(gateway: StubGateway): ScriptedChain {
    return new ScriptedChain(gateway);
  }

  private constructor(gateway: StubGateway) {
    gateway.onWaitForBlock = async (height) => {
      if (this.#blocks.length < height) await new Promise<void>((resolve) => this.#wake.push(resolve));
      return this.#blocks.length;
    };
    gateway.onRpcEvents = async (request) => {
      this.pulls.push(request);
      const { fromHeight, limit } = request;
      const heights = this.#blocks.map((_, at) => at + 1).slice(fromHeight - 1, fromHeight - 1 + limit);
      const answer = await this.#matcher.read(
        request,
        heights.map((height) => this.#published(height)),
      );
      await this.beforeAnswer();
      return answer;
    };
  }

  make(...events: ScriptedEvent[]): void {
    this.#blocks.push(events);
    for (const wake of this.#wake.splice(0)) wake();
  }

  #published(height: number) {
    return {
      height,
      events: (wants: (type: RpcEventType) => boolean) =>
        (this.#blocks[height - 1] ?? [])
          .filter(({ type }) => wants(type))
          .map(({ type, value = '{}', keys = {} }) => ({
            type,
            keys: () => ({ ...keys, 'tm.event': [type] }),
            data: () => {
              this.textsMade += 1;
              return eventData(type, value);
            },
          })),
    };
  }
}
