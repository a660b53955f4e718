import { ProblemError } from './ProblemError.ts';

/** Something that was asked for before has to end first: ask again later. */
export class WebhookBusyError extends ProblemError<'webhook_busy'> {
  declare readonly name: 'WebhookBusyError';
}
