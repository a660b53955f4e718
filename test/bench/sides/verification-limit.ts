/** How many signatures node:crypto verifies a second on one core and on all: what every rate of the ledger is compared with. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { rounded } from '../measure/statistics.ts';
import type { Verified, VerifyJob } from './verify.worker.ts';

const MS_PER_S = 1000;
const CASES = 64;
/** As long as the sign bytes of a transfer. */
const MESSAGE_BYTES = 250;

export interface Limit {
  /** Verifications a second by the clock. */
  oneCorePerS: number;
  allCoresPerS: number;
  cores: number;
  /** Processor time of one verification while one thread works. */
  cpuUs: number;
}

const cases = Array.from({ length: CASES }, (_, index) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const message = Buffer.alloc(MESSAGE_BYTES, index);
  return {
    key: publicKey.export({ format: 'der', type: 'spki' }),
    message,
    signature: sign(null, message, privateKey),
  };
});

async function verified(worker: Worker, ms: number): Promise<Verified> {
  worker.postMessage({ ms, cases } satisfies VerifyJob, []);
  const [result] = (await once(worker, 'message')) as [Verified];
  return result;
}

export class VerificationLimit {
  readonly #workers = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('verify.worker.ts', import.meta.url)),
  );

  async measure(ms: number): Promise<Limit> {
    const one = await verified(this.#workers[0]!, ms);
    const all = await Promise.all(this.#workers.map((worker) => verified(worker, ms)));
    return {
      oneCorePerS: rounded((one.count * MS_PER_S) / ms),
      allCoresPerS: rounded((all.reduce((sum, { count }) => sum + count, 0) * MS_PER_S) / ms),
      cores: all.length,
      cpuUs: rounded(one.cpuUs / one.count),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
