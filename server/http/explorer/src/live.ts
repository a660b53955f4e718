/**
 * Tells pages of new blocks: by asking for the chain once a second, while the page can be seen.
 */
import { get, type Chain } from './api.ts';
import { asProblem, type Problem } from './problem.ts';

export interface LiveState {
  /** Undefined before the first answer. */
  readonly chain: Chain | undefined;
  /** Undefined while the service answers. */
  readonly problem: Problem | undefined;
}

type Listener = (state: LiveState) => void;

const POLL_MS = 1000;

let state: LiveState = { chain: undefined, problem: undefined };
const listeners = new Set<Listener>();
let timer: number | undefined;

/** Calls back now, when there is something to tell, and after each new block until the signal aborts. */
export function watchChain(listener: Listener, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
  if (state.chain !== undefined || state.problem !== undefined) listener(state);
}

/** The chain as it was last heard of. */
export const lastChain = (): Chain | undefined => state.chain;

export function startLive(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void poll();
  });
  void poll();
}

async function poll(): Promise<void> {
  clearTimeout(timer);
  try {
    tell({ chain: await get<Chain>('chain'), problem: undefined });
  } catch (error) {
    tell({ chain: state.chain, problem: asProblem(error) });
  }
  clearTimeout(timer);
  if (document.visibilityState === 'visible') timer = setTimeout(() => void poll(), POLL_MS);
}

function tell(next: LiveState): void {
  const isNews = next.chain?.height !== state.chain?.height || next.problem?.message !== state.problem?.message;
  state = next;
  if (isNews) for (const listener of listeners) listener(state);
}
