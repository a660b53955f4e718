/**
 * Starts the job threads, each with its job. The caller decides what the death of a thread means and whether it is replaced.
 *
 * @module
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { ChainContext } from '../../ledger/index.ts';
import type { ChainJob } from './jobs/chain.ts';
import type { CheckpointJob } from './jobs/checkpoint.ts';
import type { StatementsJob } from './jobs/statements.ts';

/** Structured-cloneable. */
export interface JobData {
  chain: ChainJob;
  checkpoint: CheckpointJob;
  statements: StatementsJob;
  transactions: ChainContext;
  verifier: undefined;
}

export type JobName = keyof JobData;

/** `workerData` of a job thread. */
export interface Job<Name extends JobName> {
  job: Name;
  data: JobData[Name];
}

export const JOB_ENTRY = new URL('./job.worker.ts', import.meta.url);

/** @param entry is only for tests. */
export function startJob<Name extends JobName>(
  job: Name,
  data: JobData[Name],
  resourceLimits: ResourceLimits,
  entry = JOB_ENTRY,
): Worker {
  const workerData: Job<Name> = { job, data };
  return new Worker(entry, { name: `txledger-${job}`, workerData, resourceLimits });
}
