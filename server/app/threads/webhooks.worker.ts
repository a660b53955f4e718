/**
 * The webhooks thread: sends events to endpoints. It runs only while there is an enabled endpoint, and ends by itself when there is none.
 *
 * Beside the embedded engine it reads chain.db and has other threads write it (chain-endpoints.ts). Over a network it has a
 * connection of its own to the gateway's database, and where several gateways share one, a lease says which of them delivers.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Lease, WEBHOOKS_LEASE } from '../../gateway/sharing/lease.ts';
import { bringAudit } from '../../gateway/webhooks/audit-outbox.ts';
import type { DeliveryNumbers } from '../../gateway/webhooks/delivery/counters.ts';
import { WebhookDelivery } from '../../gateway/webhooks/delivery/delivery.ts';
import { endpointStore } from '../../gateway/webhooks/delivery/endpoint-store.ts';
import { eventBody } from '../../gateway/webhooks/delivery/event-message.ts';
import { HttpSender } from '../webhooks/http-sender.ts';
import { systemResolver } from '../webhooks/resolver.ts';
import { newName } from '../../gateway/webhooks/names.ts';
import type { TargetRules } from '../../gateway/webhooks/target.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import { openWebhookStore } from '../../store/webhooks/index.ts';
import type { LogLevel } from '../config.ts';
import { createClock, createRandomSource } from '../environment.ts';
import { createLogger } from '../logging.ts';
import type { AuditEntry } from '../../store/types.ts';
import type { AdminLocation, StoreLocation } from '../store-location.ts';
import { type ChainEndpoints, chainEndpoints, type EmbeddedWebhooksCalls } from './chain-endpoints.ts';
import { link, type Remote } from './link.ts';
import { onWebhooksChanged } from './webhook-news.ts';
import { openEventLog } from './webhook-events.ts';

export interface WebhooksThreadData {
  /** Where events and endpoints are. */
  location: AdminLocation;
  /** Of chain.db: see CommitCount. */
  commits: SharedArrayBuffer;
  chainId: string;
  /** Which of the gateways on one database this is. */
  gatewayId: string;
  targets: TargetRules;
  version: string;
  logLevel: LogLevel;
}

export interface WebhooksControl {
  numbers(): Promise<DeliveryNumbers>;
  /** Gives what is in flight a bounded time and writes the places; then the thread ends. */
  stop(): Promise<void>;
}

/** What the main thread does for this one over a network. */
export interface SharedWebhooksCalls {
  /** Resolves when the entries are durable in the audit trail. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
}

/** What the main thread does for this one, or has other threads do. */
export type WebhooksCalls = SharedWebhooksCalls | EmbeddedWebhooksCalls;

const NO_NUMBERS: DeliveryNumbers = { deliveries: {}, disabled: 0, inFlight: 0, lagEvents: 0, lagS: 0 };

if (!parentPort) throw new Error('this module is the entry of a worker thread');
const port = parentPort;
const { location, commits, chainId, gatewayId, targets, version, logLevel } = workerData as WebhooksThreadData;
const clock = createClock();
const random = createRandomSource();
const logger = createLogger({ level: logLevel, thread: 'webhooks' });
/** Its calls, from the end of this thread's start on. */
const { promise: main, resolve: linked } = Promise.withResolvers<{
  calls: Remote<SharedWebhooksCalls & EmbeddedWebhooksCalls>;
}>();

const log = await openEventLog({ location, commits, chainId, clock, logger });
const sender = new HttpSender({
  rules: targets,
  resolve: systemResolver(),
  clock,
  logger,
  userAgent: `txledger-webhooks/${version}`,
});
const endpoints = location.kind === 'chain' ? chainEndpointsOf(location.path) : await sharedEndpoints(location);
let delivery: WebhookDelivery | undefined;

function chainEndpointsOf(file: string): ChainEndpoints {
  return chainEndpoints({
    file,
    calls: {
      writeWebhookRows: async (writes) => (await main).calls.writeWebhookRows(writes),
      disableWebhook: async (what) => (await main).calls.disableWebhook(what),
      moveWebhookPlaces: async (places) => (await main).calls.moveWebhookPlaces(places),
    },
    clock,
    logger,
  });
}

/** In the database that gateways share, which this thread writes itself. */
async function sharedEndpoints(of: StoreLocation): Promise<ChainEndpoints> {
  const shared = await openWebhookStore(of.kind === 'postgres' ? of : { kind: 'gateway', path: of.path }, logger);
  const store = endpointStore({
    store: shared,
    actor: actorOfGateway(gatewayId),
    newId: (prefix) => newName(prefix, random),
  });
  /** What the delivery disables is told to the audit trail, which another thread writes. */
  const tellAudit = async (): Promise<void> => {
    try {
      const { calls } = await main;
      await bringAudit(shared, (entries) => calls.appendAudit(entries));
    } catch (error) {
      logger.warn({ err: error }, 'that a webhook was disabled could not be brought to the audit trail yet');
    }
  };
  return {
    store: {
      ...store,
      disable: async (what) => {
        const isDisabled = await store.disable(what);
        if (isDisabled) await tellAudit();
        return isDisabled;
      },
    },
    close: () => shared.close(),
  };
}

async function deliver(): Promise<void> {
  delivery = new WebhookDelivery({
    store: endpoints.store,
    events: log.source,
    sender,
    clock,
    random,
    logger,
    bodyOf: eventBody,
  });
  await delivery.start();
  logger.info({ endpoints: delivery.size }, 'this gateway delivers webhooks from now on');
}

async function pause(msMax?: number): Promise<void> {
  const running = delivery;
  delivery = undefined;
  await running?.stop(msMax);
}

const lease =
  log.sharing &&
  new Lease({
    name: WEBHOOKS_LEASE,
    sharing: log.sharing,
    holder: gatewayId,
    clock,
    logger,
    onTaken: () => void deliver(),
    // Another delivers from now on.
    onLost: () => void pause(0),
  });
if (lease) await lease.start();
else await deliver();

// What this process changes is in force at once; what another gateway changes, at the next look.
const unwatch = onWebhooksChanged(() => delivery?.changed());

const control: WebhooksControl = {
  numbers: async () => (await delivery?.numbers()) ?? NO_NUMBERS,
  stop: async () => {
    unwatch();
    await pause();
    await lease?.stop();
    sender.close();
    await endpoints.close();
    await log.close();
    // The answer goes out first.
    setImmediate(() => port.close());
  },
};
linked({ calls: link<SharedWebhooksCalls & EmbeddedWebhooksCalls>(port, control) });
