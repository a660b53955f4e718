/** Loaded into every thread of a measured server (`node --import`): writes what the thread's heap takes into a file of its own, once a second. */
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { isMainThread, threadId, threadName } from 'node:worker_threads';

/** What `readProbes` finds of a thread. */
export interface ThreadMemory {
  thread: string;
  /** Of the heap: pages that hold something, and what is alive or not collected yet. */
  heapMib: number;
  usedMib: number;
  /** Buffers and other memory that objects of the heap own. */
  externalMib: number;
}

export const PROBE_FOLDER = 'BENCH_MEMORY_FOLDER';
const INTERVAL_MS = 1000;
const MIB = 1024 * 1024;

const folder = process.env[PROBE_FOLDER];
if (folder !== undefined) {
  const name = isMainThread ? 'main' : threadName?.replace('txledger-', '') || `thread ${threadId}`;
  const file = path.join(folder, String(threadId));
  setInterval(() => {
    const { total_physical_size: heap, used_heap_size: used } = getHeapStatistics();
    const memory: ThreadMemory = {
      thread: name,
      heapMib: heap / MIB,
      usedMib: used / MIB,
      externalMib: process.memoryUsage().external / MIB,
    };
    writeFileSync(`${file}.tmp`, JSON.stringify(memory));
    renameSync(`${file}.tmp`, file);
  }, INTERVAL_MS).unref();
}
