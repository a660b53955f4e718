/** In the place of what writes chain.db: nothing does, as if its thread had been stopped there. What a kill leaves then has everything in the log. */
import type { WrittenChain } from '../../../server/app/chain-index.ts';

export const unwrittenChain = (): WrittenChain => ({
  height: 0,
  accessSeq: 0,
  wake: () => undefined,
  caughtUp: async () => undefined,
  accessCaughtUp: async () => undefined,
  close: async () => undefined,
});
