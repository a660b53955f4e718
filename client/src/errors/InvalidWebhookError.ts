import { LedgerClientError } from './LedgerClientError.ts';

/** The checks of a webhook, in their order. */
export type WebhookCheck = 'headers' | 'timestamp' | 'signature' | 'body';

/** A message that is not to be believed: it is not signed by the secret, or it is too old. */
export class InvalidWebhookError extends LedgerClientError {
  override readonly name = 'InvalidWebhookError' as const;
  override readonly retriable = false;
  /** The first check that failed. */
  readonly check: WebhookCheck;

  constructor(check: WebhookCheck, what: string) {
    super(`the webhook is not to be believed (${check}): ${what}`);
    this.check = check;
  }
}
