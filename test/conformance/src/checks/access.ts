/** Tokens and bound addresses, with a token that may manage both. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { signRandomised } from '../ed25519.ts';
import { expect, expectEqual, Skipped } from '../expect.ts';
import type { Answer, Ask } from '../http.ts';
import type { Session } from '../session.ts';
import { hashOf, rawBytes, signBytes } from '../signer.ts';
import { randomUUID } from 'node:crypto';

const WHERE = 'the contract, tag Access';
/** In every gateway. */
const FOLLOW_MS_MAX = 5_000;
const POLL_MS = 100;
/** Less than the overlap of a rotation. */
const LIFE_S = 600;
/** In which a block may come before what the check is about. */
const SIGNATURE_TURNS = 8;

const newOwner = (): string => `conformance-${randomUUID().slice(0, 8)}`;

function manager(session: Session): (operationId: string, path: string, asked?: Ask) => Promise<Answer> {
  const { adminToken } = session.tokens;
  if (adminToken === undefined) throw new Skipped('needs --admin-token');
  return (operationId, path, asked = {}) =>
    session.manage(operationId, path, {
      ...asked,
      headers: { authorization: `Bearer ${adminToken}`, ...asked.headers },
    });
}

const statusWith = async (session: Session, token: string): Promise<number> =>
  (await session.call('/transactions?limit=1', { headers: { authorization: `Bearer ${token}` } })).status;

