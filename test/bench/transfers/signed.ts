/** Signs transfers before a benchmark, on all cores, and keeps the signatures in a scratch file: a million take a minute and more. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SetName } from './payers.ts';
import type { SigningJob } from './sign.worker.ts';
import { RECORD_BYTES, TransferSet } from './transfer-set.ts';

/** A new number where payers, receivers or bytes of the sets change. */
const SETS_VERSION = 1;
const JOB_TRANSFERS = 4096;
const FOLDER = path.join(tmpdir(), 'txledger-bench');

/** @param progress is told how many are signed. */
export async function signedTransfers(
  set: SetName,
  count: number,
  progress: (done: number) => void,
): Promise<TransferSet> {
  const file = path.join(FOLDER, `${set}-${SETS_VERSION}.signatures`);
  const size = RECORD_BYTES[set];
  const kept = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const known = Math.min(Math.floor(kept.length / size), count);
  if (known === count) return new TransferSet(set, kept.subarray(0, count * size));

  const records = Buffer.alloc(count * size);
  kept.copy(records, 0, 0, known * size);
  let next = known;
  let done = known;
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('sign.worker.ts', import.meta.url));
    try {
      while (next < count) {
        const job: SigningJob = { set, first: next, count: Math.min(JOB_TRANSFERS, count - next) };
        next += job.count;
        worker.postMessage(job, []);
        const [signed] = (await once(worker, 'message')) as [Uint8Array];
        records.set(signed, job.first * size);
        progress((done += job.count));
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, records);
  return new TransferSet(set, records);
}
