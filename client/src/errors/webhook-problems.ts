/** The error classes of the codes that only webhooks are refused with: a bundle that manages no webhooks does not include them. */
import type { ErrorClasses } from './error-classes.ts';
import { TooManyWebhooksError } from './TooManyWebhooksError.ts';
import { WebhookBusyError } from './WebhookBusyError.ts';
import { WebhookDisabledError } from './WebhookDisabledError.ts';
import { WebhookExistsError } from './WebhookExistsError.ts';
import { WebhookUrlRefusedError } from './WebhookUrlRefusedError.ts';

export const WEBHOOK_PROBLEMS = {
  webhook_exists: WebhookExistsError,
  too_many_webhooks: TooManyWebhooksError,
  webhook_disabled: WebhookDisabledError,
  webhook_busy: WebhookBusyError,
  webhook_url_refused: WebhookUrlRefusedError,
} as const satisfies Partial<ErrorClasses>;
