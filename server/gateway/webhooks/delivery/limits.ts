/** The bounds of delivery, each with its reason. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits between the attempts for one event; the last one repeats. The first are short, because an undelivered event holds back everything
 * behind it and most failures are a receiver that restarts; the last is as long as a night's outage can spare.
 */
export const RETRY_DELAYS_MS = [
  SECOND_MS,
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const;
/** Each wait is longer or shorter by up to this share, so that endpoints that failed together do not come back together. */
export const RETRY_JITTER = 0.2;
/** An endpoint that has accepted nothing for so long is disabled: a weekend, and the Monday to notice. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** But not before so many attempts: a wall clock that jumps forward by days disables nothing. */
export const ATTEMPTS_MIN = 10;
/**
 * A Retry-After lengthens a wait up to this; it never shortens one. More would let a target keep an endpoint enabled that is never tried.
 */
export const RETRY_AFTER_MS_MAX = HOUR_MS;

/**
 * Attempts for one event of a replay, or for a notice: these are wanted now, so waits of hours would make no sense. About 36 s by the
 * delays above.
 */
export const SIDE_ATTEMPTS_MAX = 4;

/** Requests in flight of all endpoints: a socket and about 64 KiB each, so 8 MiB. */
export const IN_FLIGHT_MAX = 128;
/** The part of these for endpoints that were slow the last time or failed: there are always places for the others. */
export const IN_FLIGHT_SLOW_MAX = 64;
/** An answer within this makes an endpoint a fast one. */
export const FAST_MS_MAX = SECOND_MS;

/** Deliveries are written after so long, or so many of them. A process that is killed repeats at most two such groups. */
export const SAVE_MS = 100;
export const SAVE_DELIVERIES = 200;
/** Events that were only passed over cost nothing to pass over again. */
export const SAVE_PASSED_MS = 2 * SECOND_MS;
/** After a write that failed. */
export const SAVE_RETRY_MS = 500;
/** Where endpoints are rows behind a log: the interval of the entries with the places of all of them (protocol.md, rule 39). */
export const PLACE_ENTRY_MS = 10 * SECOND_MS;
/**
 * Places of one entry, about 70 bytes each: payments wait for an append of less than 100 KiB. More endpoints than that have another entry.
 */
export const PLACES_OF_ENTRY_MAX = 1000;

/** Interval of the polls for changes of endpoints by other gateways and the API: changes have effect within a second. */
export const ENDPOINTS_POLL_MS = 500;

/** Events of one read: a few milliseconds of a thread that others wait for. */
export const READ_EVENTS_MAX = 200;
/** The newest events, cached for the queues of all endpoints together: a thousand endpoints read each block once. About 2 MiB. */
export const TAIL_EVENTS_MAX = 2000;
/** Pause after a read that failed. */
export const READ_RETRY_MS = 500;

/** Time for requests in flight when the service stops: within the 10 s of a drain. */
export const STOP_MS_MAX = 3 * SECOND_MS;

/** Upper end of the metric of events that wait: it is found by reading them. */
export const LAG_EVENTS_MAX = 1000;
