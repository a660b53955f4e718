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

/** What the thread that has the gateway's database is given, whichever engine is below it. */
export interface CoreThreadData {
  genesis: GenesisDocument;
  /** True if a start without a usable token is refused. */
  tokenNeeded: boolean;
  /** Names this process in the audit trail, and distinguishes it from the other gateways on its database. */
  gatewayId: string;
  /** 32 bytes; signs cancels. */
  operatorSeed: Uint8Array;
  pendingTtlS: number;
  pendingMax: number;
  pendingPerOwnerMax: number;
  logLevel: LogLevel;
  /** The other ends are in the HTTP threads, which find the functions of `GatewayCoreApi` here. */
  frontPorts: readonly MessagePort[];
  /** Details of a start in the audit trail, beside its errors. It holds no secret. */
  startFacts: StartFacts;
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
}

/** What the thread that appends to the log does for the delivery of webhooks. */
export interface LedgerWebhooksControl {
  disableWebhook: EndpointStore['disable'];
  /** Resolves when the log has them. */
  moveWebhookPlaces(places: readonly EndpointPlace[]): Promise<void>;
  webhookCounts(): Promise<WebhookCounts>;
}

/** Over a network the thread with the database also says how many webhooks there are, which another gateway may have made. */
export interface NetworkControl extends CoreControl {
  /** Opens the store; before `start` and before the engine, so that nothing begins without a database and a token in it. */
  open(): Promise<StartResult>;
  webhookCounts(): Promise<WebhookCounts>;
  /** Another address of its database. */
  relocate(url: string): Promise<StartResult>;
  /** Other replicas of it, or none. */
  useReplicas(url: string | undefined): Promise<StartResult>;
}

/** What the main thread asks of the thread that has the gateway's database. */
export interface CoreControl extends ThreadControl {
  /** The service is about to answer: the audit trail records it before the first answer. */
  recordStart(): Promise<StartResult>;
  /** The start has failed. Where a store could be opened, its audit trail records why. Never fails. */
  recordRefusal(reason: string): Promise<void>;
  /** For a thread that does not write the database. Resolves when the entries are durable in the audit trail. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
}
