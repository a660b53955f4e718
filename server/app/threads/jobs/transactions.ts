/**
 * Verifies the transactions of blocks by the STRICT rule, for a verification of the whole chain. Its only state is the chain ID and the
 * address prefix.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { decodeBlock } from '../../../engine/encoding/index.ts';
import { type ChainContext, verifyTransaction } from '../../../ledger/index.ts';
import { chooseSignatureLibrary } from '../../signatures.ts';

export function run(chain: ChainContext, port: MessagePort): void {
  chooseSignatureLibrary();
  port.on('message', (block: Uint8Array) => {
    port.postMessage(verdictsOf(chain, block), []);
  });
}

/** Returns a byte for each transaction; none for bytes that are not a block, because the caller's thread detects and describes that too. */
function verdictsOf(chain: ChainContext, block: Uint8Array): Uint8Array {
  try {
    return Uint8Array.from(decodeBlock(block).transactions, (raw) => (verifyTransaction(chain, raw).ok ? 1 : 0));
  } catch {
    return new Uint8Array();
  }
}
