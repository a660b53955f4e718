/** The rules of changes.ts as operations of the contract, where the database is: they answer with the contract's refusals and pages. */
import type { Clock, RandomSource } from '../../engine/ports.ts';
import type { ChainContext } from '../../ledger/index.ts';
import { parseAddress } from '../../ledger/index.ts';
import type { AdminQuestions } from '../../store/index.ts';
import { decodeText, encodeText } from '../list/cursor.ts';
import { refuse, refuseAddress, refuseField } from '../refusals.ts';
import type { Refusal, Scope } from '../types.ts';
import { SCOPES } from '../types.ts';
import type { AccessApi, AccessCaller } from './api.ts';
import type { AdminChange, ChangeContext, Refused, TokenFault } from './changes.ts';
import { binding, byToken, creating, revoking, rotating, unbinding, updating, viewOf } from './changes.ts';
import { TOKEN_RANDOM_BYTES } from './token-text.ts';

export interface AccessServiceParts {
  /** Runs a change in one transaction; an unavailable store becomes a refusal. */
  change<T>(change: AdminChange<T>): Promise<T | Refusal>;
  read<T>(work: (now: Pick<AdminQuestions, 'token' | 'tokenPage' | 'bindingPage'>) => Promise<T>): Promise<T | Refusal>;
  chain: Pick<ChainContext, 'chainId' | 'addressPrefix'>;
  clock: Clock;
  random: RandomSource;
}

const MS_PER_S = 1000;

/** Rows of tokens never have this prefix. A JWT has no row, and its expiry is checked where it is verified. */
const JWT_NAME = /^jwt:/;

