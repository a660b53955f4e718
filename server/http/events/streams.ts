/** The event log as server-sent events: what the handler of listEvents asks of the one that serves streams. */
import type { ProblemInit } from '../problem/problem.ts';
import type { Exchange } from '../exchange.ts';
import type { Call, Reply } from '../typed/types.ts';

export interface EventStreams {
  /** The owner rule and the filters' form were checked; `after` and `Last-Event-ID` are as the request has them. */
  open(call: Call<'listEvents'>): Promise<Reply<'listEvents'>>;
}

/** An answer that lasts until one side ends it. */
export interface Live {
  /** Begins it, or says why not; nothing was sent then. */
  live(exchange: Exchange): Promise<ProblemInit | undefined>;
}
