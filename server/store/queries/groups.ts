/**
 * State that a group of submissions is checked against, and its changes: one statement each where every statement has a price of its own,
 * and otherwise one for each table.
 */
import type { RawBuilder } from 'kysely';
import type { AccountsTable, AddressBindingsTable, FollowerTable, ShardsTable } from '../schema.ts';
import type { AcceptedRows, GroupNeeds, GroupStanding, StoredOwner } from '../types.ts';
import { bindingOfRow } from '../admin-rows.ts';
import { selectBindings } from './access.ts';
import { accountOfRow, putNewAccounts, putReserved, selectAccounts } from './accounts.ts';
import { followerOfRow, SELECT_FOLLOWER } from './chain.ts';
import type { QueryContext } from './context.ts';
import { sendAll } from './context.ts';
import { putIdempotencyKeys } from './idempotency.ts';
import { putNewOwners, putOwnerChanges, putShards, SELECT_SHARDS, selectOwners, shardOfRow } from './owners.ts';
import { putPending } from './transfer-writes.ts';

type Standing = [ShardsTable[], FollowerTable[], AccountsTable[], AddressBindingsTable[], StoredOwner[]];

export async function groupStanding(
  context: QueryContext,
  { addresses, senders, owners }: GroupNeeds,
): Promise<GroupStanding> {
  const selects = [
    SELECT_SHARDS,
    SELECT_FOLLOWER,
    selectAccounts(context, addresses),
    selectBindings(context, senders),
    selectOwners(context, owners),
  ];
  const [shards, follower, accounts, bindings, named] = (await rowsOf(context, selects)) as Standing;
  return {
    shards: shards.map(shardOfRow),
    follower: follower[0] && followerOfRow(follower[0]),
    accounts: accounts.map(accountOfRow),
    bindings: bindings.map(bindingOfRow),
    owners: named,
  };
}

/** The rows of each select. */
async function rowsOf({ db, fragments }: QueryContext, selects: readonly RawBuilder<unknown>[]): Promise<unknown[][]> {
  if (fragments.selectTogether === undefined)
    return await Promise.all(selects.map(async (select) => (await select.execute(db)).rows));
  const { rows } = await fragments.selectTogether(selects).execute(db);
  return selects.map((_, i) => rows[0]?.[`s${i}`] ?? []);
}

export async function saveAccepted(
  context: QueryContext,
  { shards, senders, newAccounts, newOwners, ownerChanges, transfers }: AcceptedRows,
): Promise<void> {
  const { fragments } = context;
  const keys = putIdempotencyKeys(context, transfers);
  const changes = [
    ...(newAccounts.length > 0 ? [putNewAccounts(context, newAccounts)] : []),
    ...(newOwners.length > 0 ? [putNewOwners(context, newOwners)] : []),
    putReserved(context, senders),
    putOwnerChanges(context, ownerChanges),
    putPending(context, transfers),
    ...(keys === undefined ? [] : [keys]),
    putShards(context, shards),
  ];
  // As one statement all of it is sent or none of it, so that the commit may follow at once.
  const statements = fragments.changeTogether === undefined ? changes : [fragments.changeTogether(changes)];
  await sendAll(context, statements);
}
