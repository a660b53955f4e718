import { ProblemError } from './ProblemError.ts';

/** The owner has a webhook with this URL already. */
export class WebhookExistsError extends ProblemError<'webhook_exists'> {
  declare readonly name: 'WebhookExistsError';
}
