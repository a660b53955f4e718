/**
 * The entry point of every job thread: its `workerData` names the job. Only the named job is loaded, so that a verifier does not load
 * SQLite.
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
