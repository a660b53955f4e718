/** The event log as server-sent events: the interface that the handler of listEvents calls to serve streams. */
import type { Call, Live, ProblemReply } from '../typed/types.ts';

export interface EventStreams {
  /** The owner rule and the form of the filters were checked before; `after` and `Last-Event-ID` are unchanged from the request. */
  open(
    call: Call<'listEvents'>,
  ): Promise<ProblemReply<'listEvents'> | { status: 200; mediaType: 'text/event-stream'; body: Live }>;
}
