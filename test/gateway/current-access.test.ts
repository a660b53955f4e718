/** Tokens and bindings as the log says, while chain.db is behind it. */
import { expect, test } from '@jest/globals';
import { CurrentAccess } from '../../server/gateway/embedded/current-access.ts';
import type { StoredBinding, StoredToken } from '../../server/store/index.ts';

const token: StoredToken = {
  id: 'a1',
  secretSha256: Buffer.alloc(32),
  owner: 'acme',
  scopes: ['transactions:read'],
  createdAtMs: 1,
  expiresAtMs: undefined,
  revokedAtMs: undefined,
};

function opened(rows: { tokens?: StoredToken[]; bindings?: StoredBinding[] }) {
  const index = { accessSeq: 0 };
  let isAway = false;
  const asked: string[] = [];
  const answer = <T>(key: string, value: T): T => {
    if (isAway) throw new Error('chain.db cannot be read');
    asked.push(key);
    return value;
  };
  const access = new CurrentAccess(
    {
      token: (id) =>
        answer(
          id,
          rows.tokens?.find((one) => one.id === id),
        ),
      bindings: ([address]) => answer(String(address), rows.bindings?.filter((one) => one.address === address) ?? []),
    },
    index,
  );
  return { access, index, asked, goAway: () => (isAway = true) };
}

test('nothing is read behind an append: a change that is in the log holds, also where chain.db cannot be read then', () => {
  const { access, goAway } = opened({ tokens: [token] });
  const taken = access.prepare([
    ['expireToken', 'a1', 500],
    ['setTokenLimits', 'a1', { ratePerS: 2 }],
    ['setTokenScopes', 'a1', []],
    ['revokeToken', 'a1', 7],
    ['revokeToken', 'a1', 8],
    ['saveBinding', { address: 'x', owner: 'acme', boundAtMs: 1 }],
    ['removeBinding', 'y'],
  ]);
  goAway();
  taken(3);
  expect(access.token('a1')).toEqual({
    ...token,
    expiresAtMs: 500,
    limits: { ratePerS: 2 },
    scopes: [],
    revokedAtMs: 7,
  });
  expect(access.bindings(['x', 'y'])).toEqual([{ address: 'x', owner: 'acme', boundAtMs: 1 }]);
  expect(access.lastSeq).toBe(3);
});

test('an append that failed changes nothing', () => {
  const { access } = opened({ tokens: [token] });
  access.prepare([['revokeToken', 'a1', 7]]);
  expect(access.token('a1')).toEqual(token);
});

test('memory forgets a change when chain.db has it, and only then', () => {
  const bindings: StoredBinding[] = [];
  const { access, index, asked } = opened({ bindings });
  expect(access.bindings(['x'])).toEqual([]);
  const first = { address: 'x', owner: 'acme', boundAtMs: 1 };
  const second = { address: 'x', owner: 'globex', boundAtMs: 2 };
  access.prepare([['saveBinding', first]])(5);
  access.prepare([['saveBinding', second]])(8);
  bindings.push(first);
  index.accessSeq = 5;
  expect(access.bindings(['x'])).toEqual([second]);
  bindings[0] = second;
  index.accessSeq = 8;
  asked.length = 0;
  expect([access.bindings(['x']), access.bindings(['x'])]).toEqual([[second], [second]]);
  // The second time from memory: no other process changes a row.
  expect(asked).toEqual(['x']);
});

test('when a token was used last is worth no wait', () => {
  const { access } = opened({ tokens: [token] });
  access.prepare([['revokeToken', 'a1', 7]])(4);
  access.prepare([['markTokensUsed', [{ id: 'a1', atMs: 9 }]]])(6);
  expect(access.lastSeq).toBe(4);
});
