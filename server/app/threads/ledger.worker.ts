/**
 * The ledger thread of a server with the embedded engine: accepts transfers, makes blocks, settles, and changes access and webhooks. It is
 * the only writer of the log.
 *
 * Engine and gateway share this thread and one log, so that a block and the transfers that it settles are one entry.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { exportFile, exportSignState, type FileExport, parseValidatorKey } from '../../engine/embedded/index.ts';
import { ChainTimes } from '../durations.ts';
import type { EngineMetrics } from '../../engine/port.ts';
import type { AccessApi } from '../../gateway/access/api.ts';
import { createAdministration } from '../../gateway/access/administration.ts';
import type { RunChange } from '../../gateway/access/changes.ts';
import { createAccessService } from '../../gateway/access/service.ts';
import type { TargetRules } from '../../gateway/webhooks/target.ts';
import { packingCore } from '../../gateway/packed-groups.ts';
import { paymentsFirst } from '../../gateway/payments-first.ts';
import { answeringStoreFaults } from '../../gateway/store-faults.ts';
import { accessQuestions, accessRows } from '../../store/embedded/admin.ts';
import { isBegun } from '../../store/embedded/chain-log.ts';
import { CommitCount } from '../../store/embedded/commit-count.ts';
import { setOldWebhooksAside } from '../../store/embedded/old-webhooks.ts';
import { formatWitness } from '../../store/embedded/log-witness.ts';
import { type ChainConnection, countCommits, openChainDatabase } from '../../store/embedded/connection.ts';
import { StoreUnavailableError } from '../../store/errors.ts';
import type { AdminQuestions, AuditEntry } from '../../store/types.ts';
import { sayChainHeads } from '../chain-heads.ts';
import { serveCommands } from '../command-socket.ts';
import { keepCompiled } from '../compile-cache.ts';
import { dataDirFiles } from '../data-dir-files.ts';
import { type EmbeddedLedger, openEmbeddedLedger } from '../embedded-ledger.ts';
import { createClock, createRandomSource } from '../environment.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { logFormat } from '../log-format.ts';
import { createLogger } from '../logging.ts';
import { choosePointCheck } from '../point-check.ts';
import { refuseOldCopy, refuseTornCopy } from '../refuse-old-copy.ts';
import { readSecretFile } from '../secret-file.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import { appendStopped } from '../stopped-access.ts';
import type { OpenTracer } from '../tracing/open-tracer.ts';
import { chainThread } from './chain-thread.ts';
import type { CoreControl, CoreThreadData, LedgerWebhooksControl } from './core-control.ts';
import { CoreStart } from './core-start.ts';
import { link } from './link.ts';
import type { StartResult } from './spawn.ts';
import { ledgerWebhooks } from './ledger-webhooks.ts';
import { wantStatements } from './statements-wanted.ts';

export interface LedgerThreadData extends CoreThreadData {
  dataDir: string;
  /** The file of chain.db. */
  databaseFile: string;
  validatorKeyFile: string;
  /** The second place of log_witness.json. */
  otherWitnessFile: string | undefined;
  blockIntervalMs: number;
  idleBlockMs: number;
  /** Group that may read the validator's key too. */
  keyFileGroup: number | undefined;
  /** Rules for the targets of webhooks. */
  webhookTargets: TargetRules;
  /** The other end is in the thread that writes chain.db. */
  chainPort: MessagePort;
  /** Shared with the HTTP threads: they read the state of the last commit that it counts. */
  commits: SharedArrayBuffer;
}

const MS_PER_S = 1000;
/** Interval of log lines during a long start. */
const PROGRESS_MS = 1000;

const data = workerData as LedgerThreadData;
const logger = createLogger({ level: data.logLevel, thread: 'ledger' });
const clock = createClock();
// The main thread logs the chosen library.
chooseSignatureLibrary();
choosePointCheck();
let sql: ChainConnection;
let rows: AdminQuestions;
const commits = new CommitCount(data.commits);
const times = new ChainTimes();
let ledger: EmbeddedLedger | undefined;
let webhooks: ReturnType<typeof ledgerWebhooks> | undefined;
let commands: Awaited<ReturnType<typeof serveCommands>> | undefined;
let tracer: OpenTracer | undefined;
let signState: FileExport;
let witnesses: FileExport[] = [];
let heads: ReturnType<typeof sayChainHeads>;

