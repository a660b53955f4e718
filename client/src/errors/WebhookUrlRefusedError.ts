import { ProblemError } from './ProblemError.ts';

/** The URL is none that the service may call. */
export class WebhookUrlRefusedError extends ProblemError<'webhook_url_refused'> {
  declare readonly name: 'WebhookUrlRefusedError';
}
