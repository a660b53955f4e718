/**
 * Notifies pages of new blocks: by polling the chain once a second while the page is visible, and at once when the stream of events reports
 * a decision of a block.
 */
import { get, type Chain } from './api.ts';
import { followEvents } from './live-events.ts';
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
const waiting = new Set<() => void>();
let timer: number | undefined;
let isAsking = false;

/** Calls back at once, if the chain or a problem is known, and after each new block until the signal aborts. */
export function watchChain(listener: Listener, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
  if (state.chain !== undefined || state.problem !== undefined) listener(state);
}

/** The chain in the last answer. */
export const lastChain = (): Chain | undefined => state.chain;

/**
 * Resolves at the next answer of the service: then a request that failed because the service was unreachable can be tried again. Never
 * resolves after the signal aborts.
 */
export function nextAnswer(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    signal.addEventListener('abort', () => waiting.delete(resolve), { once: true });
  });
}

/**
 * Waits until the chain's facts were read: its id is in every signature, its currency in every amount. @throws Problem when they cannot be
 * read.
 */
export async function knowChain(): Promise<void> {
  if (state.chain === undefined) tell({ chain: await get<Chain>('chain'), problem: undefined });
}

export function startLive(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void poll();
  });
  followEvents((height) => {
    if (height > (state.chain?.height ?? 0) && !isAsking) void poll();
  });
  void poll();
}

async function poll(): Promise<void> {
  clearTimeout(timer);
  isAsking = true;
  try {
    tell({ chain: await get<Chain>('chain'), problem: undefined });
    for (const resolve of waiting) resolve();
    waiting.clear();
  } catch (error) {
    tell({ chain: state.chain, problem: asProblem(error) });
  }
  isAsking = false;
  clearTimeout(timer);
  if (document.visibilityState === 'visible') timer = setTimeout(() => void poll(), POLL_MS);
}

function tell(next: LiveState): void {
  const isNews = next.chain?.height !== state.chain?.height || next.problem?.message !== state.problem?.message;
  state = next;
  if (isNews) for (const listener of listeners) listener(state);
}