const coreStart = new CoreStart({
  data,
  thread: 'ledger',
  location: { kind: 'chain', path: data.databaseFile },
  clock,
  logger,
  append: async (entries) => {
    if (ledger === undefined) appendStopped(sql, data.databaseFile, [['appendAudit', entries]]);
    else await ledger.core.appendAudit(entries);
  },
  written: async () => ledger?.core.accessCaughtUp(),
});

const open = (): Promise<StartResult> =>
  coreStart.told(async () => {
    sql = openChainDatabase({ path: data.databaseFile });
    countCommits(sql, commits);
    rows = accessQuestions(accessRows(sql));
    await coreStart.opened({ now: rows });
    // If the chain has begun, the log may have tokens that chain.db does not have yet, so they are checked later.
    if (!isBegun(sql)) await coreStart.checkToken({ now: rows });
    return { ok: true };
  });

function running(): EmbeddedLedger {
  if (ledger === undefined) throw new Error('the ledger is asked before it has started');
  return ledger;
}

function webhooksOf(opened: EmbeddedLedger): ReturnType<typeof ledgerWebhooks> {
  return ledgerWebhooks({
    core: opened.core,
    sql,
    gatewayId: data.gatewayId,
    targets: data.webhookTargets,
    chain: { chainId: data.genesis.chainId, addressPrefix: data.genesis.addressPrefix },
    clock,
    random: createRandomSource(),
    logger,
  });
}

function runningWebhooks(): LedgerWebhooksControl {
  if (webhooks === undefined) throw new Error('the ledger is asked before it has started');
  return webhooks.control;
}

let saidMs = 0;

/** Reports blocks that a kill or a power cut left only in the log. */
function progress(height: number): void {
  const nowMs = clock.monotonicMs();
  if (nowMs - saidMs < PROGRESS_MS) return;
  saidMs = nowMs;
  logger.info({ height }, 'writing blocks of the log into chain.db');
}

function die(error: Error): never {
  logger.error({ err: error }, 'memory may be ahead of the disk');
  process.exit(EXIT_DIED); // ends this thread, and with it the process
}

/** Tokens and bound addresses are changed on this thread, which appends to the log. Reads use chain.db, once it has every change. */
function accessCalls({ core }: EmbeddedLedger): AccessApi {
  return createAccessService({
    change: (change) => core.changeAccess(change),
    read: (work) =>
      answeringStoreFaults(async () => {
        await core.accessCaughtUp();
        return await work(rows);
      }, logger),
    chain: data.genesis,
    clock,
    random: createRandomSource(),
  });
}

/** Without a socket in the folder only commands beside the service do not work. */
async function listenToCommands({ core }: EmbeddedLedger): Promise<typeof commands> {
  const run: RunChange = async (change) => {
    const result = await core.changeAccess(change);
    if (typeof result !== 'object' || result === null || !('detail' in result)) return result as never;
    throw new StoreUnavailableError(String(result.detail));
  };
  try {
    return await serveCommands(
      dataDirFiles(data.dataDir).commands,
      {
        changes: (actor) => createAdministration({ run, now: rows }, { clock, random: createRandomSource(), actor }),
        caughtUp: () => core.accessCaughtUp(),
      },
      logger,
    );
  } catch (error) {
    logger.warn(
      { err: error },
      'commands.sock cannot be made in DATA_DIR: txledger token, address and audit work only while this service is stopped',
    );
    return undefined;
  }
}

