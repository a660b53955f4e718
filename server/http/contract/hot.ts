/**
 * The operations whose requests are validated by functions that `npm run generate` makes from the contract, each with the reason. The
 * requests of all others are validated by the middleware of express-openapi-validator, which takes 65 to 240 us for each
 * (docs/decisions/0135), while a whole payment takes the server 30 us. A test sends the same requests to both.
 */
import type { OpenapiDocument } from './bundle.ts';

export const HOT = {
  submitTransaction: 'a payment',
  submitTransactionBatch: 'up to 1,000 payments',
  checkTransaction: 'asked before a payment',
  getTransaction: 'asked again and again until a payment is decided',
  listTransactions: 'what every page of a wallet begins with',
  cancelTransaction: 'must come before the payment that it voids',
  getAccount: 'asked before every payment for its nonce',
  listAccounts: 'balances of up to 100 accounts, asked again and again',
} as const;

export type HotOperationId = keyof typeof HOT;

/** The envelope of a batch is validated first, and then each transfer alone. */
const BATCH = { schema: 'TransactionBatchInput', member: 'transactions' };
/** A transfer in a batch has the same schema as one that is submitted alone. */
export const TRANSFER_SCHEMA = 'TransactionInput';

/** Allows any item in the list of a batch, in a copied part of the contract. */
export function loosenBatch({ components }: OpenapiDocument): void {
  const schema = components.schemas?.[BATCH.schema] as { properties: Record<string, { items: unknown }> } | undefined;
  if (schema === undefined) return;
  const list = schema.properties[BATCH.member];
  if (list === undefined) throw new Error(`The contract's ${BATCH.schema} has no list ${BATCH.member}.`);
  list.items = {};
}
