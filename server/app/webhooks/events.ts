/** Reads the event log for delivery, over connections of its own. @module */
import type { Clock, Logger } from '../../engine/ports.ts';
import { eventSource } from '../../gateway/webhooks/delivery/event-source.ts';
import type { EventSource } from '../../gateway/webhooks/delivery/ports.ts';
import type { StoreSharing } from '../../store/index.ts';
import { type AdminLocation, awaitStore } from '../store-location.ts';

/**
 * Interval at which the end of the log is read: one row of an index on this machine. A shared database also announces blocks, so it is
 * queried less often.
 */
const POLL_MS = 50;
const POLL_SHARED_MS = 1000;

export interface EventLog {
  source: EventSource;
  /** Only if several gateways use the database. */
  sharing: StoreSharing | undefined;
  close(): Promise<void>;
}

export interface EventLogOptions {
  location: AdminLocation;
  /** Shared memory about chain.db: see CommitCount. */
  commits: SharedArrayBuffer;
  chainId: string;
  clock: Clock;
  logger: Logger;
}

/** Opens the log, and loads only the modules that its database needs. */
export async function openEventLog({ location, commits, chainId, clock, logger }: EventLogOptions): Promise<EventLog> {
  if (location.kind === 'chain') {
    const [{ openChainReader, STREAM_CACHE_KIB }, { EventReader }, { eventListQuery, eventPage }, { CommitCount }] =
      await Promise.all([
        import('../../store/embedded/connection.ts'),
        import('../../store/embedded/event-reader.ts'),
        import('../../gateway/list/event-pages.ts'),
        import('../../store/embedded/commit-count.ts'),
      ]);
    const count = new CommitCount(commits);
    const sql = openChainReader(location.path, STREAM_CACHE_KIB);
    const reader = new EventReader(sql);
    const source = eventSource({
      list: async (query) => {
        const { height, logHeight } = count;
        // A block that takes longer is found by the next poll.
        if (height < logHeight) await count.beyond(height, POLL_MS);
        const asked = eventListQuery(chainId, query);
        if (asked === 'nothing') throw new TypeError('a list without filters has something to look for');
        if ('ok' in asked) return asked;
        const found = reader.list(asked);
        return eventPage(chainId, query, found, found.height);
      },
      pollMs: POLL_MS,
      clock,
    });
    return { source, sharing: undefined, close: async () => void sql.close() };
  }
  const [store, { listEvents }] = await Promise.all([
    awaitStore(location, { clock, logger }),
    import('../../gateway/list/list-events.ts'),
  ]);
  const { sharing } = store;
  const source = eventSource({
    list: (query) => listEvents(store, chainId, query),
    pollMs: sharing ? POLL_SHARED_MS : POLL_MS,
    clock,
    watch:
      sharing &&
      ((listener) =>
        sharing.watch((change) => (change.kind === 'applied' || change.kind === 'missed' ? listener() : undefined))),
  });
  return { source, sharing, close: () => store.close() };
}
