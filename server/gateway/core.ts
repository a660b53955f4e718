/** The ledger service of a gateway before nodes: accepts, dispatches, follows, settles. It runs on the thread that owns the store. */
import type { Engine } from '../engine/port.ts';
import type { Clock, Logger, StoreFigures, Tracer } from '../engine/ports.ts';
import type { GenesisDocument } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';
import { actorOfGateway } from './audit/entries.ts';
import { ChainClock } from './chain-clock.ts';
import { chainFacts } from './chain-facts.ts';
import { checkpointOf } from './checkpoint.ts';
import type { GatewayCoreApi } from './core-api.ts';
import { Core } from './core-calls.ts';
import type { CoreState } from './core-state.ts';
import { Counts } from './counts.ts';
import { CancelSigner } from './dispatch/cancel-bytes.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { PendingIndex } from './dispatch/pending-index.ts';
import { Schedule } from './dispatch/schedule.ts';
import { Duty } from './duty.ts';
import { FollowerHeights } from './follower-heights.ts';
import { Health } from './health.ts';
import { initialiseStore } from './initialise.ts';
import { Lifecycle } from './lifecycle.ts';
import type { GatewayLimits } from './limits.ts';
import { GATEWAY_LIMITS_DEFAULT, STORE_FAULT_MS, STORE_FAULT_SHARED_MS } from './limits.ts';
import { Reflection } from './reflection.ts';
import { Settler } from './settler.ts';
import { ChainLag } from './sharing/chain-lag.ts';
import { Changes } from './sharing/changes.ts';
import { Role } from './sharing/role.ts';
import { TransferTraces } from './transfer-traces.ts';
import { Uptime } from './uptime.ts';
import { Waiters } from './waiters.ts';
import { WriteLane } from './write-lane.ts';

export interface GatewayCoreOptions {
  store: Store;
  engine: Omit<Engine, 'close'>;
  genesis: GenesisDocument;
  /** 32 bytes; the key that signs cancels. */
  operatorSeed: Uint8Array;
  clock: Clock;
  logger: Logger;
  /** Called once when the process has to end because the outcome of a commit is unknown. */
  onFatal: (error: Error) => void;
  limits?: Partial<GatewayLimits>;
  /** Distinguishes this gateway from the others on its store; needed where the store is shared, new with each process. */
  gatewayId?: string;
  tracer?: Tracer | undefined;
  /** Durations of the database's calls. */
  storeFigures?: () => StoreFigures;
}

export type GatewayCore = GatewayCoreApi & Pick<Core, 'changeAccess'>;

/** A gateway that follows the chain on a store of its own. */
export type FollowingCore = GatewayCore & Pick<Core, 'place'>;

/** Throws WrongStoreError when the store belongs to another chain. */
export async function createGatewayCore(options: GatewayCoreOptions): Promise<FollowingCore> {
  const { store, engine, genesis, clock, logger } = options;
  const chain = {
    chainId: genesis.chainId,
    addressPrefix: genesis.addressPrefix,
    openingMinimum: genesis.openingMinimum,
    currency: genesis.currency,
  };
  const first = await initialiseStore(store, genesis);
  await engine.startFrom(await checkpointOf(store, genesis));

  const pending = new PendingIndex();
  const schedule = new Schedule(pending);
  const cancels = new CancelSigner(chain, options.operatorSeed);
  // Held in memory until the block that settles the transfer writes it.
  const onFirstBroadcast = (seqs: readonly number[]): void => {
    for (const seq of seqs) pending.broadcast(seq, clock.nowMs());
  };
  const state: CoreState = {
    store,
    chain,
    clock,
    logger,
    limits: { ...GATEWAY_LIMITS_DEFAULT, ...options.limits },
    actor: actorOfGateway(options.gatewayId ?? 'alone'),
    lane: new WriteLane(),
    pending,
    schedule,
    dispatcher: new Dispatcher({ engine, schedule, chain, cancels, clock, logger, onFirstBroadcast }),
    waiters: new Waiters(clock),
    heights: new FollowerHeights(clock, first.height),
    counts: new Counts(),
    lifecycle: new Lifecycle(logger, {
      onFatal: options.onFatal,
      onFault: () => {
        duty.layDown();
        // Another gateway may have an engine that gives true answers.
        void role?.stop();
      },
      onUnknown: () => changes.mistrust(),
    }),
    uptime: new Uptime(clock, first.uptimeMs),
    chainClock: new ChainClock(clock, first),
    traces: options.tracer && new TransferTraces(options.tracer, clock),
    follower: first,
    active: false,
  };
  const checkCanceller = (): void => void warnUnlessCanceller(state, cancels.address);
  const reflection = new Reflection(state);
  const settler = new Settler(state, engine, reflection, checkCanceller);
  const duty = new Duty(state, reflection, {
    engine,
    clock,
    logger,
    apply: (block) => settler.apply(block),
    onFault: (detail) => state.lifecycle.fail(detail),
  });
  const changes = new Changes(state, reflection);
  const health: Health = new Health({
    engine,
    clock,
    probeStore: () =>
      state.lane.run(async () => {
        try {
          await store.write((tx) => tx.saveUptime(state.uptime.nowMs()), 'none');
        } catch (error) {
          // This is a real write: when its outcome is unknown, so is that of what comes after it.
          state.lifecycle.watch(error);
          throw error;
        }
      }),
    groupFailedAtMs: () => state.counts.groupFailedAtMs,
    storeFaultMs: store.sharing === undefined ? STORE_FAULT_MS : STORE_FAULT_SHARED_MS,
    followerHeight: () => state.follower.height,
    followerFault: () => state.lifecycle.fault ?? duty.engineFault,
    accepting: () => state.lifecycle.accepting,
    lagMs: () => lag.behindMs,
  });
  const lag = new ChainLag({
    clock,
    engineStatus: () => health.engineStatus(),
    settledHeight: () => state.follower.height,
  });
  const role =
    store.sharing === undefined ? undefined : new Role(state, duty, store.sharing, idAmongOthers(options), lag);
  checkCanceller();
  lag.start();
  if (role === undefined) await state.lane.run(() => duty.takeUp(() => true));
  else {
    changes.start();
    await role.start();
  }
  return new Core({
    state,
    engine,
    facts: chainFacts(genesis),
    health,
    lag,
    reflection,
    duty,
    changes,
    role,
    storeFigures: options.storeFigures,
  });
}

/** Without a canceller's key the chain refuses cancels: a DELETE and the time to live would wait forever. */
async function warnUnlessCanceller(state: CoreState, address: string): Promise<void> {
  try {
    const governance = await state.store.now.governance();
    if (governance?.cancellers.includes(address) === true) return;
    state.logger.error(
      { address },
      "the operator key is none of the chain's cancellers: no block will take its cancels",
    );
  } catch (error) {
    state.logger.warn(
      { err: error, address },
      "whether the operator key is one of the chain's cancellers could not be read",
    );
  }
}

/** Two gateways with one id would both count as the holder of the lease. */
function idAmongOthers({ gatewayId }: GatewayCoreOptions): string {
  if (gatewayId === undefined) throw new TypeError('a gateway on a shared store needs a gatewayId');
  return gatewayId;
}
