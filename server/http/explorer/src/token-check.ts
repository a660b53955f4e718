/** Checks a token and its rights, by calls without an effect. */
import { encodeAddress } from '../../../../client/src/crypto/address.ts';
import { call, type Chain, get } from './api.ts';
import { asProblem, NOT_ASKED, Problem } from './problem.ts';

/** The public key of the first test of RFC 8032, which holds no money. A dry run needs an address. */
const KNOWN_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
/** Tokens are ASCII without spaces; anything else is not allowed in a header. */
const TOKEN = /^[!-~]+$/;

/** @throws Problem if the token is not valid, or if the service does not answer. */
export async function tryToken(token: string): Promise<{ missing: readonly string[] }> {
  if (!TOKEN.test(token))
    throw new Problem(NOT_ASKED, 'This cannot be a token: a token has no spaces and only ASCII characters.');
  const headers = { Authorization: `Bearer ${token}` };
  const missing: string[] = [];
  const needs = async (sentence: string, work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code !== 'insufficient_scope') throw problem;
      missing.push(sentence);
    }
  };
  await needs(
    'It lacks transactions:read, so transfers and accounts cannot be shown.',
    call('transactions', { query: { limit: 1 }, headers }),
  );
  const { addressPrefix } = await get<Chain>('chain');
  const address = encodeAddress(
    Uint8Array.from(KNOWN_KEY.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)),
    addressPrefix,
  );
  await needs(
    'It lacks transactions:write, so nothing can be cancelled.',
    call('transactions/check', {
      method: 'POST',
      body: { from: address, to: address, amount: '1', nonce: 0 },
      headers,
    }),
  );
  return { missing };
}
