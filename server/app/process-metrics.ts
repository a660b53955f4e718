/**
 * Metrics of the process beside those of prom-client: its disk, its databases, its threads, and the checks of readiness.
 *
 * Files are read at each scrape, by the thread pool, so that a disk that does not respond delays no request.
 *
 * @module
 */
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Readiness } from '../gateway/types.ts';
import { DATA_DIR_FILES } from './data-dir-files.ts';
import { threadActiveSeconds } from './threads/thread-times.ts';

/** Databases of a server in DATA_DIR. Those of an application beside a node belong to another process. */
const DATABASES = [
  DATA_DIR_FILES.chain,
  DATA_DIR_FILES.log,
  DATA_DIR_FILES.search,
  DATA_DIR_FILES.statements,
  DATA_DIR_FILES.gateway,
] as const;

export function registerProcessMetrics(
  registry: Registry,
  { dataDir, pendingMax, readiness }: { dataDir: string; pendingMax: number; readiness: () => Promise<Readiness> },
): void {
  const registers = [registry];
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (set: (value: number, labels?: Partial<Record<Label, string>>) => void) => Promise<void>,
  ): void => {
    const made: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        made.reset();
        await collect((value, labels = {}) => made.set(labels, value));
      },
    });
  };
  gauge(
    'txledger_disk_free_bytes',
    'Bytes that the service may still write on the file system of DATA_DIR.',
    [],
    async (set) => {
      const { bavail, bsize } = await statfs(dataDir);
      set(bavail * bsize);
    },
  );
  gauge('txledger_disk_size_bytes', 'Size of the file system of DATA_DIR.', [], async (set) => {
    const { blocks, bsize } = await statfs(dataDir);
    set(blocks * bsize);
  });
  const sizes =
    (suffix: string) =>
    async (set: (value: number, labels: { database: string }) => void): Promise<void> => {
      for (const database of DATABASES) {
        const bytes = await bytesOf(path.join(dataDir, database + suffix));
        if (bytes !== undefined) set(bytes, { database });
      }
    };
  gauge('txledger_database_file_bytes', 'Size of a database file in DATA_DIR.', ['database'], sizes(''));
  gauge(
    'txledger_database_wal_bytes',
    'Size of the write-ahead log beside a database file.',
    ['database'],
    sizes('-wal'),
  );
  gauge('txledger_readiness_check', 'Whether a check of readiness passes: 1, or 0.', ['check'], async (set) => {
    for (const { name, ok } of (await readiness()).checks) set(ok ? 1 : 0, { check: name });
  });
  gauge(
    'txledger_transactions_pending_limit',
    'Pending transactions at which the service refuses more.',
    [],
    async (set) => set(pendingMax),
  );
  const active: Counter<'thread'> = new Counter({
    name: 'txledger_thread_active_seconds_total',
    help: 'Time in which a thread was at work, by thread; 1 second a second is all that a thread can do.',
    labelNames: ['thread'],
    registers,
    collect() {
      active.reset();
      for (const [thread, seconds] of Object.entries(threadActiveSeconds())) active.inc({ thread }, seconds);
    },
  });
}

/** Undefined for a missing file. */
async function bytesOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
