/**
 * The entry of every thread that only works: what it is handed names its job. A job is loaded when it is asked for, so that a verifier has no SQLite.
 *
 * @module
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Job, JobData, JobName } from './start-job.ts';

const JOBS: { [Name in JobName]: () => Promise<{ run(data: JobData[Name], port: MessagePort): void }> } = {
  chain: () => import('./jobs/chain.ts'),
  checkpoint: () => import('./jobs/checkpoint.ts'),
  statements: () => import('./jobs/statements.ts'),
  transactions: () => import('./jobs/transactions.ts'),
  verifier: () => import('./jobs/verifier.ts'),
};

async function begin<Name extends JobName>({ job, data }: Job<Name>, port: MessagePort): Promise<void> {
  const { run } = await JOBS[job]();
  run(data, port);
}

if (!parentPort) throw new Error('this module is the entry of a worker thread');
await begin(workerData as Job<JobName>, parentPort);
