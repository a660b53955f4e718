import type { Client } from '../client.ts';
import type { TransactionCheckInput, TransactionCheckResult } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns what submitting a transfer would result in now, without any effect: the service applies the same rules in the same order.
 * The transfer may be unsigned; then everything but the signature is checked. `signBytes` are the bytes to sign. A transfer that would
 * be refused is a result, not an error.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InvalidRequestError} `input` is not in the form of a transfer.
 * @example
 * const { outcome, problem, account } = await checkTransaction(client, { input: signed.input });
 * console.log(outcome, problem?.code, account?.available);
 */
export async function checkTransaction(
  client: Client,
  { input, ...options }: { input: Readonly<TransactionCheckInput> } & CallOptions,
): Promise<TransactionCheckResult> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.POST('/transactions/check', { ...init, body: input }),
    // Bytes of another payment must not be signed in place of these.
    fits: ({ outcome, problem, signBytes }) =>
      (outcome === 'refused') === !!problem?.code &&
      [input.from, input.to, input.amount].every((value) => signBytes?.includes(`"${value}"`)),
  });
  return data;
}
