/**
 * Finds a settled transfer by its hash.
 *
 * A hash is random, so an entry for each block's transfers goes to as many pages of an index over the whole history, each of which
 * PostgreSQL writes to its log as a whole after a checkpoint. There the index begins with the segment of the seq: the entries of a block
 * stay within the pages of the newest segment, and a query goes through the segments, the newest first, until one has the hash.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlFragments } from '../sql-fragments.ts';

/** The first column of the segmented index, of a table `t`. The planner takes the index for exactly this text. */
export const segmentOf = (segmentSeqs: number, seq = 't.seq'): RawBuilder<number> =>
  sql.raw(`(${seq} / ${segmentSeqs})`);

/**
 * A value: the seq of the settled transfer with this hash, null where no row has it. @param hash may name a column of the rows of the outer
 * query.
 */
export function settledSeqOf(
  { segmentSeqs }: Pick<SqlFragments, 'segmentSeqs'>,
  hash: RawBuilder<unknown>,
): RawBuilder<number | null> {
  if (segmentSeqs === undefined) return sql`(select t.seq from transfers t where t.hash = ${hash})`;
  // The limits keep it a search in one segment after the other: without them a planner may join all of them with the table.
  return sql`(select x.seq from generate_series((select max(seq) from transfers) / ${sql.lit(segmentSeqs)}, 0, -1) as g(segment)
    cross join lateral (select t.seq from transfers t where ${segmentOf(segmentSeqs)} = g.segment and t.hash = ${hash} limit 1) x limit 1)`;
}
