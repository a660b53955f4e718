import type { Client } from '../client.ts';
import type { WebhookReplay } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

export interface ReplayWebhookOptions extends CallOptions {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
  /** The id of an event, or a height: the replay begins after it. */
  readonly after: string;
  /** The last event or height, itself included. @default the endpoint's position */
  readonly until?: string | undefined;
}

/**
 * Sends a part of the log to an endpoint again, in addition to its new events: the events after `after`, up to and including `until`.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {WebhookBusyError} An earlier replay has not ended.
 * @throws {NotFoundError} The owner has no such endpoint.
 * @example
 * const { until } = await replayWebhook(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np', after: '1200', until: '1204-3' });
 * console.log(until);
 */
export async function replayWebhook(
  client: Client,
  { webhookId, after, until, ...options }: ReplayWebhookOptions,
): Promise<WebhookReplay> {
  const body = { after, ...(until !== undefined && { until }) };
  const { data } = await client.call({
    options,
    problems: MANAGING_PROBLEMS,
    send: (api, init) => api.POST('/webhooks/{webhookId}/replay', { ...init, params: { path: { webhookId } }, body }),
    fits: (replay) => replay.webhookId === webhookId,
  });
  return data;
}
