/** Where the follower stands, and the chain's governance as of there. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FollowerTable } from '../schema.ts';
import type { FollowerState, StoredGovernance } from '../types.ts';
import type { QueryContext } from './context.ts';

export const SELECT_FOLLOWER: RawBuilder<FollowerTable> = sql`select * from follower where id = 1`;

export async function follower({ db }: QueryContext): Promise<FollowerState | undefined> {
  const [row] = (await SELECT_FOLLOWER.execute(db)).rows;
  return row === undefined ? undefined : followerOfRow(row);
}

export function followerOfRow(row: FollowerTable): FollowerState {
  return {
    chainId: row.chain_id,
    genesisHash: row.genesis_hash,
    height: row.height,
    hash: row.hash,
    blockTimeMs: row.block_time_ms,
    uptimeMs: row.uptime_ms,
  };
}

export async function createFollower({ db }: QueryContext, state: FollowerState): Promise<void> {
  await db
    .insertInto('follower')
    .values({
      id: 1,
      chain_id: state.chainId,
      genesis_hash: state.genesisHash,
      height: state.height,
      hash: state.hash,
      block_time_ms: state.blockTimeMs,
      uptime_ms: state.uptimeMs,
    })
    .execute();
}

export async function advanceFollower(
  { db }: QueryContext,
  to: Pick<FollowerState, 'chainId' | 'height' | 'hash' | 'blockTimeMs' | 'uptimeMs'>,
  parentHash: string,
): Promise<boolean> {
  const result = await sql`update follower set height = ${to.height}, hash = ${to.hash}, block_time_ms = ${to.blockTimeMs},
      uptime_ms = case when uptime_ms < ${to.uptimeMs} then ${to.uptimeMs} else uptime_ms end
    where id = 1 and height = ${to.height - 1} and hash = ${parentHash} and chain_id = ${to.chainId}`.execute(db);
  return result.numAffectedRows === 1n;
}

export async function saveUptime({ db }: QueryContext, uptimeMs: number): Promise<void> {
  // Several gateways count the same time: the furthest is right, and none takes it back.
  await db.updateTable('follower').set({ uptime_ms: uptimeMs }).where('id', '=', 1).where('uptime_ms', '<', uptimeMs).execute();
}

export async function governance({ db }: QueryContext): Promise<StoredGovernance | undefined> {
  const row = await db.selectFrom('governance').selectAll().where('id', '=', 1).executeTakeFirst();
  if (row === undefined) return undefined;
  return { operators: JSON.parse(row.operators), validators: JSON.parse(row.validators), sequence: row.sequence };
}

export async function saveGovernance({ db }: QueryContext, state: StoredGovernance): Promise<void> {
  const values = { operators: JSON.stringify(state.operators), validators: JSON.stringify(state.validators), sequence: state.sequence };
  await db
    .insertInto('governance')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}
