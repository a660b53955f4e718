/** The projection of the chain's accounts, and the addresses that are only receivers. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { AccountsTable } from '../schema.ts';
import type { StoredAccount } from '../types.ts';
import type { QueryContext } from './context.ts';

export function selectAccounts({ fragments }: QueryContext, addresses: readonly string[]): RawBuilder<AccountsTable> {
  const wanted = fragments.rowset(
    { address: 'text' },
    addresses.map((address) => [address]),
  );
  return sql`select a.* from ${wanted} w join accounts a on a.address = w.address`;
}

export async function accountsByAddress(context: QueryContext, addresses: readonly string[]): Promise<StoredAccount[]> {
  if (addresses.length === 0) return [];
  const { rows } = await selectAccounts(context, addresses).execute(context.db);
  return rows.map(accountOfRow);
}

export async function accountsById({ db, fragments }: QueryContext, ids: readonly number[]): Promise<StoredAccount[]> {
  if (ids.length === 0) return [];
  const wanted = fragments.rowset(
    { id: 'integer' },
    ids.map((id) => [id]),
  );
  const { rows } = await sql<AccountsTable>`select a.* from ${wanted} w join accounts a on a.id = w.id`.execute(db);
  return rows.map(accountOfRow);
}

const COLUMNS = {
  id: 'integer',
  address: 'text',
  on_chain: 'integer',
  balance: 'text',
  nonce: 'integer',
  voids: 'text',
  reserved: 'text',
} as const;

/**
 * In the order of the addresses: of two writers that insert the same new ones at the same time the second waits for the first of them, and
 * no two wait for each other.
 */
function rowsOf({ fragments }: QueryContext, accounts: readonly StoredAccount[]): RawBuilder<unknown> {
  const ordered = accounts.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return fragments.rowset(
    COLUMNS,
    ordered.map((a) => [
      a.id,
      a.address,
      a.onChain ? 1 : 0,
      a.balance.toString(),
      a.nonce,
      a.voids === 0n ? '' : a.voids.toString(16),
      a.reserved.toString(),
    ]),
  );
}

const INSERT = sql.raw(`insert into accounts (${Object.keys(COLUMNS).join(', ')})`);

export async function saveAccounts(context: QueryContext, accounts: readonly StoredAccount[]): Promise<void> {
  if (accounts.length === 0) return;
  await sql`${INSERT} select * from ${rowsOf(context, accounts)} r where true
    on conflict (id) do update set on_chain = excluded.on_chain, balance = excluded.balance, nonce = excluded.nonce,
      voids = excluded.voids, reserved = excluded.reserved`.execute(context.db);
}

export async function insertAccounts(context: QueryContext, accounts: readonly StoredAccount[]): Promise<void> {
  if (accounts.length > 0) await putNewAccounts(context, accounts).execute(context.db);
}

/** Fails where another writer was first with an address, and where one had the id. */
export const putNewAccounts = (context: QueryContext, accounts: readonly StoredAccount[]): RawBuilder<unknown> =>
  sql`${INSERT} select * from ${rowsOf(context, accounts)} r`;

export function putReserved({ fragments }: QueryContext, senders: readonly StoredAccount[]): RawBuilder<unknown> {
  const rows = fragments.rowset(
    { id: 'integer', reserved: 'text' },
    senders.map(({ id, reserved }) => [id, reserved.toString()]),
  );
  return sql`update accounts set reserved = r.reserved from ${rows} r where accounts.id = r.id`;
}

export function accountOfRow(row: AccountsTable): StoredAccount {
  return {
    id: row.id,
    address: row.address,
    onChain: row.on_chain === 1,
    balance: BigInt(row.balance),
    nonce: row.nonce,
    voids: row.voids === '' ? 0n : BigInt(`0x${row.voids}`),
    reserved: BigInt(row.reserved),
  };
}
