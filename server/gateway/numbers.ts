/** Numbers of the gateway. Those that several gateways share are read from the store; those of this process are counted here. */
import { StoreUnavailableError } from '../store/errors.ts';
import type { CoreState } from './core-state.ts';
import type { CoreMetrics } from './core-api.ts';
import type { ChainLag } from './sharing/chain-lag.ts';
import type { GatewayMetrics } from './types.ts';

const MS_PER_S = 1000;

export async function numbersOf(state: CoreState, lag: Pick<ChainLag, 'stalledMs'>): Promise<CoreMetrics> {
  const { counts, dispatcher, follower, pending, active } = state;
  return {
    ...(await pendingOf(state)),
    active: active ? 1 : 0,
    ...counts.metrics(),
    broadcast_total: dispatcher.broadcasts,
    senders_held_up: active ? pending.heldUpCount : 0,
    settlement_stalled_seconds: active ? lag.stalledMs / MS_PER_S : 0,
    follower_height: follower.height,
    follower_block_time_ms: follower.blockTimeMs,
  };
}

async function pendingOf({
  store,
  pending,
  logger,
}: CoreState): Promise<Pick<GatewayMetrics, 'pending' | 'cancel_outbox'>> {
  const here = { pending: pending.size, cancel_outbox: pending.cancelsRequested };
  if (store.sharing === undefined) return here;
  try {
    return await store.read(async (tx) => ({
      pending: (await tx.shards()).reduce((sum, shard) => sum + shard.pending, 0),
      cancel_outbox: (await tx.cancelsRequested()).length,
    }));
  } catch (error) {
    // Numbers are read most when something is wrong: those of this process alone still help.
    if (!(error instanceof StoreUnavailableError)) throw error;
    logger.warn({ err: error }, 'how much is pending could not be read');
    return here;
  }
}
