/**
 * The ledger thread of a server with the embedded engine: accepts, makes blocks and settles, and is the one writer of chain.db.
 *
 * Engine and gateway share this thread and one database, so that a block and what it settles are one transaction.
 *
 * @module
 */
import { hostname } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { EngineStartError, parseValidatorKey } from '../../engine/embedded/index.ts';
import type { EngineMetrics } from '../../engine/port.ts';
import { AuditStream } from '../../gateway/audit/audit-stream.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import { packingCore } from '../../gateway/packed-groups.ts';
import { adminStore, chainAdmin, type ChainAdmin } from '../../store/embedded/admin.ts';
import { type ChainConnection, openChainDatabase } from '../../store/embedded/connection.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../store/errors.ts';
import { keepCompiled } from '../compile-cache.ts';
import { type EmbeddedLedger, openEmbeddedLedger } from '../embedded-ledger.ts';
import { createClock } from '../environment.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { createAuditLogger, createLogger } from '../logging.ts';
import { choosePointCheck } from '../point-check.ts';
import { readSecretFile } from '../secret-file.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import type { AdminLocation } from '../store-location.ts';
import { missingToken } from '../usable-token.ts';
import { checkpointsOf } from './checkpoints.ts';
import type { CoreControl, CoreThreadData } from './core-control.ts';
import { link } from './link.ts';
import type { StartResult } from './spawn.ts';

export interface LedgerThreadData extends CoreThreadData {
  dataDir: string;
  /** The file of chain.db. */
  databaseFile: string;
  validatorKeyFile: string;
  blockIntervalMs: number;
}

const MS_PER_S = 1000;

const data = workerData as LedgerThreadData;
const location: AdminLocation = { kind: 'chain', path: data.databaseFile };
const logger = createLogger({ level: data.logLevel, thread: 'ledger' });
const clock = createClock();
// The main thread logs which one it is.
chooseSignatureLibrary();
choosePointCheck();
let sql: ChainConnection;
let admin: ChainAdmin;
let audit: AuditStream | undefined;
let checkpoints: ReturnType<typeof checkpointsOf>;
let ledger: EmbeddedLedger;

/** Turns what an operator can do something about into a sentence for them. */
async function told(work: () => Promise<StartResult>): Promise<StartResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineStartError) return { ok: false, message: error.message };
    if (error instanceof StoreDamagedError) return { ok: false, message: `${data.databaseFile} is damaged: ${error.message}.` };
    if (error instanceof StoreUnavailableError) return { ok: false, message: `${data.databaseFile} cannot be used: ${error.message}` };
    throw error;
  }
}

const open = (): Promise<StartResult> =>
  told(async () => {
    sql = openChainDatabase({ path: data.databaseFile });
    admin = chainAdmin(sql);
    const store = adminStore(sql);
    audit = await AuditStream.open({ store, clock, stream: createAuditLogger({ level: data.logLevel, thread: 'ledger' }), logger });
    audit.start();
    const message = data.tokenNeeded ? await missingToken(store, location, clock) : undefined;
    return message === undefined ? { ok: true } : { ok: false, message };
  });

function die(error: Error): never {
  logger.error({ err: error }, 'memory may be ahead of the disk');
  process.exit(EXIT_DIED); // ends this thread, and with it the process
}

const start = (): Promise<StartResult> =>
  told(async () => {
    const key = parseValidatorKey(readSecretFile(data.validatorKeyFile, 'the validator key'));
    if (!key.ok) return { ok: false, message: `The validator key at ${data.validatorKeyFile} ${key.message}.` };
    checkpoints = checkpointsOf(data.databaseFile, { logger, onDone: () => sql.pragma('wal_checkpoint(PASSIVE)') });
    ledger = await openEmbeddedLedger({
      checkpointSoon: () => checkpoints.soon(),
      sql,
      file: data.databaseFile,
      admin,
      genesis: data.genesis,
      dataDir: data.dataDir,
      validatorKey: key.key,
      blockIntervalMs: data.blockIntervalMs,
      operatorSeed: data.operatorSeed,
      gatewayId: data.gatewayId,
      clock,
      logger,
      onFatal: die,
      limits: { pendingTtlMs: data.pendingTtlS * MS_PER_S, pendingMax: data.pendingMax, pendingPerOwnerMax: data.pendingPerOwnerMax },
    });
    for (const port of data.frontPorts) link(port, packingCore(ledger.core));
    return { ok: true };
  });

/** One entry about this server. */
function record(action: 'server.start' | 'server.refuse' | 'server.stop', details: Record<string, unknown>): void {
  admin.appendAudit([{ atMs: clock.nowMs(), actor: actorOfGateway(data.gatewayId), action, subject: hostname(), details }]);
}

/** For what goes on whether it can be recorded or not. */
async function recordIfPossible(...parameters: Parameters<typeof record>): Promise<void> {
  try {
    record(...parameters);
  } catch (error) {
    logger.error({ err: error, action: parameters[0] }, 'the audit trail could not be written');
  }
  await audit?.stop();
}

const control: CoreControl & { metrics(): Promise<EngineMetrics> } = {
  open,
  start,
  recordStart: () =>
    told(async () => {
      record('server.start', { ...data.startFacts });
      return { ok: true };
    }),
  recordRefusal: async (reason) => {
    if (audit !== undefined) await recordIfPossible('server.refuse', { ...data.startFacts, reason });
  },
  keepCompiled: async () => keepCompiled(),
  stop: async () => {
    await ledger.core.close();
    await recordIfPossible('server.stop', { version: data.startFacts.version });
    await ledger.close();
    await checkpoints.close();
    sql.close();
  },
  metrics: () => ledger.engine.metrics(),
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
