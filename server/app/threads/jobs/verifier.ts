/**
 * A verifier: verifies the signatures of batches, a slice at a time, by the STRICT rule. It holds no state.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { verifyStrict } from '../../../ledger/index.ts';
import { chooseSignatureLibrary } from '../../signatures.ts';
import { READY, unpackChecks } from '../packed-checks.ts';

export function run(_data: undefined, port: MessagePort): void {
  chooseSignatureLibrary();
  // The caller sends no slice before this message: loading takes longer than the verification of a batch.
  port.postMessage(READY, []);
  port.on('message', (packed: Uint8Array) => {
    const checks = unpackChecks(packed);
    const verdicts = new Uint8Array(checks.length);
    for (const [index, { publicKey, message, signature }] of checks.entries())
      verdicts[index] = verifyStrict(publicKey, message, signature) ? 1 : 0;
    port.postMessage(verdicts, [verdicts.buffer]);
  });
}
