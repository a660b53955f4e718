import { ProblemError } from './ProblemError.ts';

/** The service may not call this URL. */
export class WebhookUrlRefusedError extends ProblemError<'webhook_url_refused'> {
  declare readonly name: 'WebhookUrlRefusedError';
}
