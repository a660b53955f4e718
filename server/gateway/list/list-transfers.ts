/** One page of the list of transfers, newest first by when this service first saw them. */
import { transferQuestions } from '../../store/transfer-questions.ts';
import type { Store, StoredTransfer } from '../../store/index.ts';
import { LIST_LIMIT_MAX } from '../limits.ts';
import { refuseField } from '../refusals.ts';
import type { ListQuery, Refusal } from '../types.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { sidesOf } from './sides.ts';

export type Page = { ok: true; transfers: StoredTransfer[]; nextCursor?: string } | Refusal;

/** Beginning of a page: below this seq, or undefined at the newest; a refusal of the limit or the cursor. */
export function pageStart(chainId: string, query: ListQuery): number | Refusal | undefined {
  const { limit, cursor } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_LIMIT_MAX) {
    return refuseField('invalid_request', '#/query/limit', `The parameter limit must be from 1 to ${LIST_LIMIT_MAX}.`);
  }
  if (cursor === undefined) return undefined;
  return (
    decodeCursor(chainId, query, cursor) ??
    refuseField(
      'invalid_request',
      '#/query/cursor',
      'The cursor is not one that this list answered. Send nextCursor of the page before unchanged, with the same filters.',
    )
  );
}

export async function listTransfers(store: Store, chainId: string, query: ListQuery): Promise<Page> {
  const { limit, status, nonce, reference } = query;
  const before = pageStart(chainId, query);
  if (typeof before === 'object') return before;
  const addresses = new Set([query.from, query.to, query.account].filter((address) => address !== undefined));
  const { transfers, nextBefore } = await transferQuestions(store).listTransfers([...addresses], (known) => {
    const ids = new Map(known.map((account) => [account.address, account.id]));
    const sides = sidesOf(query, (address) => ids.get(address));
    if (sides !== undefined && sides.length === 0) return undefined;
    return {
      limit,
      ...(before === undefined ? {} : { before }),
      ...(status === undefined ? {} : { status }),
      ...(sides === undefined ? {} : { sides }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(reference === undefined ? {} : { reference }),
    };
  });
  return {
    ok: true,
    transfers,
    ...(nextBefore === undefined ? {} : { nextCursor: encodeCursor(chainId, query, nextBefore) }),
  };
}