/** Until the token is refused; a gateway may keep what it knows for some seconds. */
async function expectRefusedSoon(session: Session, token: string, what: string): Promise<void> {
  const deadline = Date.now() + FOLLOW_MS_MAX;
  while ((await statusWith(session, token)) !== 401) {
    expect(Date.now() < deadline, `${what} is refused within ${FOLLOW_MS_MAX / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export const ACCESS_CHECKS: readonly Check[] = [
  {
    id: 'access.tokens',
    promise:
      'a token is made with a text that no other answer shows, changed, replaced and revoked, and is refused from then on',
    where: WHERE,
    run: async (session) => {
      const manage = manager(session);
      const owner = newOwner();
      const made = await manage('createToken', '/access/tokens', { body: { owner, scopes: ['transactions:read'] } });
      expectEqual(
        [made.status, made.body.owner, made.body.scopes],
        [201, owner, ['transactions:read']],
        'status, owner and scopes of a new token',
      );
      const { token, tokenId } = made.body;
      expectEqual(await statusWith(session, token), 200, 'the status of a request with the new token');
      const read = await manage('getToken', `/access/tokens/${tokenId}`);
      const listed = await manage('listTokens', `/access/tokens?owner=${owner}`);
      expectEqual(
        listed.body.tokens.map((each: any) => each.tokenId),
        [tokenId],
        'the tokens of the owner',
      );
      expectEqual(
        [read.body.tokenId, read.body.owner, read.body.scopes],
        [tokenId, owner, ['transactions:read']],
        'id, owner and scopes of a token that is read',
      );
      for (const { text, path } of [read, listed])
        expect(!text.includes(token), `${path} does not show the text of a token`);
      const changed = await manage('updateToken', `/access/tokens/${tokenId}`, {
        method: 'PATCH',
        body: { limits: { pendingMax: 7 } },
      });
      expectEqual(
        [changed.status, changed.body.limits?.pendingMax, changed.body.owner],
        [200, 7, owner],
        'status, limit and owner of a changed token',
      );

      const rotated = await manage('rotateToken', `/access/tokens/${tokenId}/rotate`, { body: { overlapSeconds: 0 } });
      expectEqual(rotated.status, 201, 'the status of a rotation');
      const next = rotated.body.made;
      expectEqual(
        [next.owner, next.scopes, next.limits?.pendingMax, rotated.body.replaced.tokenId],
        [owner, ['transactions:read'], 7, tokenId],
        'owner, scopes and limit of the new token, and the token that it replaces',
      );
      expectEqual(
        await statusWith(session, next.token),
        200,
        'the status of a request with the token that replaces it',
      );
      await expectRefusedSoon(session, token, 'a token that was replaced without overlap');

      const revoked = await manage('revokeToken', `/access/tokens/${next.tokenId}`, { method: 'DELETE' });
      expectEqual(revoked.status, 204, 'the status of a revocation');
      await expectRefusedSoon(session, next.token, 'a revoked token');
      const path = `/access/tokens/${next.tokenId}`;
      expectProblem(await manage('revokeToken', path, { method: 'DELETE' }), 'not_found');
      expectProblem(await manage('updateToken', path, { method: 'PATCH', body: { limits: {} } }), 'not_found');
      expectProblem(await manage('rotateToken', `${path}/rotate`, { body: {} }), 'not_found');
      expectEqual(
        (await manage('listTokens', `/access/tokens?owner=${owner}`)).body.tokens,
        [],
        'the tokens of the owner that hold',
      );
      const all = await manage('listTokens', `/access/tokens?owner=${owner}&state=all`);
      expectEqual(
        all.body.tokens.map((each: any) => each.tokenId),
        [next.tokenId, tokenId],
        'all of them, newest first',
      );
    },
  },
  {
    id: 'access.limits',
    promise:
      'limits of a token are replaced as a whole and go on with a rotation, and a token that has expired is listed only among all',
    where: WHERE,
    run: async (session) => {
      const manage = manager(session);
      const owner = newOwner();
      const limits = { ratePerSecond: 900, pendingMax: 7 };
      const body = { owner, scopes: ['transactions:read'], limits, expiresInSeconds: LIFE_S };
      const { tokenId, createdAt, expiresAt } = (await manage('createToken', '/access/tokens', { body })).body;
      const livesS = (of: { createdAt: string; expiresAt: string }): number =>
        Math.round((Date.parse(of.expiresAt) - Date.parse(of.createdAt)) / 1000);
      expectEqual(livesS({ createdAt, expiresAt }), LIFE_S, 'for how many seconds a token holds');
      const path = `/access/tokens/${tokenId}`;
      const change = async (changed: object): Promise<unknown> => {
        const { body: told } = await manage('updateToken', path, { method: 'PATCH', body: changed });
        const { body: read } = await manage('getToken', path);
        expectEqual(read.limits, told.limits, 'the limits of a token that is read, and those that were answered');
        return told.limits;
      };
      expectEqual(await change({}), limits, 'the limits after a change of nothing');
      expectEqual(await change({ limits: { pendingMax: 8 } }), { pendingMax: 8 }, 'the limits after one was given');
      const rotated = await manage('rotateToken', `${path}/rotate`, { body: {} });
      expectEqual(
        [rotated.body.replaced.expiresAt, livesS(rotated.body.made)],
        [expiresAt, LIFE_S],
        'the end of the token before, which an overlap of a day leaves, and for how many seconds the new one holds',
      );
      expectEqual(rotated.body.made.limits, { pendingMax: 8 }, 'the limits of the token that replaces it');
      expectEqual(await change({ limits: {} }), undefined, 'the limits after an empty object was given');
      const idsOf = async (query: string): Promise<string[]> =>
        (await manage('listTokens', `/access/tokens?owner=${owner}${query}`)).body.tokens.map(
          (each: any) => each.tokenId,
        );
      const next = rotated.body.made.tokenId;
      expectEqual(await idsOf(''), [next, tokenId], 'the tokens of the owner, newest first');
      await change({ expiresInSeconds: 1 });
      const deadline = Date.now() + FOLLOW_MS_MAX;
      while ((await idsOf('')).length > 1) {
        expect(Date.now() < deadline, 'a token that has expired is not listed among those that can be used');
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      expectEqual(await idsOf('&state=usable'), [next], 'the tokens that can be used');
      expectEqual(await idsOf('&state=all'), [next, tokenId], 'all of them');
      const first = await manage('listTokens', `/access/tokens?owner=${owner}&state=all&limit=1`);
      const second = await manage(
        'listTokens',
        `/access/tokens?owner=${owner}&state=all&limit=1&cursor=${first.body.nextCursor}`,
      );
      expectEqual(
        [...first.body.tokens, ...second.body.tokens]
          .map((each: any) => each.tokenId)
          .concat(second.body.nextCursor ?? []),
        [next, tokenId],
        'the same in two pages, the second of which is the last',
      );
      expectProblem(await manage('rotateToken', `${path}/rotate`, { body: {} }), 'not_found');
      await manage('revokeToken', `/access/tokens/${next}`, { method: 'DELETE' });
    },
  },
  {
    id: 'access.no-more-than-own',
    promise: 'no one makes a token with a scope that their own lacks',
    where: WHERE,
    run: async (session) => {
      const manage = manager(session);
      const made = await manage('createToken', '/access/tokens', {
        body: { owner: newOwner(), scopes: ['access:manage'] },
      });
      expectEqual(made.status, 201, 'the status of a token for managing alone');
      const { token, tokenId } = made.body;
      const headers = { authorization: `Bearer ${token}` };
      const refused = await session.ask('createToken', '/access/tokens', {
        headers,
        body: { owner: newOwner(), scopes: ['transactions:read', 'access:manage'] },
      });
      expectProblem(refused, 'insufficient_scope');
      expect(refused.body.detail.includes('transactions:read'), 'the problem names the scope that is missing');
      const admin = session.tokens.adminToken?.split('_')[1];
      expectProblem(
        await session.ask('rotateToken', `/access/tokens/${admin}/rotate`, { headers, body: {} }),
        'insufficient_scope',
      );
      expectEqual(
        (await session.ask('revokeToken', `/access/tokens/${tokenId}`, { method: 'DELETE', headers })).status,
        204,
        'a token revokes itself',
      );
    },
  },
  {
    id: 'access.pending-max',
    promise:
      'an owner has no more pending than a token allows; what it broadcasts all the same is found under its hash and under that first seen here, and executedAs names it',
    where: 'the contract, TokenLimits, getTransaction and executedAs',
    accounts: 2,
    run: async (session) => {
      const manage = manager(session);
      const [account, other, to] = [await session.funded(), await session.funded(), session.receiver()];
      const scopes = ['transactions:read', 'transactions:write', 'rpc:broadcast'];
      const made = await manage('createToken', '/access/tokens', {
        body: { owner: newOwner(), scopes, limits: { pendingMax: 1 } },
      });
      const headers = { authorization: `Bearer ${made.body.token}` };
      const waiting = session.sign(other, { to, amount: '1', nonce: 5 });
      try {
        expectEqual((await session.submit(waiting, headers)).status, 202, 'the status of the first that is pending');
        const refused = await session.submit(session.sign(account, { to, amount: '1', nonce: 0 }), headers);
        expectProblem(refused, 'too_many_pending');
        for (let turn = 0; turn < SIGNATURE_TURNS; turn++) {
          const transfer = { chainId: session.chainId, from: account.address, to, amount: '1', nonce: turn };
          const seen = session.sign(account, transfer);
          const signature = signRandomised(account.seed, account.publicKey, Buffer.from(signBytes(transfer)));
          const executed = hashOf(transfer, signature);
          // The chain takes it, and the service has no room for it: it sees the payment first when it is submitted.
          const tx = Buffer.from(rawBytes(transfer, signature)).toString('base64');
          await session.ask('postRpcBroadcastTxSync', '/rpc/broadcast_tx_sync', { headers, body: { tx } });
          const { body: told } = await session.submit(seen);
          expectEqual(await session.settled(told.txHash), 'committed', 'the status of the transfer');
          // A block was faster than the submission.
          if (told.txHash !== seen.txHash) continue;
          const { body } = await session.read(seen.txHash);
          expectEqual([body.txHash, body.executedAs], [seen.txHash, executed], 'txHash and executedAs');
          const again = await session.ask('getTransaction', `/transactions/${executed}`);
          expectEqual([again.status, again.body], [200, body], 'status and body under the hash that was executed');
          const query = `from=${account.address}&nonce=${turn}`;
          const { transactions } = (await session.ask('listTransactions', `/transactions?${query}`)).body;
          expectEqual(
            transactions.map((each: any) => [each.txHash, each.executedAs]),
            [[seen.txHash, executed]],
            'the transfer in the list',
          );
          expectEqual((await session.account(to)).balance, String(turn + 1), 'what the receiver has: each nonce once');
          return;
        }
        throw new Skipped('in each turn a block was faster than a submission');
      } finally {
        await session.cancel(waiting.txHash, { ...headers, prefer: 'wait=30' });
        await manage('revokeToken', `/access/tokens/${made.body.tokenId}`, { method: 'DELETE' });
      }
    },
  },
  {
    id: 'access.bindings',
    promise:
      'only tokens of the owner that an address is bound to submit and cancel for it, until it is bound to no one',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const manage = manager(session);
      const [account, to, owner] = [await session.funded(), session.receiver(), newOwner()];
      const path = `/access/addresses/${account.address}`;
      const scopes = ['transactions:read', 'transactions:write'];
      const { body: own } = await manage('createToken', '/access/tokens', { body: { owner, scopes } });
      const { body: before } = await manage('createToken', '/access/tokens', { body: { owner: newOwner(), scopes } });
      const ofBefore = { authorization: `Bearer ${before.token}` };
      const early = session.sign(account, { to, amount: '1', nonce: 4 });
      expectEqual(
        (await session.submit(early, ofBefore)).status,
        202,
        'a transfer by another owner, before the binding',
      );
      const bind = (body: object): Promise<Answer> => manage('bindAddress', path, { method: 'PUT', body });
      const bound = await bind({ owner });
      expectEqual(
        [bound.status, bound.body.address, bound.body.owner],
        [200, account.address, owner],
        'status, address and owner of a binding',
      );
      expectProblem(await session.submit(session.sign(account, { to, amount: '1', nonce: 0 })), 'not_submitter');
      const ofOwner = { authorization: `Bearer ${own.token}` };
      expectProblem(await session.cancel(early.txHash, ofBefore), 'not_submitter');
      expectEqual(
        (await session.cancel(early.txHash, { ...ofOwner, prefer: 'wait=30' })).body.status,
        'cancelled',
        'what the owner of the address has cancelled',
      );
      const waiting = session.sign(account, { to, amount: '1', nonce: 1 });
      expectEqual((await session.submit(waiting, ofOwner)).status, 202, 'a transfer by the owner of the address');
      const paid = await session.submit(session.sign(account, { to, amount: '1', nonce: 0 }), {
        ...ofOwner,
        prefer: 'wait=30',
      });
      expectEqual(paid.status, 201, 'another one, which is waited for');
      for (const more of [{}, { replace: false }, { replace: null }])
        expectProblem(await bind({ owner: newOwner(), ...more }), 'not_submitter');
      expectEqual((await bind({ owner, replace: false })).body.owner, owner, 'the owner, bound once more');
      const listed = await manage('listBoundAddresses', `/access/addresses?owner=${owner}`);
      expectEqual(
        listed.body.addresses?.map((each: any) => [each.address, each.owner]),
        [[account.address, owner]],
        'the addresses of the owner',
      );
      const next = newOwner();
      expectEqual(
        (await bind({ owner: next, replace: true })).body.owner,
        next,
        'the owner who replaces the one before',
      );
      expectProblem(
        await session.submit(session.sign(account, { to, amount: '1', nonce: 2 }), ofOwner),
        'not_submitter',
      );
      expectEqual(
        (await manage('unbindAddress', path, { method: 'DELETE' })).status,
        204,
        'the status of an address that is bound to no one any more',
      );
      expectProblem(await manage('unbindAddress', path, { method: 'DELETE' }), 'not_found');
      await session.settled(waiting.txHash);
      await session.pay(session.sign(account, { to, amount: '1', nonce: 2 }));
      for (const { tokenId } of [own, before])
        await manage('revokeToken', `/access/tokens/${tokenId}`, { method: 'DELETE' });
    },
  },
];
