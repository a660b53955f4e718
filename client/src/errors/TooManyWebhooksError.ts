import { ProblemError } from './ProblemError.ts';

/** The owner has as many webhooks as one owner may have. */
export class TooManyWebhooksError extends ProblemError<'too_many_webhooks'> {
  declare readonly name: 'TooManyWebhooksError';
}
