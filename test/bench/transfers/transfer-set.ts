/**
 * Endless lists of transfers, numbered, the same at every run: number `index` is decided by its set, so that of a signed one only the
 * signature (and the address of a fresh receiver) has to be kept.
 */
import {
  encodeAddress,
  encodeTransaction,
  type Transfer,
  txHash,
  type Unsigned,
} from '../../../server/ledger/index.ts';
import { DEV_CHAIN_ID, PAYERS, type SetName } from './payers.ts';

export const SIGNATURE_BYTES = 64;
export const PUBLIC_KEY_BYTES = 32;
/** What the cache keeps of a transfer: its signature, and the receiver's key where that is not one of the payers'. */
export const RECORD_BYTES: Record<SetName, number> = {
  known: SIGNATURE_BYTES,
  fresh: SIGNATURE_BYTES + PUBLIC_KEY_BYTES,
};

export function unsignedTransfer(set: SetName, index: number, to: string): Unsigned<Transfer> {
  const payers = PAYERS[set];
  return {
    kind: 'transfer',
    chainId: DEV_CHAIN_ID,
    from: payers[index % payers.length]!.address,
    to,
    amount: 1n,
    nonce: Math.floor(index / payers.length),
  };
}

/** The receiver of a transfer between payers. */
export function neighbour(index: number): string {
  return PAYERS.known[(index + 1) % PAYERS.known.length]!.address;
}

/** Signed transfers of a set, read from the bytes of the cache. */
export class TransferSet {
  readonly name: SetName;
  readonly count: number;
  readonly #records: Buffer;

  constructor(name: SetName, records: Buffer) {
    this.name = name;
    this.#records = records;
    this.count = Math.floor(records.length / RECORD_BYTES[name]);
  }

  transfer(index: number): Transfer {
    if (index >= this.count) throw new RangeError(`transfer ${index} of ${this.count} signed ones`);
    const at = index * RECORD_BYTES[this.name];
    const keyAt = at + SIGNATURE_BYTES;
    const to =
      this.name === 'known'
        ? neighbour(index)
        : encodeAddress(this.#records.subarray(keyAt, keyAt + PUBLIC_KEY_BYTES), 'txlt');
    return { ...unsignedTransfer(this.name, index, to), signature: this.#records.toString('hex', at, keyAt) };
  }

  /** The JSON of a submission. */
  body(index: number): string {
    const { from, to, amount, nonce, signature } = this.transfer(index);
    return `{"from":"${from}","to":"${to}","amount":"${amount}","nonce":${nonce},"signature":"${signature}"}`;
  }

  /** The id that the server must have given it. */
  hash(index: number): string {
    return txHash(encodeTransaction(this.transfer(index)));
  }
}
