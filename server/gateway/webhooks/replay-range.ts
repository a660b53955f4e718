/** Events that a replay sends again: a bounded range, and nothing that is delivered anyway. */
import { comparePlaces, parsePlace, placeText } from '../event-place.ts';
import type { EventPlace } from '../event-types.ts';
import { refuseField } from '../refusals.ts';
import type { Refusal, Sentence } from '../types.ts';
import type { ReplayAnswer, ReplayRange } from './api.ts';
import { REPLAY_BLOCKS_MAX } from './limits.ts';

/** @param position of the endpoint in the log. */
export function replayRange(asked: ReplayRange, position: EventPlace): ReplayAnswer | Refusal {
  const refused = (member: 'after' | 'until', message: Sentence): Refusal =>
    refuseField('invalid_request', `/${member}`, message);
  const after = parsePlace(asked.after);
  if (after === undefined)
    return refused('after', 'It must be a place in the event log. Send the id of an event or the height of a block.');
  const until = asked.until === undefined ? position : parsePlace(asked.until);
  if (until === undefined)
    return refused('until', 'It must be a place in the event log. Send the id of an event or the height of a block.');
  if (comparePlaces(until, position) > 0)
    return refused(
      'until',
      `The webhook has come as far as ${placeText(position)}, and later events are delivered anyway. Send that place or an earlier one.`,
    );
  if (comparePlaces(after, until) >= 0)
    return refused(
      'after',
      `No event lies behind ${placeText(after)} and not behind ${placeText(until)}. Send an earlier place.`,
    );
  if (until.height - after.height > REPLAY_BLOCKS_MAX)
    return refused(
      'after',
      `The range has ${until.height - after.height} blocks, and ${REPLAY_BLOCKS_MAX} are allowed. Send the range in parts.`,
    );
  return { ok: true, after, until };
}
