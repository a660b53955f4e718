/** Describes an account for a person. @module */
import type { Account } from '../../client/src/index.ts';
import type { ShowAmount } from './amounts.ts';
import { facts } from './output.ts';

export function describeAccount(
  { address, balance, available, pendingOut, nonce, nextNonce, gaps, height, blockTime }: Account,
  show: ShowAmount,
): string[] {
  const missing = gaps.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ');
  return facts([
    ['address', address],
    ['balance', show(balance)],
    ['available', `${show(available)}, with ${show(pendingOut)} pending`],
    ['nonce', `${nonce}; the next to sign is ${nextNonce}`],
    ...(missing === '' ? [] : [['missing', `${missing}: later transfers wait for these nonces`] as const]),
    ['block', `${height}  ${blockTime}`],
  ]);
}
