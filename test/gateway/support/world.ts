/** What a simulated life takes place in: how many gateways there are, and what may happen to them. */
import type { Gateway, GatewayCoreOptions } from '../../../server/gateway/index.ts';
import type { GenesisInput } from '../../../server/ledger/index.ts';
import type { Store } from '../../../server/store/index.ts';
import type { ManualClock } from './manual-clock.ts';
import type { Random } from './random.ts';
import type { BlockOptions, TestEngine } from './test-engine.ts';

export interface World {
  readonly engine: TestEngine;
  readonly clock: ManualClock;
  /** For a look at the rows themselves; absent where money and places are held in the core's memory. */
  readonly store: Store | undefined;
  /** Where the database says nothing of places, the bound of an owner, so that a life can end by filling it. */
  readonly pendingPerOwnerMax?: number;
  /** All that run; to be asked after `heal`. */
  readonly gateways: readonly Gateway[];
  /** Refusals that its troubles explain. */
  readonly excuses: readonly string[];
  /** Some calls are answered only later. */
  readonly holdsCalls: boolean;
  /** Processes that died so far. */
  readonly crashes: number;
  /** A gateway as a client meets it, and whether it died since: then it may have answered anything but yes. */
  reach(): { gateway: Gateway; isDead: () => boolean };
  /** Before a step: trouble may begin. */
  disturb(): void;
  /** After a step: what died is started again. */
  recover(): Promise<void>;
  /** Ends all trouble, and gives everybody the time to learn of it. */
  heal(): Promise<void>;
  /** Throws what the death of a process does not explain. */
  excuse(error: unknown): void;
  block(options?: BlockOptions): Promise<void>;
  dispose(): Promise<void>;
}

export interface WorldOptions {
  genesis: Partial<GenesisInput>;
  limits: NonNullable<GatewayCoreOptions['limits']>;
}

export type OpenWorld = (random: Random, options: WorldOptions) => Promise<World>;

/** Every call of a store that was killed fails with this. */
export function excuseDeath(error: unknown): void {
  if (!(error instanceof Error) || error.message !== 'killed') throw error;
}
