/** One page of the list of transfers, newest first by when this service first saw them. */
import type { Store, StoredTransfer } from '../../store/index.ts';
import { LIST_LIMIT_MAX } from '../limits.ts';
import { refuseField } from '../refusals.ts';
import type { ListQuery, Refusal } from '../types.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { sidesOf } from './sides.ts';

export type Page = { ok: true; transfers: StoredTransfer[]; nextCursor?: string } | Refusal;

export async function listTransfers(store: Store, chainId: string, query: ListQuery): Promise<Page> {
  const { limit, cursor, status, nonce } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_LIMIT_MAX) {
    return refuseField('invalid_request', '#/query/limit', `The parameter limit must be from 1 to ${LIST_LIMIT_MAX}.`);
  }
  const before = cursor === undefined ? undefined : decodeCursor(chainId, query, cursor);
  if (cursor !== undefined && before === undefined) {
    return refuseField('invalid_request', '#/query/cursor', 'The cursor is not one that this list answered. Send nextCursor of the page before unchanged, with the same filters.');
  }
  const { transfers, nextBefore } = await store.read(async (tx) => {
    const addresses = [query.from, query.to, query.account].filter((address) => address !== undefined);
    const accounts = new Map((await tx.accountsByAddress([...new Set(addresses)])).map((account) => [account.address, account.id]));
    const sides = sidesOf(query, (address) => accounts.get(address));
    if (sides !== undefined && sides.length === 0) return { transfers: [], nextBefore: undefined };
    return await tx.listTransfers({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(status === undefined ? {} : { status }),
      ...(sides === undefined ? {} : { sides }),
      ...(nonce === undefined ? {} : { nonce }),
    });
  });
  return { ok: true, transfers, ...(nextBefore === undefined ? {} : { nextCursor: encodeCursor(chainId, query, nextBefore) }) };
}
