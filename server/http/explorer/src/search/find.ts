/** Looks up the possible meanings of a search. The result is the place to open, or the text that was not found. */
import type { TransactionPage } from '../../../../../client/src/contract.ts';
import { type Chain, get, rpc, type Transaction } from '../api.ts';
import { asProblem, type Problem } from '../problem.ts';
import { accountHref, blockHref, transactionHref } from '../route.ts';
import { developmentAccounts, token } from '../session.ts';
import type { Meant } from './classify.ts';

export type Found =
  | { readonly kind: 'place'; readonly href: string }
  | {
      readonly kind: 'transfers';
      readonly reference: string;
      readonly transfers: readonly Transaction[];
      readonly isMore: boolean;
    }
  | { readonly kind: 'none'; readonly sentences: readonly string[] };

/** A reference is chosen by the payer, so several transfers can have the same one. */
const TRANSFERS_MAX = 50;

/** The text that replaces a skipped look-up of transfers. */
const NEEDS_TOKEN = 'Transfers can only be searched with a token that has transactions:read. Give one above.';

export async function find(meant: Meant, signal: AbortSignal): Promise<Found> {
  switch (meant.kind) {
    case 'nothing':
      return { kind: 'none', sentences: [] };
    case 'fault':
      return { kind: 'none', sentences: [meant.message] };
    case 'address':
      return { kind: 'place', href: accountHref(meant.address) };
    case 'name':
      return {
        kind: 'place',
        href: accountHref(developmentAccounts().find(({ name }) => name === meant.name)?.address ?? ''),
      };
    case 'hash':
      return await findHash(meant.hash, signal);
    case 'height':
      return await findHeight(meant.height, meant.reference, signal);
    case 'reference':
      return (
        (await findReference(meant.reference, signal)) ?? {
          kind: 'none',
          sentences: [
            token() === undefined
              ? NEEDS_TOKEN
              : `No transfer has the reference “${meant.reference}”. References are compared as they are, with their case.`,
          ],
        }
      );
  }
}

async function findHash(hash: string, signal: AbortSignal): Promise<Found> {
  // A list, which may be empty, so that a hash without a transfer is not an error.
  const [block, transfer] = await Promise.all([
    rpc<{ block: { header: { height: string } } | null }>('block_by_hash', { hash: `0x${hash}` }, signal),
    findTransfer(hash, signal),
  ]);
  if (block.block !== null) return { kind: 'place', href: blockHref(block.block.header.height) };
  if (transfer) return { kind: 'place', href: transactionHref(hash) };
  return {
    kind: 'none',
    sentences: [
      `No block and no transfer has the hash ${hash}. Both were looked up.`,
      ...(token() === undefined ? [NEEDS_TOKEN] : []),
    ],
  };
}

async function findTransfer(hash: string, signal: AbortSignal): Promise<boolean> {
  if (token() === undefined) return false;
  try {
    await get(`transactions/${hash}`, {}, signal);
    return true;
  } catch (error) {
    const problem: Problem = asProblem(error);
    if (problem.code === 'not_found') return false;
    throw problem;
  }
}

async function findHeight(height: number, reference: string, signal: AbortSignal): Promise<Found> {
  const [chain, transfers] = await Promise.all([get<Chain>('chain', {}, signal), findReference(reference, signal)]);
  if (transfers !== undefined) return transfers;
  if (height <= chain.height) return { kind: 'place', href: blockHref(height) };
  return {
    kind: 'none',
    sentences: [
      `Block ${height} is not there yet: the last one is ${chain.height}. No transfer has the reference “${reference}” either.`,
    ],
  };
}

async function findReference(reference: string, signal: AbortSignal): Promise<Found | undefined> {
  if (token() === undefined) return undefined;
  const { transactions, nextCursor } = await get<TransactionPage>(
    'transactions',
    { reference, limit: TRANSFERS_MAX },
    signal,
  );
  const [first] = transactions;
  if (first === undefined) return undefined;
  return { kind: 'transfers', reference, transfers: transactions, isMore: nextCursor !== undefined };
}
