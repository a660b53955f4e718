/** Every migration in order. The list is written by hand because a folder scan would run any file in the folder. */
import type { Migration } from 'kysely/migration';
import type { SqlFragments } from '../sql-fragments.ts';
import * as chainFormat2 from './0001-chain-format-2.ts';
import * as tokenLimits from './0002-token-limits.ts';
import * as eventsAndWebhooks from './0003-events-and-webhooks.ts';
import * as pendingAndShards from './0004-pending-and-shards.ts';
import * as voidsByHash from './0005-voids-by-hash.ts';
import * as fewerRandomPages from './0006-fewer-random-pages.ts';

/** Since this one a database has shards. */
export const BY_SHARDS = '0004-pending-and-shards';

export function migrations(fragments: SqlFragments): Record<string, Migration> {
  return {
    '0001-chain-format-2': { up: (db) => chainFormat2.up(db, fragments) },
    '0002-token-limits': { up: tokenLimits.up },
    '0003-events-and-webhooks': { up: eventsAndWebhooks.up },
    [BY_SHARDS]: { up: (db) => pendingAndShards.up(db, fragments) },
    '0005-voids-by-hash': { up: voidsByHash.up },
    '0006-fewer-random-pages': { up: (db) => fewerRandomPages.up(db, fragments) },
  };
}
