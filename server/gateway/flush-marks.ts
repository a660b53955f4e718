/** Writes down first broadcasts that no block carried. */
import type { CoreState } from './core-state.ts';

export async function flushMarks(state: CoreState): Promise<void> {
  await state.lane.run(async () => {
    const seqs = state.marks.take();
    if (seqs.length === 0) return;
    try {
      await state.store.write((tx) => tx.markBroadcast(seqs, state.clock.nowMs()));
    } catch (error) {
      // It is history only, and the next flush carries it; but an outcome that nobody can find out still ends the process.
      state.lifecycle.watch(error);
      state.marks.add(seqs);
    }
  });
}