export function createAccessService({ change: changeBy, read, chain, clock, random }: AccessServiceParts): AccessApi {
  const context = ({ tokenId, scopes }: AccessCaller): ChangeContext => ({
    actor: `token:${tokenId}`,
    nowMs: clock.nowMs(),
    held: scopes,
  });
  const endOf = (seconds: number | undefined): { expiresAtMs?: number } =>
    seconds === undefined ? {} : { expiresAtMs: clock.nowMs() + seconds * MS_PER_S };
  const change = <T>({ tokenId }: AccessCaller, wanted: AdminChange<T>): Promise<T | Refusal> =>
    changeBy<T | Refusal>(JWT_NAME.test(tokenId) ? wanted : byToken(tokenId, clock.nowMs(), wanted, CALLER_ENDED));
  const addressFault = (address: string): Refusal | undefined => {
    const parsed = parseAddress(address, chain.addressPrefix);
    return parsed.ok ? undefined : refuseAddress('#/path/address', parsed, chain.addressPrefix);
  };
  return {
    createToken: async (caller, { owner, scopes, expiresInSeconds, limits }) => {
      const at = scopes.findIndex((scope) => !(SCOPES as readonly string[]).includes(scope));
      if (at >= 0)
        return refuseField(
          'invalid_request',
          `/scopes/${at}`,
          `There is no scope ${String(scopes[at])}. There are ${SCOPES.join(', ')}.`,
        );
      const wanted = { owner, scopes: scopes as readonly Scope[], limits, ...endOf(expiresInSeconds) };
      const made = await change(caller, creating(wanted, random.bytes(TOKEN_RANDOM_BYTES), context(caller)));
      if (!made.ok) return refusalOf(made);
      return { ok: true, token: made.made, text: made.token };
    },
    listTokens: async ({ limit, cursor, owner, state }) => {
      const list = JSON.stringify([chain.chainId, 'tokens', owner ?? '', state]);
      const place = cursor === undefined ? undefined : decodeText(list, cursor)?.split('-');
      if (cursor !== undefined && place === undefined) return badCursor();
      const after = place && { createdAtMs: Number(place[0]), id: String(place[1]) };
      // One more than the page, to see whether there is a next page.
      const found = await read((now) =>
        now.tokenPage({ limit: limit + 1, owner, after, usableAtMs: state === 'usable' ? clock.nowMs() : undefined }),
      );
      if (!Array.isArray(found)) return found;
      const tokens = found.slice(0, limit).map(viewOf);
      const last = found.length > limit ? tokens.at(-1) : undefined;
      return { ok: true, tokens, ...(last && { nextCursor: encodeText(list, `${last.createdAtMs}-${last.id}`) }) };
    },
    getToken: async (tokenId) => {
      const token = await read((now) => now.token(tokenId));
      if (token === undefined) return noToken(`there is no token ${tokenId}`);
      return 'ok' in token ? token : { ok: true, token: viewOf(token) };
    },
    updateToken: async (caller, tokenId, { expiresInSeconds, limits }) => {
      const updated = await change(caller, updating(tokenId, { ...endOf(expiresInSeconds), limits }, context(caller)));
      return updated.ok ? updated : refusalOf(updated);
    },
    rotateToken: async (caller, tokenId, { overlapSeconds, expiresInSeconds }) => {
      const rotation = { overlapMs: overlapSeconds * MS_PER_S, ...endOf(expiresInSeconds) };
      const rotated = await change(
        caller,
        rotating(tokenId, rotation, random.bytes(TOKEN_RANDOM_BYTES), context(caller)),
      );
      if (!rotated.ok) return refusalOf(rotated);
      return { ok: true, token: rotated.made, text: rotated.token, replaced: rotated.old };
    },
    revokeToken: async (caller, tokenId) => {
      const revoked = await change(caller, revoking(tokenId, context(caller)));
      if (revoked === true) return { ok: true };
      return revoked === false ? noToken(`there is no token ${tokenId}, or it was revoked before`) : revoked;
    },
    listBoundAddresses: async ({ limit, cursor, owner }) => {
      const list = JSON.stringify([chain.chainId, 'bindings', owner ?? '']);
      const after = cursor === undefined ? undefined : decodeText(list, cursor);
      if (cursor !== undefined && after === undefined) return badCursor();
      const found = await read((now) => now.bindingPage({ limit: limit + 1, owner, after }));
      if (!Array.isArray(found)) return found;
      const bindings = found.slice(0, limit);
      const last = found.length > limit ? bindings.at(-1) : undefined;
      return { ok: true, bindings, ...(last && { nextCursor: encodeText(list, last.address) }) };
    },
    bindAddress: async (caller, address, owner, replace) => {
      const fault = addressFault(address);
      if (fault !== undefined) return fault;
      const bound = await change(caller, binding(address, owner, replace, context(caller)));
      if (bound.ok || 'code' in bound) return bound;
      // Owner and address were checked before.
      return refuse(
        'not_submitter',
        `The address stays as it is: ${bound.message}. Send "replace": true to take it from that owner.`,
      );
    },
    unbindAddress: async (caller, address) => {
      const fault = addressFault(address);
      if (fault !== undefined) return fault;
      const unbound = await change(caller, unbinding(address, context(caller)));
      if (unbound.ok) return { ok: true };
      return 'code' in unbound
        ? unbound
        : refuse('not_found', `Nothing was changed: ${unbound.message}. Check the address.`);
    },
  };
}

function refusalOf(refused: Refusal | Refused<TokenFault>): Refusal {
  if ('code' in refused) return refused;
  const { missing = [], message } = refused;
  if (missing.length === 0) return noToken(message);
  const scopes = missing.join(', ');
  return refuse(
    'insufficient_scope',
    `The token of this request lacks the scope ${scopes}, so it cannot make or change a token that has it. Use one that has it too.`,
    { extra: { scopes: missing } },
  );
}

const CALLER_ENDED = refuse(
  'unauthenticated',
  'The bearer token is expired or revoked. Ask the operator for a new one.',
);

const noToken = (message: string): Refusal =>
  refuse('not_found', `No such token can be used: ${message}. Take the id from listTokens.`);

const badCursor = (): Refusal =>
  refuseField(
    'invalid_request',
    '#/query/cursor',
    'The cursor is none of this list. Send nextCursor of the page before, with the same filters.',
  );
