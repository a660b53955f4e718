import { ProblemError } from './ProblemError.ts';

/** The webhook is disabled, so nothing is sent to it: enable it first. */
export class WebhookDisabledError extends ProblemError<'webhook_disabled'> {
  declare readonly name: 'WebhookDisabledError';
}
