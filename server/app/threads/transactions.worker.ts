/** A thread of a verification: verifies the transactions of blocks by the STRICT rule. It holds no state but the chain's name. @module */
import { parentPort, workerData } from 'node:worker_threads';
import { decodeBlock } from '../../engine/encoding/index.ts';
import { type ChainContext, verifyTransaction } from '../../ledger/index.ts';
import { chooseSignatureLibrary } from '../signatures.ts';

chooseSignatureLibrary();
const chain = workerData as ChainContext;

parentPort?.on('message', (block: Uint8Array) => {
  parentPort?.postMessage(verdictsOf(block), []);
});

/** A byte for each transaction; none for bytes that are no block, which the caller's thread finds as well and describes. */
function verdictsOf(block: Uint8Array): Uint8Array {
  try {
    return Uint8Array.from(decodeBlock(block).transactions, (raw) => (verifyTransaction(chain, raw).ok ? 1 : 0));
  } catch {
    return new Uint8Array();
  }
}
