/** Verifies the same few signatures with node:crypto for a while: the limit of one core. */
import { createPublicKey, verify } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

export interface VerifyJob {
  ms: number;
  /** SPKI in DER, message, signature. */
  cases: readonly { key: Uint8Array; message: Uint8Array; signature: Uint8Array }[];
}

export interface Verified {
  count: number;
  cpuUs: number;
}

const BETWEEN_LOOKS = 64;

parentPort?.on('message', ({ ms, cases }: VerifyJob) => {
  const ready = cases.map(({ key, message, signature }) => ({
    key: createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' }),
    message,
    signature,
  }));
  const before = process.threadCpuUsage();
  let count = 0;
  for (const endMs = performance.now() + ms; performance.now() < endMs;) {
    for (let at = 0; at < BETWEEN_LOOKS; at += 1, count += 1) {
      const { key, message, signature } = ready[count % ready.length]!;
      if (!verify(null, message, key, signature)) throw new Error('a good signature was refused');
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ count, cpuUs: user + system } satisfies Verified, []);
});
