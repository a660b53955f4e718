/** The last applied block, and the chain's governance as of it. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FollowerTable } from '../schema.ts';
import type { FollowerState, FollowerStep, StoredGovernance, StoredValidatorSet } from '../types.ts';
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
    verifiedHeight: row.verified_height,
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
      verified_height: state.verifiedHeight,
    })
    .execute();
}

export async function advanceFollower({ db }: QueryContext, to: FollowerStep, parentHash: string): Promise<boolean> {
  const parentVerified = to.verifiedFromGenesis === true ? sql`1 = 1` : sql`verified_height = ${to.height - 1}`;
  const result =
    await sql`update follower set height = ${to.height}, hash = ${to.hash}, block_time_ms = ${to.blockTimeMs},
      uptime_ms = case when uptime_ms < ${to.uptimeMs} then ${to.uptimeMs} else uptime_ms end,
      verified_height = case when ${parentVerified} then ${to.height} else verified_height end
    where id = 1 and height = ${to.height - 1} and hash = ${parentHash} and chain_id = ${to.chainId}`.execute(db);
  return result.numAffectedRows === 1n;
}

export async function saveUptime({ db }: QueryContext, uptimeMs: number): Promise<void> {
  // Several gateways count the same time: the greatest value is correct, and none lowers it.
  await db
    .updateTable('follower')
    .set({ uptime_ms: uptimeMs })
    .where('id', '=', 1)
    .where('uptime_ms', '<', uptimeMs)
    .execute();
}

export async function governance({ db }: QueryContext): Promise<StoredGovernance | undefined> {
  const row = await db.selectFrom('governance').selectAll().where('id', '=', 1).executeTakeFirst();
  if (row === undefined) return undefined;
  return JSON.parse(row.record) as StoredGovernance;
}

export async function saveGovernance({ db }: QueryContext, state: StoredGovernance): Promise<void> {
  const values = { record: JSON.stringify(state) };
  await db
    .insertInto('governance')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

export async function validatorSets({ db }: QueryContext): Promise<StoredValidatorSet[]> {
  const rows = await db.selectFrom('validator_sets').selectAll().orderBy('height').execute();
  return rows.map(({ height, validators }) => ({ height, validators: JSON.parse(validators) }));
}

export async function saveValidatorSets({ db }: QueryContext, sets: readonly StoredValidatorSet[]): Promise<void> {
  // One by one: they are as many as there were changes of validators, and written when one happens.
  for (const { height, validators } of sets) {
    const values = { validators: JSON.stringify(validators) };
    await db
      .insertInto('validator_sets')
      .values({ height, ...values })
      .onConflict((conflict) => conflict.column('height').doUpdateSet(values))
      .execute();
  }
}
