/**
 * Leader election among several gateways: the one with the lease follows the chain, settles, and dispatches what is pending of all; the
 * others stand by, accept, and answer.
 */
import type { StoreSharing } from '../../store/index.ts';
import type { CoreState } from '../core-state.ts';
import type { Duty } from '../duty.ts';
import { LEASE_BLIND_MS_MAX, SHARING_RETRY_LOG_MS, SHARING_RETRY_MS } from '../limits.ts';
import { worthRetrying } from '../store-faults.ts';
import type { ChainLag } from './chain-lag.ts';
import { Lease } from './lease.ts';

export class Role {
  readonly #state: CoreState;
  readonly #duty: Duty;
  readonly #lease: Lease;
  /** Incremented each time the lease is taken or lost. */
  #term = 0;

  constructor(state: CoreState, duty: Duty, sharing: StoreSharing, gatewayId: string, lag: Pick<ChainLag, 'behindMs'>) {
    const { clock, logger } = state;
    this.#state = state;
    this.#duty = duty;
    this.#lease = new Lease({
      sharing,
      holder: gatewayId,
      clock,
      logger,
      isNeglected: () => {
        const neglected = lag.behindMs >= LEASE_BLIND_MS_MAX;
        if (neglected)
          logger.warn(
            { height: state.follower.height, behindMs: Math.round(lag.behindMs) },
            'blocks are not settled by the gateway that should; this one takes over',
          );
        return neglected;
      },
      onTaken: () => void this.#takeOver(),
      onLost: () => this.#standBy(),
    });
  }

  /** Resolves after the first attempt to become active, however it ended. */
  start(): Promise<void> {
    return this.#lease.start();
  }

  /** Stands by for good, so that another can take over at once. */
  stop(): Promise<void> {
    return this.#lease.stop();
  }

  async #takeOver(): Promise<void> {
    const { lane, logger, clock, lifecycle } = this.#state;
    const term = ++this.#term;
    const wanted = (): boolean => this.#term === term;
    for (let tries = 1, quietUntilMs = 0; wanted(); tries += 1) {
      try {
        await lane.run(() => this.#duty.takeUp(wanted));
        if (wanted())
          logger.info(
            { height: this.#state.follower.height, pending: this.#state.pending.size },
            'this gateway follows and dispatches from now on',
          );
        return;
      } catch (error) {
        // A programming error is logged in any case, whatever was logged before it.
        if (clock.monotonicMs() >= quietUntilMs || !worthRetrying(error)) {
          logger.warn({ err: error, tries }, 'this gateway could not take over; trying again soon');
          quietUntilMs = clock.monotonicMs() + SHARING_RETRY_LOG_MS;
        }
        if (!worthRetrying(error)) return lifecycle.fail('this gateway could not take over: a defect, see the log');
        await new Promise<void>((resolve) => clock.setTimer(resolve, SHARING_RETRY_MS));
      }
    }
  }

  #standBy(): void {
    this.#term += 1;
    this.#duty.layDown();
    // From now on what is pending changes without this gateway; when it takes over again, it reads all of it again.
    this.#state.pending.clear();
    this.#state.schedule.reset();
    this.#state.logger.info({ height: this.#state.follower.height }, 'this gateway stands by from now on');
  }
}
