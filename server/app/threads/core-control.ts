import type { MessagePort } from 'node:worker_threads';
import type { GenesisDocument } from '../../ledger/index.ts';
import type { EndpointPlace } from '../../gateway/webhooks/delivery/place-entries.ts';
import type { EndpointStore } from '../../gateway/webhooks/delivery/ports.ts';
import type { WebhookCounts } from '../../store/webhooks/counts.ts';
import type { AuditEntry } from '../../store/types.ts';
import type { LogLevel } from '../config.ts';
import type { TracingConfig } from '../tracing/config.ts';
import type { StartFacts } from '../start-facts.ts';
import type { StartResult, ThreadControl } from './spawn.ts';

/** Input of the thread that opens the gateway's database, for either engine. */
export interface CoreThreadData {
  genesis: GenesisDocument;
  /** True if a start without a usable token has to be refused. */
  tokenNeeded: boolean;
  /** Names this process in the audit trail, and distinguishes it from the other gateways on its database. */
  gatewayId: string;
  /** 32 bytes; it signs cancels. */
  operatorSeed: Uint8Array;
  pendingTtlS: number;
  pendingMax: number;
  pendingPerOwnerMax: number;
  logLevel: LogLevel;
  /** The other ends are in the HTTP threads, which call `GatewayCoreApi` over these ports. */
  frontPorts: readonly MessagePort[];
  /** Details of a start for the audit trail, which also records its errors. They hold no secret. */
  startFacts: StartFacts;
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
}

/** The part of webhook delivery that runs on the thread that appends to the log. */
export interface LedgerWebhooksControl {
  disableWebhook: EndpointStore['disable'];
  /** Resolves when the log has the places. */
  moveWebhookPlaces(places: readonly EndpointPlace[]): Promise<void>;
  webhookCounts(): Promise<WebhookCounts>;
}

/** Over a network the thread with the database also counts the webhooks, because another gateway may have made some. */
export interface NetworkControl extends CoreControl {
  /** Opens the store; before `start` and before the engine, so that nothing begins without a database and a token in it. */
  open(): Promise<StartResult>;
  webhookCounts(): Promise<WebhookCounts>;
  /** Changes the address of its database. */
  relocate(url: string): Promise<StartResult>;
  /** Changes the replicas of its database; undefined: it has none. */
  useReplicas(url: string | undefined): Promise<StartResult>;
}

/** Calls from the main thread to the thread that opens the gateway's database. */
export interface CoreControl extends ThreadControl {
  /** Records the start in the audit trail; to be called before the service answers the first request. */
  recordStart(): Promise<StartResult>;
  /** Records the reason of a failed start in the audit trail, if a store could be opened. Never fails. */
  recordRefusal(reason: string): Promise<void>;
  /** Appends entries of a thread that does not write the database. Resolves when they are durable in the audit trail. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
}
