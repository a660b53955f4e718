/** The machine of a run, without its name. */
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Machine } from './result.ts';

const BYTES_PER_GIB = 1024 ** 3;

export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / BYTES_PER_GIB),
    node: process.version,
  };
}
