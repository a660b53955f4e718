/** Stores that crash: each durable step can be made the last one, before or after it took effect. */
import type { BlockStore, SignStateStore, StateStore } from '../../../server/engine/embedded/stores.ts';

export class Crash extends Error {
  override readonly name = 'Crash';
}

/** The durable steps of one block, in their order. */
export const STEPS = ['putBlock', 'sign', 'putCommit', 'save'] as const;
export type Step = (typeof STEPS)[number];

export interface CrashPlan {
  step: Step;
  moment: 'before' | 'after';
  /** Only from this height on. */
  height: number;
}

/** What was done, in order, for tests of the order itself. */
export interface DoneStep {
  step: Step;
  height: number;
}

export function crashing(
  stores: { blocks: BlockStore; states: StateStore; signState: SignStateStore },
  plan: CrashPlan | undefined,
  done: DoneStep[] = [],
): { blocks: BlockStore; states: StateStore; signState: SignStateStore } {
  const run = (step: Step, height: number, act: () => void) => {
    const here = plan !== undefined && plan.step === step && height >= plan.height;
    if (here && plan.moment === 'before') throw new Crash(`before ${step} at ${height}`);
    act();
    done.push({ step, height });
    if (here) throw new Crash(`after ${step} at ${height}`);
  };
  const { blocks, states, signState } = stores;
  return {
    blocks: {
      ...blocks,
      putBlock: (block) => run('putBlock', block.height, () => blocks.putBlock(block)),
      putCommit: (height, bytes) => run('putCommit', height, () => blocks.putCommit(height, bytes)),
    },
    states: { ...states, save: (update) => run('save', update.height, () => states.save(update)) },
    signState: { ...signState, write: (last) => run('sign', last.height, () => signState.write(last)) },
  };
}
