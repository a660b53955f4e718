/** Transactions of every kind, good and bad, the same ones for the same seed. */
import { encodeAddress, publicKeyOfSeed } from '../../../server/ledger/index.ts';
import {
  DEV_ACCOUNTS,
  DEV_BALANCE,
  devAddress,
  operatorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  devSeed,
  governorSeed,
} from '../../ledger/support.ts';

/** Mulberry32: small, and good enough to vary tests. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function freshAddress(i: number): string {
  return encodeAddress(publicKeyOfSeed(Buffer.alloc(32, i + 1)), 'txlt');
}

/** Makes transactions that mostly can execute, because it counts the nonces that it gave away. */
export class RandomTransactions {
  readonly #below: (below: number) => number;
  readonly #nonces = Array.from({ length: DEV_ACCOUNTS }, () => 0);
  readonly #made: Uint8Array[] = [];
  readonly #nowS: (() => number) | undefined;
  /** Transfers whose validity ends, which may hold up their account. */
  readonly #ending: { from: number; nonce: number; validUntil: number }[] = [];
  #sequence = 0;

  /** `nowS`: about the time of the next block, in Unix seconds; with it transfers carry a validUntil around that time. */
  constructor(seed: number, nowS?: () => number) {
    this.#below = randomNumbers(seed);
    this.#nowS = nowS;
  }

  /** A payment that counts on another that is cancelled before it: it fails in its block. Only before any other transaction. */
  brokenPromise(): Uint8Array[] {
    this.#nonces.fill(1, 2, 4);
    return [
      signedTransfer({ from: 2, to: 3, amount: DEV_BALANCE }).raw,
      signedTransfer({ from: 3, to: 4, amount: DEV_BALANCE * 2n }).raw,
      signedCancel({ from: 2 }).raw,
    ];
  }

  next(): Uint8Array {
    const raw = this.#make();
    this.#made.push(raw);
    return raw;
  }

  /** A void of a nonce whose transfer can have ended; without effect where a block executed it in time. */
  #unblock(): Uint8Array | undefined {
    const [oldest] = this.#ending;
    if (oldest === undefined || this.#nowS === undefined || oldest.validUntil + 2 > this.#nowS()) return undefined;
    this.#ending.shift();
    return signedCancel(oldest).raw;
  }

  /** What a transfer carries besides. */
  #members(from: number, nonce: number): { reference?: string; validUntil?: number } {
    const reference = this.#below(3) === 0 ? { reference: `INV ${from}/${nonce}` } : {};
    if (this.#nowS === undefined || this.#below(3) > 0) return reference;
    const validUntil = this.#nowS() - 4 + this.#below(8);
    this.#ending.push({ from, nonce, validUntil });
    return { ...reference, validUntil };
  }

  #make(): Uint8Array {
    const below = this.#below;
    const unblocking = this.#unblock();
    if (unblocking) return unblocking;
    const from = below(DEV_ACCOUNTS);
    const nonce = this.#nonces[from] ?? 0;
    switch (below(20)) {
      case 0: // void the next nonce: what was sent at it is evicted
        this.#nonces[from] = nonce + 1;
        return signedCancel({ from, nonce }).raw;
      case 1: // void one further ahead, by the sender
        return signedCancel({ from, nonce: nonce + 5 + below(20), signer: devSeed(from) }).raw;
      case 2:
        return signedCancel({ from, nonce, signer: devSeed((from + 1) % DEV_ACCOUNTS) }).raw; // by a stranger
      case 3:
        return signedGovernance({
          action: 'canceller_add',
          subject: operatorAddress(1 + this.#sequence),
          sequence: this.#sequence++,
        }).raw;
      case 4: // not the next sequence, or not by a governor
        return signedGovernance({
          sequence: this.#sequence + 3,
          signers: [below(2) === 0 ? governorSeed(0) : devSeed(from)],
        }).raw;
      case 5: // more than there is: refused at the door
        return signedTransfer({ from, nonce, amount: DEV_BALANCE * 20n }).raw;
      case 6: {
        const again = this.#made[below(Math.max(1, this.#made.length))];
        return again ?? Buffer.from('{}');
      }
      case 7:
        return Buffer.from(Array.from({ length: below(200) }, () => below(256)));
      case 8: {
        const spoilt = Buffer.from(signedTransfer({ from, nonce }).raw);
        const at = below(spoilt.length);
        spoilt.writeUInt8(spoilt.readUInt8(at) ^ (1 << below(8)), at);
        return spoilt;
      }
      case 9:
        return signedTransfer({ from, nonce: nonce + 2 }).raw; // a gap
      default: {
        this.#nonces[from] = nonce + 1;
        const to = below(4) === 0 ? freshAddress(below(40)) : devAddress(below(DEV_ACCOUNTS));
        // Sometimes most of what an account has, so that a later transfer fails for lack of funds.
        const amount = below(8) === 0 ? (DEV_BALANCE * 7n) / 10n : BigInt(1 + below(1000));
        return signedTransfer({ from, nonce, to, amount, ...this.#members(from, nonce) }).raw;
      }
    }
  }
}
