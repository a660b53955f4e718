/**
 * @transaction-ledger/client: sign transfers, send them so that each is paid at most once, wait, list, cancel.
 *
 * @example
 * const client = createClient({ baseUrl, token });
 * const signer = await signerFromSeed(seed);
 * const { transaction } = await sendTransfer(client, { signer, to, amount: 100n, reference: 'INV-2026-17' });
 * const result = await waitForTransaction(client, { txHash: transaction.txHash });
 *
 * @module
 */
export { cancelTransaction, type CancelResult, type CancelTransactionOptions } from './actions/cancelTransaction.ts';
export { checkTransaction } from './actions/checkTransaction.ts';
export { createWebhook } from './actions/createWebhook.ts';
export { deleteWebhook, type DeleteWebhookOptions } from './actions/deleteWebhook.ts';
export { eachEntry } from './actions/eachEntry.ts';
export { eachTransaction } from './actions/eachTransaction.ts';
export { events, type EventsOptions } from './actions/events.ts';
export { getAccount } from './actions/getAccount.ts';
export { getChain } from './actions/getChain.ts';
export { getReceipt, type GetReceiptOptions } from './actions/getReceipt.ts';
export { getTransaction, type GetTransactionOptions } from './actions/getTransaction.ts';
export { getWebhook, type GetWebhookOptions } from './actions/getWebhook.ts';
export { listAccounts } from './actions/listAccounts.ts';
export { listEntries } from './actions/listEntries.ts';
export { listEvents } from './actions/listEvents.ts';
export { listTransactions } from './actions/listTransactions.ts';
export { listWebhookDeliveries, type ListWebhookDeliveriesOptions } from './actions/listWebhookDeliveries.ts';
export { listWebhooks } from './actions/listWebhooks.ts';
export { replayWebhook, type ReplayWebhookOptions } from './actions/replayWebhook.ts';
export { rotateWebhookSecret, type RotateWebhookSecretOptions } from './actions/rotateWebhookSecret.ts';
export { type Payment, sendBatch, type SendBatchOptions } from './actions/sendBatch.ts';
export { sendTransfer, type SendTransferOptions, type Sent } from './actions/sendTransfer.ts';
export { type SignedTransfer, signTransfer, type TransferToSign } from './actions/signTransfer.ts';
export { type CancelToSign, signCancel, submitCancel, type SubmitCancelOptions } from './actions/submitCancel.ts';
export { type Submitted, submitTransaction, type SubmitTransactionOptions } from './actions/submitTransaction.ts';
export {
  type BatchOutcome,
  submitTransactionBatch,
  type SubmitTransactionBatchOptions,
} from './actions/submitTransactionBatch.ts';
export { testWebhook, type TestWebhookOptions } from './actions/testWebhook.ts';
export { updateWebhook, type UpdateWebhookOptions } from './actions/updateWebhook.ts';
export { waitForTransaction, type WaitForTransactionOptions, type WaitResult } from './actions/waitForTransaction.ts';
export { type AmountFault, formatAmount, parseAmount, type ParsedAmount } from './amount.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type {
  Account,
  AccountList,
  AddressPrefix,
  Chain,
  Currency,
  Entry,
  EntryPage,
  EntryQuery,
  EventPage,
  EventQuery,
  FieldError,
  HistoryEntry,
  LedgerEvent,
  ListQuery,
  ProblemCode,
  Receipt,
  StatusReason,
  Transaction,
  TransactionCheckInput,
  TransactionCheckResult,
  TransactionDetail,
  TransactionInput,
  TransactionPage,
  TransactionRefusal,
  TransactionStatus,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookInput,
  WebhookMessage,
  WebhookReplay,
  WebhookTest,
  WebhookUpdateInput,
  WebhookWithSecret,
} from './contract.ts';
export { type AddressFault, encodeAddress, parseAddress, type ParsedAddress } from './crypto/address.ts';
export { isOnCurve } from './crypto/curve.ts';
export { verifySignature } from './crypto/ed25519.ts';
export type { CallOptions } from './deadline.ts';
export type { Environment } from './environment.ts';
export * from './errors/index.ts';
export type { AttemptRequest, AttemptResponse, Hooks } from './hooks.ts';
export { signerFromKeyPair, type WebCryptoKey } from './keys/key-pair.ts';
export { generateSeed, signerFromSeed } from './keys/seed.ts';
export type { Signer } from './keys/signer.ts';
export { AMOUNT_MAX, NONCE_MAX, NONCE_WINDOW, REFERENCE_PATTERN, VALID_UNTIL_S_MAX } from './limits.ts';
export type { Logger } from './logger.ts';
export {
  type ProvenCancel,
  type ProvenTransaction,
  type ProvenTransfer,
  type ReceiptTrust,
  type TrustedValidator,
  verifyReceipt,
} from './receipt/verifyReceipt.ts';
export { cancelSignBytes, type UnsignedCancel } from './transaction/cancel.ts';
export { transactionHash, transferRaw, transferSignBytes, type UnsignedTransfer } from './transaction/transfer.ts';
export { chainTimeMs } from './transaction/validity.ts';
export type { Validity } from './transaction/validity.ts';
export { verifyWebhook, type VerifyWebhookOptions, type WebhookHeaders } from './webhooks/verifyWebhook.ts';
