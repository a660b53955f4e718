import { ProblemError } from './ProblemError.ts';

/** An earlier request about this webhook has not ended: call again later. */
export class WebhookBusyError extends ProblemError<'webhook_busy'> {
  declare readonly name: 'WebhookBusyError';
}