const begin = (): Promise<StartResult> =>
  coreStart.told(async () => {
    const key = parseValidatorKey(readSecretFile(data.validatorKeyFile, 'the validator key', data.keyFileGroup));
    if (!key.ok) return { ok: false, message: `The validator key at ${data.validatorKeyFile} ${key.message}.` };
    const { otherWitnessFile } = data;
    if (otherWitnessFile !== undefined && !existsSync(path.dirname(otherWitnessFile)))
      return {
        ok: false,
        message: `LOG_WITNESS_FILE is ${otherWitnessFile}, and ${path.dirname(otherWitnessFile)} is not there: make the folder, or mount its disk.`,
      };
    const files = dataDirFiles(data.dataDir);
    refuseTornCopy(sql, data.genesis);
    if (data.tracing !== undefined)
      tracer = (await import('../tracing/open-tracer.ts')).openTracer(data.tracing, {
        clock,
        logger,
        chainId: data.genesis.chainId,
      });
    const opened = await openEmbeddedLedger({
      tracer,
      commits,
      onCaughtUp: async () => {
        refuseOldCopy(sql, files, data.genesis);
        const old = setOldWebhooksAside(data.databaseFile);
        if (old !== undefined)
          logger.info({ file: old }, 'chain.db has the webhooks of webhooks.db, which is kept under another name');
        await coreStart.checkToken({ now: rows });
      },
      onProgress: progress,
      writeChain: ({ log, height }) => chainThread({ port: data.chainPort, commits, log, times, height }),
      times,
      sql,
      file: data.databaseFile,
      otherWitnessFile: data.otherWitnessFile,
      genesis: data.genesis,
      dataDir: data.dataDir,
      validatorKey: key.key,
      blockIntervalMs: data.blockIntervalMs,
      idleBlockMs: data.idleBlockMs,
      operatorSeed: data.operatorSeed,
      gatewayId: data.gatewayId,
      fronts: data.frontPorts.length,
      clock,
      logger,
      onFatal: die,
      onFirstTransaction: wantStatements,
      // Programs count blocks by the metrics; a line for each block would be most of their log.
      ...(logFormat().format === 'text' && { onTransactions: (block) => logger.info(block, 'block') }),
      limits: {
        pendingTtlMs: data.pendingTtlS * MS_PER_S,
        pendingMax: data.pendingMax,
        pendingPerOwnerMax: data.pendingPerOwnerMax,
      },
    });
    ledger = opened;
    // Logs the last entries as the service before left them, without any entry of this one.
    heads = sayChainHeads({ sql, lastEntry: opened.lastEntry, clock, logger });
    signState = exportSignState({
      path: files.validatorState,
      lastSigned: opened.lastSigned,
      clock,
      logger,
    });
    const { chainId, hash: genesisHash } = data.genesis;
    witnesses = [files.witness, ...(data.otherWitnessFile === undefined ? [] : [data.otherWitnessFile])].map((file) =>
      exportFile({
        path: file,
        content: () => {
          const { seq, hash } = opened.lastEntry();
          return { version: seq, text: formatWitness({ chainId, genesisHash, seq, hash }) };
        },
        written: -1,
        failure: `${file} was not written: an older copy of log.db is noticed as of the last time that it was`,
        clock,
        logger,
      }),
    );
    // One instance for all HTTP threads, so that its memory covers all of them.
    const core = paymentsFirst(opened.core, clock);
    webhooks = webhooksOf(opened);
    for (const port of data.frontPorts) link(port, Object.assign(packingCore(core), webhooks.api, accessCalls(opened)));
    commands = await listenToCommands(opened);
    return { ok: true };
  });

/** Both steps in one call: an answer to the main thread and back would wait while that thread compiles. */
const start = async (): Promise<StartResult> => {
  const opened = await open();
  return opened.ok ? await begin() : opened;
};

const control: CoreControl & LedgerWebhooksControl & { metrics(): Promise<EngineMetrics> } = {
  start,
  recordStart: coreStart.recordStart,
  recordRefusal: coreStart.recordRefusal,
  appendAudit: (entries: readonly AuditEntry[]) => running().core.appendAudit(entries),
  keepCompiled: async () => keepCompiled(),
  stop: async () => {
    const { core, close } = running();
    await commands?.close();
    await signState.stop();
    await core.close();
    await coreStart.recordStop();
    await close();
    heads.stop();
    await Promise.all(witnesses.map((witness) => witness.stop()));
    await Promise.all(witnesses.map((witness) => witness.writeLast()));
    sql.close();
    await tracer?.close();
  },
  metrics: () => running().engine.metrics(),
  disableWebhook: (what) => runningWebhooks().disableWebhook(what),
  moveWebhookPlaces: (places) => runningWebhooks().moveWebhookPlaces(places),
  webhookCounts: () => runningWebhooks().webhookCounts(),
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
