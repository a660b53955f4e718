/**
 * Start and end of the thread that opens the gateway's database, for either engine: checks that a token exists, follows and writes the
 * audit trail, and turns faults that an operator can correct into sentences.
 *
 * @module
 */
import { hostname } from 'node:os';
import path from 'node:path';
import type { Clock, Logger } from '../../engine/ports.ts';
import { EngineStartError } from '../../engine/start-error.ts';
import { AuditStream } from '../../gateway/audit/audit-stream.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import { WrongStoreError } from '../../gateway/initialise.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../store/errors.ts';
import type { AdminStore, AuditEntry } from '../../store/types.ts';
import { DatabaseUnreachableError } from '../database-error.ts';
import { createAuditLogger } from '../logging.ts';
import { NoRoomError, StartError } from '../start-error.ts';
import { remedyOf, startFault } from '../start-fault.ts';
import { type AdminLocation, describeLocation } from '../store-location.ts';
import { missingToken } from '../usable-token.ts';
import type { CoreControl, CoreThreadData } from './core-control.ts';
import type { StartResult } from './spawn.ts';

/** The message of an opened file contains its name. A file of a later version is not damaged, and its message states the remedy. */
function damageText(message: string, where: string, remedy: string): string {
  if (message.includes('a later version wrote it')) return `${message}.`;
  return `${message.startsWith(where) ? message : `${where} is damaged: ${message}`}. ${remedy}`;
}

export interface CoreStartOptions {
  data: CoreThreadData;
  thread: 'gateway' | 'ledger';
  location: AdminLocation;
  clock: Clock;
  logger: Logger;
  /** Writes to the audit trail, once the database is open. */
  append: (entries: readonly AuditEntry[]) => void | Promise<void>;
  /** Resolves when the database has the appended entries; absent if it has them with the append. */
  written?: () => Promise<void>;
}

/** Longest wait for the database at the end. Entries that are missing then are copied to the log by the next start. */
const WRITTEN_MS_MAX = 1000;

export class CoreStart implements Pick<CoreControl, 'recordStart' | 'recordRefusal'> {
  readonly #options: CoreStartOptions;
  #audit: AuditStream | undefined;

  constructor(options: CoreStartOptions) {
    this.#options = options;
  }

  /** Runs a part of the start, and turns its faults into a result for the operator. */
  async told(work: () => Promise<StartResult>): Promise<StartResult> {
    try {
      return await work();
    } catch (error) {
      const { data, location } = this.#options;
      const where = describeLocation(location);
      const remedy = remedyOf(
        data.tokenNeeded ? 'production' : 'development',
        location.kind === 'postgres' ? where : path.dirname(location.path),
      );
      if (error instanceof WrongStoreError)
        return { ok: false, message: `${where} does not belong to this chain: ${error.message}.` };
      if (error instanceof StoreDamagedError) return { ok: false, message: damageText(error.message, where, remedy) };
      if (error instanceof StoreUnavailableError && error.cause === undefined)
        return { ok: false, message: `${where} cannot be used: ${error.message}` };
      if (error instanceof EngineStartError || error instanceof StartError)
        return { ok: false, message: error.message };
      if (error instanceof DatabaseUnreachableError) return { ok: false, message: error.message, later: 'database' };
      const fault = startFault(error, { what: where, remedy });
      if (fault !== undefined)
        return { ok: false, message: fault.message, ...(fault instanceof NoRoomError && { later: 'room' as const }) };
      throw error;
    }
  }

  /** To be called when the database is open: opens the audit stream. */
  async opened(store: Pick<AdminStore, 'now'>): Promise<void> {
    const { data, thread, clock, logger } = this.#options;
    this.#audit = await AuditStream.open({
      store,
      clock,
      stream: createAuditLogger({ level: data.logLevel, thread }),
      logger,
    });
    this.#audit.start();
  }

  /** To be called when every token is in the database. @throws StartError if a token is needed and no usable one exists. */
  async checkToken(store: Pick<AdminStore, 'now'>): Promise<void> {
    const { data, location, clock } = this.#options;
    const message = data.tokenNeeded ? await missingToken(store, location, clock) : undefined;
    if (message !== undefined) throw new StartError(message);
  }

  recordStart = (): Promise<StartResult> =>
    this.told(async () => {
      await this.#record('server.start', { ...this.#options.data.startFacts });
      return { ok: true };
    });

  recordRefusal = async (reason: string): Promise<void> => {
    if (this.#audit !== undefined)
      await this.#recordLast('server.refuse', { ...this.#options.data.startFacts, reason });
  };

  recordStop = (): Promise<void> => this.#recordLast('server.stop', { version: this.#options.data.startFacts.version });

  async #record(
    action: 'server.start' | 'server.refuse' | 'server.stop',
    details: Record<string, unknown>,
  ): Promise<void> {
    const { data, clock, append } = this.#options;
    await append([
      { atMs: clock.nowMs(), actor: actorOfGateway(data.gatewayId), action, subject: hostname(), details },
    ]);
  }

  async #written(): Promise<void> {
    const { clock, written } = this.#options;
    if (written === undefined) return;
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimer(resolve, WRITTEN_MS_MAX);
    await Promise.race([written(), tooLong]);
    timer.cancel();
  }

  /** The shutdown continues even if this cannot be recorded. */
  async #recordLast(action: 'server.refuse' | 'server.stop', details: Record<string, unknown>): Promise<void> {
    try {
      await this.#record(action, details);
      await this.#written();
    } catch (error) {
      this.#options.logger.error({ err: error, action }, 'the audit trail could not be written');
    }
    await this.#audit?.stop();
  }
}
