/** Bodies that parsers read differently are refused before they mean anything. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual } from '../expect.ts';
import type { Session } from '../session.ts';

const WHERE = 'docs/PARTNERS.md, Errors: malformed_json and invalid_request';

/** A right body, and what is done to its text or members. */
async function goodBody(session: Session): Promise<Record<string, unknown>> {
  return { ...session.sign(await session.funded(), { to: session.receiver(), amount: '1', nonce: 0 }) };
}

const malformed = (name: string, promise: string, spoil: (text: string) => string | Uint8Array): Check => ({
  id: `json.${name}`,
  promise,
  where: WHERE,
  accounts: 1,
  run: async (session) => {
    const body = await goodBody(session);
    expectProblem(await session.submit(spoil(JSON.stringify(body)) as unknown as object), 'malformed_json');
    expect((await session.read(String(body['txHash']))).status === 404, 'a refused body leaves no trace');
  },
});

const misfit = (
  name: string,
  promise: string,
  pointer: string,
  spoil: (body: Record<string, unknown>) => unknown,
): Check => ({
  id: `json.${name}`,
  promise,
  where: WHERE,
  accounts: 1,
  run: async (session) =>
    expectProblem(
      await session.submit(JSON.stringify(spoil(await goodBody(session))) as unknown as object),
      'invalid_request',
      pointer,
    ),
});

export const STRICT_JSON_CHECKS: readonly Check[] = [
  malformed('duplicate-key', 'a duplicate key is refused, also when both values are right', (text) =>
    text.replace('{', '{"nonce":0,'),
  ),
  malformed('exponent', 'a number as 0e3 is refused', (text) => text.replace('"nonce":0', '"nonce":0e3')),
  malformed('fraction', 'a number as 0.0 is refused', (text) => text.replace('"nonce":0', '"nonce":0.0')),
  malformed('minus-zero', 'the number -0 is refused', (text) => text.replace('"nonce":0', '"nonce":-0')),
  malformed('large-number', 'an integer past 2^53 - 1 is refused', (text) =>
    text.replace('"nonce":0', '"nonce":9007199254740993'),
  ),
  malformed('byte-order-mark', 'a byte order mark is refused', (text) => `\ufeff${text}`),
  malformed('not-utf8', 'bytes that are not UTF-8 are refused', (text) =>
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"\xff":1}', 'latin1')]),
  ),
  malformed('trailing', 'a second value behind the first is refused', (text) => `${text}{}`),
  misfit('amount-as-number', 'an amount is a string', '/amount', (body) => ({ ...body, amount: 1 })),
  misfit('amount-leading-zero', 'an amount has no leading zero', '/amount', (body) => ({ ...body, amount: '01' })),
  misfit('amount-too-large', 'an amount is at most 2^128 - 1', '/amount', (body) => ({
    ...body,
    amount: String(2n ** 128n),
  })),
  misfit('unknown-member', 'an unknown member of a request is refused by its name', '/memo', (body) => ({
    ...body,
    memo: 'x',
  })),
  misfit('missing-member', 'a missing member is refused', '/signature', (body) => ({ ...body, signature: undefined })),
  {
    id: 'json.nulls',
    promise: 'null for an optional member counts as the member being absent, and for a required one it is refused',
    where: 'the description of the contract: Null',
    accounts: 1,
    run: async (session) => {
      const body = { ...(await goodBody(session)), txHash: null, reference: null, validUntil: null };
      const check = (changed: object): Promise<any> => session.call('/transactions/check', { body: changed });
      expectEqual((await check({ ...body, signature: null })).body.outcome, 'accepted', 'the outcome of a dry run');
      const transactions = [{ ...body, amount: null }, body];
      const { results } = (await session.call('/transactions/batch', { body: { transactions } })).body;
      expectEqual(
        results.map(({ outcome, problem }: any) => [outcome, problem?.errors?.[0]?.pointer]),
        [
          ['refused', '/transactions/0/amount'],
          ['accepted', undefined],
        ],
        'the outcomes of a batch, and where the first is wrong',
      );
      expectEqual((await session.submit(body)).status, 200, 'the status of the same by itself');
      expectProblem(await session.submit({ ...body, to: null }), 'invalid_request', '/to');
    },
  },
  misfit('not-an-object', 'a body that is no object is refused', '', () => [1]),
];
