/** Tokens, and the addresses that are bound to one owner. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Scope, TokenLimits } from '../../gateway/types.ts';
import { bindingOfRow, tokenOfRow } from '../admin-rows.ts';
import type { AddressBindingsTable } from '../schema.ts';
import type { BindingPageQuery, StoredBinding, StoredToken, TokenPageQuery, TokenUse } from '../types.ts';
import type { QueryContext } from './context.ts';

export async function token({ db }: QueryContext, id: string): Promise<StoredToken | undefined> {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : tokenOfRow(row);
}

export async function tokens({ db }: QueryContext): Promise<StoredToken[]> {
  const rows = await db.selectFrom('tokens').selectAll().orderBy('created_at_ms').orderBy('id').execute();
  return rows.map(tokenOfRow);
}

export async function tokenPage(
  { db }: QueryContext,
  { limit, owner, usableAtMs, after }: TokenPageQuery,
): Promise<StoredToken[]> {
  let query = db.selectFrom('tokens').selectAll();
  if (owner !== undefined) query = query.where('owner', '=', owner);
  if (usableAtMs !== undefined) {
    query = query
      .where('revoked_at_ms', 'is', null)
      .where((or) => or.or([or('expires_at_ms', 'is', null), or('expires_at_ms', '>', usableAtMs)]));
  }
  if (after !== undefined)
    query = query.where((or) =>
      or.or([
        or('created_at_ms', '<', after.createdAtMs),
        or.and([or('created_at_ms', '=', after.createdAtMs), or('id', '<', after.id)]),
      ]),
    );
  const rows = await query.orderBy('created_at_ms', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(tokenOfRow);
}

export async function insertToken({ db }: QueryContext, made: StoredToken): Promise<void> {
  await db
    .insertInto('tokens')
    .values({
      id: made.id,
      secret_sha256: Buffer.from(made.secretSha256),
      owner: made.owner,
      scopes: JSON.stringify(made.scopes),
      created_at_ms: made.createdAtMs,
      expires_at_ms: made.expiresAtMs ?? null,
      revoked_at_ms: made.revokedAtMs ?? null,
      rate_per_s: made.limits?.ratePerS ?? null,
      pending_max: made.limits?.pendingMax ?? null,
    })
    .execute();
}

export async function revokeToken({ db }: QueryContext, id: string, atMs: number): Promise<boolean> {
  const result = await db
    .updateTable('tokens')
    .set({ revoked_at_ms: atMs })
    .where('id', '=', id)
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function expireToken({ db }: QueryContext, id: string, atMs: number): Promise<void> {
  await db.updateTable('tokens').set({ expires_at_ms: atMs }).where('id', '=', id).execute();
}

export async function setTokenScopes({ db }: QueryContext, id: string, scopes: readonly Scope[]): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ scopes: JSON.stringify(scopes) })
    .where('id', '=', id)
    .execute();
}

export async function setTokenLimits(
  { db }: QueryContext,
  id: string,
  { ratePerS = null, pendingMax = null }: { [Name in keyof TokenLimits]?: number | null },
): Promise<void> {
  await db.updateTable('tokens').set({ rate_per_s: ratePerS, pending_max: pendingMax }).where('id', '=', id).execute();
}

export async function markTokensUsed({ db, fragments }: QueryContext, uses: readonly TokenUse[]): Promise<void> {
  if (uses.length === 0) return;
  const rows = fragments.rowset(
    { id: 'text', at_ms: 'integer' },
    uses.map(({ id, atMs }) => [id, atMs]),
  );
  await sql`update tokens set last_used_at_ms = r.at_ms from ${rows} r
    where tokens.id = r.id and (tokens.last_used_at_ms is null or tokens.last_used_at_ms < r.at_ms)`.execute(db);
}

export function selectBindings(
  { fragments }: QueryContext,
  addresses: readonly string[],
): RawBuilder<AddressBindingsTable> {
  const wanted = fragments.rowset(
    { address: 'text' },
    addresses.map((address) => [address]),
  );
  return sql`select b.* from ${wanted} w join address_bindings b on b.address = w.address`;
}

export async function bindings(context: QueryContext, addresses: readonly string[]): Promise<StoredBinding[]> {
  if (addresses.length === 0) return [];
  const { rows } = await selectBindings(context, addresses).execute(context.db);
  return rows.map(bindingOfRow);
}

export async function allBindings({ db }: QueryContext): Promise<StoredBinding[]> {
  const rows = await db.selectFrom('address_bindings').selectAll().orderBy('address').execute();
  return rows.map(bindingOfRow);
}

export async function bindingPage(
  { db }: QueryContext,
  { limit, owner, after }: BindingPageQuery,
): Promise<StoredBinding[]> {
  let query = db.selectFrom('address_bindings').selectAll();
  if (owner !== undefined) query = query.where('owner', '=', owner);
  if (after !== undefined) query = query.where('address', '>', after);
  const rows = await query.orderBy('address').limit(limit).execute();
  return rows.map(bindingOfRow);
}

export async function removeBinding({ db }: QueryContext, address: string): Promise<StoredBinding | undefined> {
  const row = await db.deleteFrom('address_bindings').where('address', '=', address).returningAll().executeTakeFirst();
  return row && bindingOfRow(row);
}

export async function saveBinding({ db }: QueryContext, binding: StoredBinding): Promise<void> {
  const values = { owner: binding.owner, bound_at_ms: binding.boundAtMs };
  await db
    .insertInto('address_bindings')
    .values({ address: binding.address, ...values })
    .onConflict((conflict) => conflict.column('address').doUpdateSet(values))
    .execute();
}
