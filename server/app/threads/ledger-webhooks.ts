/**
 * Webhooks on the ledger thread: each change of an endpoint is made here and is one entry of the log. It is in chain.db when the caller
 * gets the answer.
 *
 * @module
 */
import type { Clock, Logger, RandomSource } from '../../engine/ports.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import type { EmbeddedCore } from '../../gateway/embedded/core.ts';
import type { WebhookApi } from '../../gateway/webhooks/api.ts';
import { endpointStore } from '../../gateway/webhooks/delivery/endpoint-store.ts';
import { newName } from '../../gateway/webhooks/names.ts';
import { createWebhookService } from '../../gateway/webhooks/service.ts';
import type { TargetRules } from '../../gateway/webhooks/target.ts';
import type { ChainContext } from '../../ledger/index.ts';
import type { EntryWrite } from '../../store/embedded/access-entry.ts';
import type { ChainConnection } from '../../store/embedded/connection.ts';
import { isLoggedWrite, recordingStore, webhookRows } from '../../store/embedded/webhooks.ts';
import { StoreUnavailableError } from '../../store/errors.ts';
import type { LedgerWebhooksControl } from './core-control.ts';
import { tellWebhooksChanged } from './webhook-news.ts';

export interface LedgerWebhooksOptions {
  core: Pick<EmbeddedCore, 'accessCaughtUp' | 'appendAudit' | 'chain' | 'changeWebhooks'>;
  /** Reads chain.db. */
  sql: ChainConnection;
  gatewayId: string;
  targets: TargetRules;
  chain: Pick<ChainContext, 'chainId' | 'addressPrefix'>;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
}

export function ledgerWebhooks({ core, sql, gatewayId, random, ...parts }: LedgerWebhooksOptions): {
  api: WebhookApi;
  control: LedgerWebhooksControl;
} {
  const rows = webhookRows(sql);
  const store = recordingStore({
    rows,
    // The next change is decided by rows that include every earlier change.
    ready: () => core.accessCaughtUp(),
    write: async (writes) => {
      const logged = writes.filter((write): write is Extract<typeof write, EntryWrite> => isLoggedWrite(write));
      if (logged.length < writes.length) throw new TypeError('the ledger thread writes no row of an attempt');
      core.changeWebhooks(logged);
      try {
        await core.accessCaughtUp();
      } catch (error) {
        // The change is durable: a secret that is shown once must not be lost because rows are late.
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
    },
    close: () => undefined,
  });
  const endpoints = endpointStore({
    store,
    actor: actorOfGateway(gatewayId),
    newId: (prefix) => newName(prefix, random),
  });
  const {
    close: _,
    reopen: __,
    ...api
  } = createWebhookService({
    ...parts,
    random,
    openStore: async () => store,
    height: async () => (await core.chain()).height,
    appendAudit: core.appendAudit,
    onChange: tellWebhooksChanged,
  });
  return {
    api,
    control: {
      disableWebhook: (what) => endpoints.disable(what),
      moveWebhookPlaces: async (places) => core.changeWebhooks([['movePlaces', places]]),
      webhookCounts: async () => rows.counts(),
    },
  };
}
