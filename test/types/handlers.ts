/**
 * Compile-time proofs about the typed server. This file is never run: `tsc` compiles it, and an `@ts-expect-error`
 * whose line compiles is itself an error, so each case fails when the type that should refuse it gives way.
 */
import { handler, resource } from '../../server/http/typed/exact.ts';
import type { Handler, Handlers, Schemas } from '../../server/http/typed/types.ts';

declare const handlers: Handlers;
declare const transaction: Schemas['Transaction'];
declare const input: Schemas['TransactionInput'];
const location = { Location: './transactions/AB' };

// A table of handlers is complete, and has no other names.
export const complete: Handlers = { ...handlers };
const { getChain: _missing, ...incomplete } = handlers;
// @ts-expect-error an operation without a handler
export const missing: Handlers = incomplete;
// @ts-expect-error a handler without an operation
export const misspelt: Handlers = { ...handlers, getChian: handlers.getChain };
// @ts-expect-error the handler of another operation
export const swapped: Handlers = { ...handlers, getTransaction: handlers.submitTransaction };

// Statuses, bodies and headers are those of the operation.
export const accepted: Handler<'submitTransaction'> = async () => ({
  status: 202,
  body: transaction,
  ledgerHeight: undefined,
  headers: location,
});
// @ts-expect-error nothing says which block the answer reflects
export const withoutHeight: Handler<'submitTransaction'> = async () => ({
  status: 202,
  body: transaction,
  headers: location,
});
// @ts-expect-error a status that the operation does not declare
export const undeclaredStatus: Handler<'submitTransaction'> = async () => ({
  status: 204,
  body: transaction,
  ledgerHeight: 1,
  headers: location,
});
// @ts-expect-error a status of another operation
export const foreignStatus: Handler<'getTransaction'> = async () => ({
  status: 201,
  body: transaction,
  ledgerHeight: 1,
});
// @ts-expect-error the body of another operation
export const wrongBody: Handler<'getChain'> = async () => ({ status: 200, body: transaction });
// @ts-expect-error a member of the wrong type
export const wrongMember: Handler<'getLiveness'> = async () => ({ status: 200, body: { status: 'fine' } });
// @ts-expect-error a member is missing
export const missingMember: Handler<'getAccount'> = async () => ({
  status: 200,
  body: { address: 'a', balance: '1', nonce: 0 },
  ledgerHeight: 1,
});
// @ts-expect-error a required header is missing
export const missingHeader: Handler<'submitTransaction'> = async () => ({
  status: 202,
  body: transaction,
  ledgerHeight: 1,
});
// @ts-expect-error a header that says what the contract does not let it say
export const wrongHeader: Handler<'submitTransaction'> = async () => ({
  status: 200,
  body: transaction,
  ledgerHeight: 1,
  headers: { ...location, 'Idempotent-Replayed': 'yes' },
});
// @ts-expect-error a media type that the operation does not have
export const wrongMediaType: Handler<'getMetrics'> = async () => ({ status: 200, body: 'text' });
// @ts-expect-error null stands for nothing in this contract: a member is there or absent
export const nullMember: Handler<'listTransactions'> = async () => ({
  status: 200,
  body: { transactions: [], nextCursor: null },
  ledgerHeight: 1,
});

// What is answered has no member that the contract does not declare, however it is put together and however deep it is.
const liveness = { status: 'ok', version: '1' } as const;
export const exact: Handler<'getLiveness'> = handler('getLiveness', async () => ({
  status: 200,
  body: { ...liveness, commit: 'a' },
}));
// @ts-expect-error a misspelt optional member, from a spread
export const misspeltMember: Handler<'getLiveness'> = handler('getLiveness', async () => ({
  status: 200,
  body: { ...liveness, comit: 'a' },
}));
declare const page: {
  addresses: { address: string; owner: string; boundAt: string; bindingId?: string }[];
  nextCursor?: string;
};
// @ts-expect-error an unknown optional member of what a list holds
export const unknownInList: Handler<'listBoundAddresses'> = handler('listBoundAddresses', async () => ({
  status: 200,
  body: page,
}));
// @ts-expect-error a status that the operation does not declare
export const undeclared: Handler<'getLiveness'> = handler('getLiveness', async () => ({ status: 201, body: liveness }));
declare const limits: { ratePerSecond?: number; pendingMaximum?: number };
declare const token: Schemas['AccessToken'];
export const named: Schemas['AccessToken'] = resource('AccessToken', { ...token, limits: { ratePerSecond: 1 } });
// @ts-expect-error an unknown optional member of a member
export const unknownInMember = resource('AccessToken', { ...token, limits });
// @ts-expect-error a member is missing
export const incompleteResource = resource('BoundAddress', { address: 'a', owner: 'b' });

// Problems: only declared codes, and with the members that their code demands.
export const notFound: Handler<'getTransaction'> = async () => ({ problem: { code: 'not_found', detail: 'Unknown.' } });
// @ts-expect-error a code that the operation does not declare
export const undeclaredCode: Handler<'getTransaction'> = async () => ({
  problem: { code: 'nonce_too_low', detail: 'Low.' },
});
// @ts-expect-error a code that is in no catalogue
export const unknownCode: Handler<'getTransaction'> = async () => ({
  problem: { code: 'teapot', detail: 'Short and stout.' },
});
// @ts-expect-error a conflict names the transaction that it is with
export const conflictWithoutHash: Handler<'submitTransaction'> = async () => ({
  problem: { code: 'nonce_conflict', detail: 'Held.' },
});
// @ts-expect-error a wrong signature is told what should have been signed
export const signatureWithoutBytes: Handler<'submitTransaction'> = async () => ({
  problem: { code: 'invalid_signature', detail: 'Wrong.' },
});
// @ts-expect-error a problem says what happened
export const withoutDetail: Handler<'getTransaction'> = async () => ({ problem: { code: 'not_found' } });

// What a handler is given: the parameters, body and principal of its operation and no others.
export const given: Handler<'submitTransaction'> = async ({ body, principal, signal, header }) => {
  const { amount, nonce, txHash }: { amount: string; nonce: number; txHash?: string } = body;
  const owner: string = principal.owner;
  const wait: string | undefined = header.Prefer;
  // @ts-expect-error money is text, never a number
  const sum: number = body.amount;
  // @ts-expect-error a misspelt member
  const misspeltMember = body.ammount;
  return {
    status: 202,
    body: transaction,
    ledgerHeight: undefined,
    headers: location,
    unused: [amount, nonce, txHash, owner, wait, sum, misspeltMember, signal],
  };
};
export const parameters: Handler<'getTransaction'> = async ({ path, query, body }) => {
  const id: string = path.txHash;
  // @ts-expect-error a path parameter of another operation
  const address = path.address;
  // @ts-expect-error it has no query parameters
  const limit = query.limit;
  // @ts-expect-error it has no body
  const from = body.from;
  return { problem: { code: 'not_found', detail: `Not found: ${[id, address, limit, from].join(' ')}.` } };
};
export const publicOperation: Handler<'getChain'> = async ({ principal }) => {
  // @ts-expect-error an operation without a token has no principal
  const owner = principal.owner;
  return { refusal: { ok: false, code: 'engine_unavailable', detail: `The owner is ${owner}.` } };
};
// @ts-expect-error the input of a transfer has no chain id: the server adds its own
export const withChain: Schemas['TransactionInput'] = { ...input, chainId: 'txledger-dev-1' };
