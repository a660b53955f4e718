/** Places in the event log, in its order. */
import type { EventPlace } from './ports.ts';

export const isBehind = (a: EventPlace, b: EventPlace): boolean =>
  a.height > b.height || (a.height === b.height && a.index > b.index);

export const furthest = (a: EventPlace, b: EventPlace): EventPlace => (isBehind(b, a) ? b : a);

export const nearest = (a: EventPlace, b: EventPlace): EventPlace => (isBehind(b, a) ? a : b);

export const samePlace = (a: EventPlace, b: EventPlace): boolean => a.height === b.height && a.index === b.index;
