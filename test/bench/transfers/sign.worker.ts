/** Signs a run of transfers on a thread of its own. Signing keys are made once for each payer. */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { encodeAddress, publicKeyOfSeed, signBytes } from '../../../server/ledger/index.ts';
import { freshSeed, PAYERS, type SetName } from './payers.ts';
import { neighbour, RECORD_BYTES, SIGNATURE_BYTES, unsignedTransfer } from './transfer-set.ts';

export interface SigningJob {
  set: SetName;
  first: number;
  count: number;
}

/** RFC 8410: what stands before the seed in the DER form of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const keys = new Map<string, KeyObject>();

function keyOf({ address, seed }: { address: string; seed: Uint8Array }): KeyObject {
  const key =
    keys.get(address) ?? createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  keys.set(address, key);
  return key;
}

parentPort?.on('message', ({ set, first, count }: SigningJob) => {
  const size = RECORD_BYTES[set];
  const payers = PAYERS[set];
  const records = Buffer.alloc(count * size);
  for (let at = 0; at < count; at += 1) {
    const index = first + at;
    const receiverKey = set === 'fresh' ? publicKeyOfSeed(freshSeed(index)) : undefined;
    const to = receiverKey === undefined ? neighbour(index) : encodeAddress(receiverKey, 'txlt');
    sign(null, signBytes(unsignedTransfer(set, index, to)), keyOf(payers[index % payers.length]!)).copy(
      records,
      at * size,
    );
    if (receiverKey !== undefined) records.set(receiverKey, at * size + SIGNATURE_BYTES);
  }
  parentPort?.postMessage(records, [records.buffer]);
});
