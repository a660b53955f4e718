/**
 * The bytes of a cancel, made from the row that requests it.
 *
 * They are not stored: a signature with the operator's current key is includable for as long as that key is an operator's, while stored
 * bytes of a key that was replaced since would stay pending forever.
 */
import type { Cancel, ChainContext, Unsigned } from '../../ledger/index.ts';
import { encodeAddress, encodeTransaction, publicKeyOfSeed, signTransaction } from '../../ledger/index.ts';
import type { StoredTransfer } from '../../store/index.ts';

export class CancelSigner {
  /** The operator in whose name cancels are signed. */
  readonly address: string;
  readonly #chain: ChainContext;
  readonly #seed: Uint8Array;

  constructor(chain: ChainContext, operatorSeed: Uint8Array) {
    this.#chain = chain;
    this.#seed = operatorSeed;
    this.address = encodeAddress(publicKeyOfSeed(operatorSeed), chain.addressPrefix);
  }

  /** Raw transaction; the same bytes each time. */
  sign(transfer: StoredTransfer): Uint8Array {
    const { from, nonce, hash } = transfer;
    const unsigned: Unsigned<Cancel> = {
      kind: 'cancel',
      chainId: this.#chain.chainId,
      from,
      nonce,
      signer: this.address,
      txHash: hash,
    };
    return encodeTransaction(signTransaction<Cancel>(unsigned, this.#seed));
  }
}
