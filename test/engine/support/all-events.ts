/** Every event of an engine's blocks, as one who subscribed to all of them gets them. */
import type { Engine } from '../../../server/engine/port.ts';

const TYPES = ['NewBlock', 'NewBlockHeader', 'Tx', 'ValidatorSetUpdates'];

export interface HeardEvent {
  type: string;
  /** The text of "data". */
  json: string;
  events: Record<string, string[]>;
}

export async function allEvents(
  engine: Pick<Engine, 'events'>,
  fromHeight: number,
  limit: number,
): Promise<{ height: number; events: HeardEvent[] }[]> {
  const added = TYPES.map((type, id) => ({ id, query: `tm.event='${type}'` }));
  const answer = await engine.events({ fromHeight, limit, queries: { base: 0, version: 1, added, removed: [] } });
  if (!answer.known) throw new Error('the whole set of queries was not taken');
  return answer.blocks.map(({ height, events }) => ({
    height,
    events: events.map(({ type, data, events: keys }) => ({
      type,
      json: data,
      events: JSON.parse(keys) as Record<string, string[]>,
    })),
  }));
}
