/** Idempotency keys: which transfer a key of an owner belongs to. A row is written with the transfer that it names, and never changed. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { KeyedTransfer, NewTransfer, OwnedKey } from '../types.ts';
import type { QueryContext } from './context.ts';
import type { TransferRow } from './transfer-row.ts';
import { selectTransfers, transferOfRow } from './transfer-row.ts';

export async function transfersByKey(
  { db, fragments }: QueryContext,
  keys: readonly OwnedKey[],
): Promise<KeyedTransfer[]> {
  if (keys.length === 0) return [];
  const wanted = fragments.rowset(
    { owner: 'text', key: 'text' },
    keys.map(({ owner, key }) => [owner, key]),
  );
  const known = sql`from ${wanted} w join owners k on k.name = w.owner join idempotency_keys i on i.owner_id = k.id and i.idempotency_key = w.key`;
  const { rows } = await selectTransfers<TransferRow & { key_owner: string; key: string }>({
    pending: sql`${known} join pending t on t.seq = i.seq`,
    settled: sql`${known} join transfers t on t.seq = i.seq`,
    and: sql`w.owner as key_owner, w.key as key`,
  }).execute(db);
  return rows.map((row) => ({ owner: row.key_owner, key: row.key, transfer: transferOfRow(row) }));
}

/** Undefined when none of the transfers came with a key: then there is nothing to write. */
export function putIdempotencyKeys(
  { fragments }: QueryContext,
  transfers: readonly NewTransfer[],
): RawBuilder<unknown> | undefined {
  const keyed = transfers.flatMap(({ ownerId, idempotencyKey, seq }) =>
    ownerId === undefined || idempotencyKey === undefined ? [] : [[ownerId, idempotencyKey, seq]],
  );
  if (keyed.length === 0) return undefined;
  const rows = fragments.rowset({ owner_id: 'integer', idempotency_key: 'text', seq: 'integer' }, keyed);
  return sql`insert into idempotency_keys (owner_id, idempotency_key, seq) select * from ${rows} r`;
}
