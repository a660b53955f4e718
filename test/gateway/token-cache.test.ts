/** Tokens that no one has: they push no real one out of the cache, and few of them are looked up at once. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { hash, randomBytes } from 'node:crypto';
import { TokenCache } from '../../server/gateway/access/token-cache.ts';
import { makeToken, TOKEN_RANDOM_BYTES } from '../../server/gateway/access/token-text.ts';
import {
  TOKEN_CACHE_ENTRIES_MAX,
  TOKEN_CACHE_MS,
  UNKNOWN_TOKEN_ENTRIES_MAX,
  UNKNOWN_TOKEN_LOOKUPS_MAX,
  UNKNOWN_TOKENS_WAITING_MAX,
} from '../../server/gateway/limits.ts';
import type { StoredToken } from '../../server/store/index.ts';

const clock = {
  nowMs: () => 0,
  nowNs: () => 0n,
  monotonicMs: () => nowMs,
  setTimer: () => ({ cancel: () => undefined }),
};
let nowMs = 0;
let tokens: Map<string, StoredToken>;
let asked: string[];
let answer: (() => void)[];
/** Whether lookups wait to be answered. */
let held: boolean;

const cache = () =>
  new TokenCache(clock, async (id) => {
    asked.push(id);
    if (held) await new Promise<void>((resolve) => answer.push(resolve));
    return tokens.get(id);
  });

const real = (): { text: string; id: string } => {
  const { id, text, secretSha256 } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  tokens.set(id, {
    id,
    secretSha256,
    owner: 'acme',
    scopes: ['transactions:read'],
    createdAtMs: 0,
    expiresAtMs: undefined,
    revokedAtMs: undefined,
  });
  return { text, id };
};
const invented = (at: number): string => `txl_${at.toString(16).padStart(16, '0')}_${hash('sha256', String(at))}`;
const turns = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  nowMs = 0;
  tokens = new Map();
  asked = [];
  answer = [];
  held = false;
});

describe('a real token', () => {
  test('stays in the cache whatever number of unknown ones is asked for, and is checked without a promise', async () => {
    const tokensOf = cache();
    const { text, id } = real();
    expect(await tokensOf.authenticate(text)).toMatchObject({ tokenId: id });
    for (let at = 0; at < 2 * TOKEN_CACHE_ENTRIES_MAX; at += 1)
      expect(await tokensOf.authenticate(invented(at))).toBeUndefined();
    asked = [];
    expect(tokensOf.authenticate(text)).toMatchObject({ tokenId: id, owner: 'acme' });
    expect(asked).toEqual([]);
  });

  test('is looked up again while unknown ones fill every place and the whole line', async () => {
    const tokensOf = cache();
    const { text, id } = real();
    await tokensOf.authenticate(text);
    held = true;
    const flood = Array.from({ length: UNKNOWN_TOKEN_LOOKUPS_MAX + UNKNOWN_TOKENS_WAITING_MAX }, (_, at) =>
      tokensOf.authenticate(invented(at)),
    );
    expect(await tokensOf.authenticate(invented(-1 >>> 0))).toMatchObject({
      ok: false,
      code: 'store_unavailable',
      retryAfterS: 1,
    });
    await turns();
    expect(asked.length).toBe(1 + UNKNOWN_TOKEN_LOOKUPS_MAX);
    nowMs = TOKEN_CACHE_MS;
    const again = tokensOf.authenticate(text);
    expect(asked.at(-1)).toBe(id);
    held = false;
    for (const each of answer) each();
    expect(await again).toMatchObject({ tokenId: id });
    expect(await Promise.all(flood)).toEqual(flood.map(() => undefined));
    expect(tokensOf.lookups).toEqual({ known: 1, unknown: 1 + flood.length });
  });

  test('that is revoked holds no longer than the cache remembers', async () => {
    const tokensOf = cache();
    const { text, id } = real();
    await tokensOf.authenticate(text);
    tokens.set(id, { ...tokens.get(id)!, revokedAtMs: 1 });
    nowMs = TOKEN_CACHE_MS;
    expect(TOKEN_CACHE_MS).toBeLessThan(5_000);
    expect(await tokensOf.authenticate(text)).toBeUndefined();
  });

  test('that is made after someone guessed its id holds when the guess is forgotten', async () => {
    const tokensOf = cache();
    const { text, id } = real();
    const row = tokens.get(id)!;
    tokens.delete(id);
    expect(await tokensOf.authenticate(text)).toBeUndefined();
    tokens.set(id, row);
    nowMs = TOKEN_CACHE_MS;
    expect(await tokensOf.authenticate(text)).toMatchObject({ tokenId: id });
    expect(tokensOf.authenticate(text)).toMatchObject({ tokenId: id });
  });
});

describe('an unknown token', () => {
  test('is looked up once while it is remembered, however often and by however many it is sent', async () => {
    const tokensOf = cache();
    await Promise.all(Array.from({ length: 50 }, () => tokensOf.authenticate(invented(7))));
    expect(tokensOf.authenticate(invented(7))).toBeUndefined();
    expect(asked.length).toBe(1);
    for (let at = 100; at < 100 + UNKNOWN_TOKEN_ENTRIES_MAX; at += 1) await tokensOf.authenticate(invented(at));
    await tokensOf.authenticate(invented(7));
    expect(asked.length).toBe(2 + UNKNOWN_TOKEN_ENTRIES_MAX);
  });

  test('that cannot be one never reaches the store', async () => {
    const tokensOf = cache();
    for (const text of ['', 'txl_', 'x'.repeat(4096), invented(1).toUpperCase(), `${invented(1)}0`])
      expect(await tokensOf.authenticate(text)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('whose lookup fails is asked for again', async () => {
    const tokensOf = new TokenCache(clock, async (id) => {
      asked.push(id);
      if (asked.length === 1) throw new Error('the store is away');
      return undefined;
    });
    await expect(tokensOf.authenticate(invented(1))).rejects.toThrow('away');
    expect(await tokensOf.authenticate(invented(1))).toBeUndefined();
    expect(asked.length).toBe(2);
  });
});
