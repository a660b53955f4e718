/**
 * Webhooks in an HTTP thread of a server with the embedded engine: on a connection of its own to webhooks.db, opened with the first request
 * about one, so that the thread that writes the chain has nothing to do with them but entries of the audit trail. A server over a network
 * asks its gateway's thread.
 *
 * @module
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import type { GatewayCoreApi } from '../../gateway/index.ts';
import { createWebhookService, type WebhookService, type WebhookServiceParts } from '../../gateway/webhooks/service.ts';
import { createRandomSource } from '../environment.ts';
import { tellWebhooksChanged } from './webhook-news.ts';

export interface ThreadWebhooksOptions extends Pick<WebhookServiceParts, 'chain' | 'targets'> {
  /** webhooks.db, made where there is none. */
  file: string;
  core: Pick<GatewayCoreApi, 'chain' | 'appendAudit'>;
  clock: Clock;
  logger: Logger;
}

export function threadWebhooks({ file, core, ...parts }: ThreadWebhooksOptions): WebhookService {
  return createWebhookService({
    ...parts,
    openStore: async () =>
      (await import('../../store/webhooks/index.ts')).openWebhookStore({ kind: 'file', path: file }),
    height: async () => (await core.chain()).height,
    appendAudit: (entries) => core.appendAudit(entries),
    onChange: tellWebhooksChanged,
    random: createRandomSource(),
  });
}
