/**
 * Endpoints for delivery beside the embedded engine. They are read from chain.db. The chain thread writes the rows of attempts; the ledger
 * thread disables endpoints and writes their places to the log.
 *
 * @module
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import { endpointStore } from '../../gateway/webhooks/delivery/endpoint-store.ts';
import { PlaceEntries } from '../../gateway/webhooks/delivery/place-entries.ts';
import type { EndpointStore } from '../../gateway/webhooks/delivery/ports.ts';
import { openChainReader, STREAM_CACHE_KIB } from '../../store/embedded/connection.ts';
import { isLocalWrite, type LocalWebhookWrite, recordingStore, webhookRows } from '../../store/embedded/webhooks.ts';
import type { LedgerWebhooksControl } from '../threads/core-control.ts';

/** Calls from delivery to other threads. */
export interface EmbeddedWebhooksCalls extends Pick<LedgerWebhooksControl, 'disableWebhook' | 'moveWebhookPlaces'> {
  /** Resolves when chain.db has the rows. */
  writeWebhookRows(writes: readonly LocalWebhookWrite[]): Promise<void>;
}

export interface ChainEndpointsOptions {
  /** File of chain.db. */
  file: string;
  calls: EmbeddedWebhooksCalls;
  clock: Clock;
  logger: Logger;
}

export interface ChainEndpoints {
  store: EndpointStore;
  /** Writes the places of the endpoints to the log. */
  close(): Promise<void>;
}

export function chainEndpoints({ file, calls, clock, logger }: ChainEndpointsOptions): ChainEndpoints {
  const sql = openChainReader(file, STREAM_CACHE_KIB);
  const rows = webhookRows(sql);
  const store = recordingStore({
    rows,
    write: async (writes) => {
      const local = writes.filter((write): write is LocalWebhookWrite => isLocalWrite(write));
      if (local.length < writes.length) throw new TypeError('delivery changes no endpoint');
      await calls.writeWebhookRows(local);
    },
    close: () => void sql.close(),
  });
  const entries = new PlaceEntries({ append: calls.moveWebhookPlaces, clock, logger });
  const { load, version, save } = endpointStore({
    store,
    actor: '',
    newId: () => {
      throw new Error('names are given by the ledger thread');
    },
  });
  return {
    store: {
      version,
      load: async () => {
        const found = await load();
        entries.loaded(found.endpoints);
        return found;
      },
      save: async (progress) => {
        await save(progress);
        entries.saved(progress.endpoints);
      },
      disable: calls.disableWebhook,
    },
    close: async () => {
      await entries.close();
      await store.close();
    },
  };
}
