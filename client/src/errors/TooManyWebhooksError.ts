import { ProblemError } from './ProblemError.ts';

/** The owner is at the limit of webhooks of one owner. */
export class TooManyWebhooksError extends ProblemError<'too_many_webhooks'> {
  declare readonly name: 'TooManyWebhooksError';
}
