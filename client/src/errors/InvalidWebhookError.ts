import { LedgerClientError } from './LedgerClientError.ts';

/** The checks of a webhook, in their order. */
export type WebhookCheck = 'headers' | 'timestamp' | 'signature' | 'body';

/** A message that must not be trusted: it is not signed with the secret, its time is too far from now, or it is not a message. */
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
