/** What is in memory because something still refers to it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nothing refers to. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** In use, after what can be freed was freed. */
export function heapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
