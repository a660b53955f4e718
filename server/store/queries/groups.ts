/**
 * What a group of submissions is judged by, and what it changes: one statement each where every statement has a price of
 * its own, and otherwise one for each table.
 */
import type { RawBuilder } from 'kysely';
import type { AccountsTable, AddressBindingsTable, CountersTable, FollowerTable, OwnersTable } from '../schema.ts';
import type { AcceptedRows, GroupNeeds, GroupStanding } from '../types.ts';
import { bindingOfRow } from '../admin-rows.ts';
import { selectBindings } from './access.ts';
import { accountOfRow, putAccounts, selectAccounts } from './accounts.ts';
import { followerOfRow, SELECT_FOLLOWER } from './chain.ts';
import type { QueryContext } from './context.ts';
import { putIdempotencyKeys } from './idempotency.ts';
import { countersOfRow, putCounters, putOwners, SELECT_COUNTERS, selectOwners } from './owners.ts';
import { putTransfers } from './transfer-writes.ts';

type Standing = [CountersTable[], FollowerTable[], AccountsTable[], AddressBindingsTable[], OwnersTable[]];

export async function groupStanding(context: QueryContext, { addresses, senders, owners }: GroupNeeds): Promise<GroupStanding> {
  const selects = [SELECT_COUNTERS, SELECT_FOLLOWER, selectAccounts(context, addresses), selectBindings(context, senders), selectOwners(context, owners)];
  const [counters, follower, accounts, bindings, named] = (await rowsOf(context, selects)) as Standing;
  return {
    counters: countersOfRow(counters[0]),
    follower: follower[0] && followerOfRow(follower[0]),
    accounts: accounts.map(accountOfRow),
    bindings: bindings.map(bindingOfRow),
    owners: named,
  };
}

/** The rows of each select. */
async function rowsOf({ db, fragments }: QueryContext, selects: readonly RawBuilder<unknown>[]): Promise<unknown[][]> {
  if (fragments.selectTogether === undefined) return await Promise.all(selects.map(async (select) => (await select.execute(db)).rows));
  const { rows } = await fragments.selectTogether(selects).execute(db);
  return selects.map((_, i) => rows[0]?.[`s${i}`] ?? []);
}

export async function saveAccepted(context: QueryContext, { accounts, owners, transfers, counters }: AcceptedRows): Promise<void> {
  const { db, fragments } = context;
  const keys = putIdempotencyKeys(context, transfers);
  const changes = [
    putAccounts(context, accounts),
    ...(owners.length > 0 ? [putOwners(context, owners)] : []),
    putTransfers(context, transfers),
    ...(keys === undefined ? [] : [keys]),
    putCounters(counters),
  ];
  const statements = fragments.changeTogether === undefined ? changes : [fragments.changeTogether(changes)];
  await Promise.all(statements.map((statement) => statement.execute(db)));
}
