/**
 * What must hold at compile time between the client and the contract. `tsc` is the test: an operation, a status or a code that the
 * contract gains or loses makes one of these lines an error.
 */
import type { components, operations } from '../../generated/openapi.ts';
import {
  type AnyProblemError,
  cancelTransaction,
  type CancelResult,
  checkTransaction,
  type Client,
  createWebhook,
  deleteWebhook,
  eachTransaction,
  getAccount,
  getChain,
  getReceipt,
  getTransaction,
  getWebhook,
  type LedgerError,
  listEntries,
  listAccounts,
  listEvents,
  listTransactions,
  listWebhookDeliveries,
  listWebhooks,
  type NonceConflictError,
  type ProblemError,
  replayWebhook,
  rotateWebhookSecret,
  sendTransfer,
  type Signer,
  submitCancel,
  submitTransaction,
  submitTransactionBatch,
  testWebhook,
  type Transaction,
  updateWebhook,
  waitForTransaction,
  type WaitResult,
} from '../../client/src/index.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const holds = <T extends true>(): T | undefined => undefined;

/** One action for each operation, under the operation's name. */
const actions = {
  cancelTransaction,
  checkTransaction,
  createWebhook,
  deleteWebhook,
  getAccount,
  getChain,
  getReceipt,
  getTransaction,
  getWebhook,
  listAccounts,
  listEntries,
  listEvents,
  listTransactions,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  submitCancel,
  submitTransaction,
  submitTransactionBatch,
  testWebhook,
  updateWebhook,
};
/** What is made for operators' machines and for tools that read contracts, not for who integrates payments. */
type NotForIntegrators =
  | 'getLiveness'
  | 'getReadiness'
  | 'getMetrics'
  | 'getApiCatalog'
  | 'getOpenapiJson'
  | 'getOpenapiYaml'
  | 'getOpenapiClientJson'
  | AccessOperation;
/** For programs of the operator. */
type AccessOperation =
  | 'listTokens'
  | 'createToken'
  | 'getToken'
  | 'updateToken'
  | 'revokeToken'
  | 'rotateToken'
  | 'listBoundAddresses'
  | 'bindAddress'
  | 'unbindAddress';
/** Reached through the clients that CometBFT's users have. */
type Rpc = Extract<keyof operations, 'callRpc' | `getRpc${string}` | `postRpc${string}`>;
/** Messages that the service sends. */
type Sent = Extract<keyof operations, `receive${string}`>;
holds<Same<keyof typeof actions | NotForIntegrators | Rpc | Sent, keyof operations>>();

/** One error class for each problem code, and `code` and `name` narrow alike. */
holds<Same<AnyProblemError['code'], components['schemas']['ProblemCode']>>();
holds<Same<Extract<LedgerError, { name: 'NonceConflictError' }>, NonceConflictError>>();
holds<Same<Extract<AnyProblemError, { code: 'invalid_signature' }>['signBytes'], string>>();
holds<Same<NonceConflictError['txHash'], string>>();

/** What a block decided is known to have a height; what is undecided is not. */
type Committed = Extract<WaitResult, { outcome: 'committed' }>['transaction'];
holds<Same<Committed['height'], number>>();
holds<
  Same<WaitResult['outcome'], Transaction['status'] | 'undecided' extends infer All ? Exclude<All, 'pending'> : never>
>();
holds<Same<CancelResult['outcome'], 'cancelled' | 'undecided'>>();

export async function wrongCalls(
  client: Client,
  signer: Signer,
  result: WaitResult,
  error: ProblemError,
): Promise<void> {
  const to = '';
  await sendTransfer(client, { signer, to, amount: 1n });
  // @ts-expect-error amounts are bigint
  await sendTransfer(client, { signer, to, amount: 1 });
  // @ts-expect-error nor are they strings
  await sendTransfer(client, { signer, to, amount: '1' });
  // @ts-expect-error a signer is needed
  await sendTransfer(client, { to, amount: 1n });
  // @ts-expect-error a status of the contract, or none
  await listTransactions(client, { status: 'done' });
  // @ts-expect-error a filter of the contract, or none
  eachTransaction(client, { offset: 10 });
  // @ts-expect-error the hash is needed
  await getTransaction(client, {});
  // @ts-expect-error nothing but the signed transfer is sent
  await submitTransaction(client, { input: {} });
  // @ts-expect-error whether there is a height is known only after the outcome has been looked at
  result.transaction.height.toFixed();
  // @ts-expect-error which members an error has is known only after its name or code has been looked at
  error.signBytes.toString();
  // @ts-expect-error milliseconds, under their own name
  await waitForTransaction(client, { txHash: '', timeout: 1 });
}
