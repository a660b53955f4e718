/**
 * Opens the delivery of webhooks, which runs beside HTTP and sends events to endpoints.
 *
 * Beside the embedded engine it reads chain.db, and other threads write for it (chain-endpoints.ts). Over a network it has connections of
 * its own to the gateway's database; if several gateways share one, the holder of a lease delivers.
 *
 * @module
 */
import type { Clock, Logger, RandomSource } from '../../engine/ports.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import { Lease, WEBHOOKS_LEASE } from '../../gateway/sharing/lease.ts';
import { bringAudit } from '../../gateway/webhooks/audit-outbox.ts';
import type { DeliveryNumbers } from '../../gateway/webhooks/delivery/counters.ts';
import { WebhookDelivery } from '../../gateway/webhooks/delivery/delivery.ts';
import { endpointStore } from '../../gateway/webhooks/delivery/endpoint-store.ts';
import { eventBody } from '../../gateway/webhooks/delivery/event-message.ts';
import { newName } from '../../gateway/webhooks/names.ts';
import type { TargetRules } from '../../gateway/webhooks/target.ts';
import type { AuditEntry } from '../../store/types.ts';
import { openWebhookStore } from '../../store/webhooks/index.ts';
import type { AdminLocation, StoreLocation } from '../store-location.ts';
import { type ChainEndpoints, chainEndpoints, type EmbeddedWebhooksCalls } from './chain-endpoints.ts';
import { openEventLog } from './events.ts';
import { HttpSender } from './http-sender.ts';
import { systemResolver } from './resolver.ts';

/** Calls from delivery over a network to another thread. */
export interface SharedWebhooksCalls {
  /** Resolves when the entries are durable in the audit trail. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
}

export interface DeliveryOptions {
  /** Location of events and endpoints. */
  location: AdminLocation;
  /** Shared memory about chain.db: see CommitCount. */
  commits: SharedArrayBuffer;
  chainId: string;
  /** Id of this gateway among those on one database. */
  gatewayId: string;
  targets: TargetRules;
  version: string;
  /** Calls from delivery to other threads: those of the engine that `location` belongs to. */
  calls: Partial<SharedWebhooksCalls & EmbeddedWebhooksCalls>;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  /** Called when delivery cannot continue. */
  onFault(error: unknown): void;
}

export interface OpenDelivery {
  numbers(): Promise<DeliveryNumbers>;
  /** To be called after a change of endpoints. */
  changed(): void;
  /** Gives requests in flight a bounded time and writes the places. */
  close(): Promise<void>;
}

const NO_NUMBERS: DeliveryNumbers = { deliveries: {}, disabled: 0, inFlight: 0, lagEvents: 0, lagS: 0 };

/** An error in a timer ends only delivery: uncaught on this thread, it would end the process. */
export function guarded(clock: Clock, onFault: (error: unknown) => void): Clock {
  return {
    ...clock,
    setTimer: (fn, delayMs) =>
      clock.setTimer(() => {
        try {
          fn();
        } catch (error) {
          onFault(error);
        }
      }, delayMs),
  };
}

function endpointsOf(options: DeliveryOptions): Promise<ChainEndpoints> | ChainEndpoints {
  const { location, calls, clock, logger } = options;
  if (location.kind !== 'chain') return sharedEndpoints(location, options);
  const { writeWebhookRows, disableWebhook, moveWebhookPlaces } = calls;
  if (!writeWebhookRows || !disableWebhook || !moveWebhookPlaces)
    throw new TypeError('beside the embedded engine other threads write what delivery has done');
  return chainEndpoints({
    file: location.path,
    calls: { writeWebhookRows, disableWebhook, moveWebhookPlaces },
    clock,
    logger,
  });
}

/** Endpoints in the database that gateways share; delivery itself writes them. */
async function sharedEndpoints(
  location: StoreLocation,
  { calls: { appendAudit }, gatewayId, random, logger }: DeliveryOptions,
): Promise<ChainEndpoints> {
  const shared = await openWebhookStore(
    location.kind === 'postgres' ? location : { kind: 'gateway', path: location.path },
    logger,
  );
  const store = endpointStore({
    store: shared,
    actor: actorOfGateway(gatewayId),
    newId: (prefix) => newName(prefix, random),
  });
  /** Copies disabled endpoints to the audit trail, which another thread writes. */
  const copyAudit = async (): Promise<void> => {
    if (!appendAudit) throw new TypeError('over a network another thread writes the audit trail');
    try {
      await bringAudit(shared, appendAudit);
    } catch (error) {
      logger.warn({ err: error }, 'that a webhook was disabled could not be brought to the audit trail yet');
    }
  };
  return {
    store: {
      ...store,
      disable: async (what) => {
        const isDisabled = await store.disable(what);
        if (isDisabled) await copyAudit();
        return isDisabled;
      },
    },
    close: () => shared.close(),
  };
}

export async function openDelivery(options: DeliveryOptions): Promise<OpenDelivery> {
  const { location, commits, chainId, gatewayId, targets, version, random, logger, onFault } = options;
  const clock = guarded(options.clock, onFault);
  // Uses the unguarded clock of the thread, which divides the time of all its work.
  const log = await openEventLog({ location, commits, chainId, clock: options.clock, logger });
  let endpoints: ChainEndpoints;
  try {
    endpoints = await endpointsOf({ ...options, clock });
  } catch (error) {
    await log.close();
    throw error;
  }
  const sender = new HttpSender({
    rules: targets,
    resolve: systemResolver(),
    clock,
    logger,
    userAgent: `txledger-webhooks/${version}`,
  });
  let delivery: WebhookDelivery | undefined;

  const deliver = async (): Promise<void> => {
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
  };
  const pause = async (msMax?: number): Promise<void> => {
    const running = delivery;
    delivery = undefined;
    await running?.stop(msMax);
  };

  const lease =
    log.sharing &&
    new Lease({
      name: WEBHOOKS_LEASE,
      sharing: log.sharing,
      holder: gatewayId,
      clock,
      logger,
      onTaken: () => void deliver().catch(onFault),
      // Another gateway delivers from now on.
      onLost: () => void pause(0).catch(onFault),
    });
  if (lease) await lease.start();
  else await deliver();

  return {
    numbers: async () => (await delivery?.numbers()) ?? NO_NUMBERS,
    changed: () => delivery?.changed(),
    close: async () => {
      await pause();
      await lease?.stop();
      sender.close();
      await endpoints.close();
      await log.close();
    },
  };
}
