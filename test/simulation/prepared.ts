/**
 * Signed transfers that every life takes from, and a table of what their verification gives: signing and verifying are most of what a life would cost,
 * and none of what it looks for.
 */
import { type Transfer, useEquation, nodeEquation, type VerifiedTransaction } from '../../server/ledger/index.ts';
import { CancelSigner } from '../../server/gateway/dispatch/cancel-bytes.ts';
import { devAddress, devSeed, signedCancel, signedTransfer } from '../ledger/support.ts';
import { signedAgain } from '../gateway/support/second-signature.ts';

export const ACCOUNTS = 5;
export const BALANCE = 1000n;
export const START_MS = Date.parse('2026-11-21T09:00:00Z') + 60_000;
/** Beyond the senders there are two addresses that a transfer opens. */
const RECEIVERS = ACCOUNTS + 2;
export const NONCES = 64;
export const VARIANTS = 6;
/** The payment of one unit: an account has money for many. */
export const SMALL = 4;
/** Of these two signatures of one payment are there; the second takes ten milliseconds to make, once. */
export const NONCES_SIGNED_TWICE = 8;
const VALIDITY_STEP_S = 25;

export type Signed = VerifiedTransaction & { tx: Transfer };

const remembered = <T>(make: (from: number, nonce: number, variant: number) => T) => {
  const known = new Map<string, T>();
  return (from: number, nonce: number, variant = 0): T => {
    const name = `${from}/${nonce}/${variant}`;
    const found = known.get(name) ?? make(from, nonce, variant);
    known.set(name, found);
    return found;
  };
};

/** What is paid depends on its three numbers alone, so that it is the same in every life. */
export const payment = remembered((from, nonce, variant): Signed => {
  const mix = from * 7 + nonce * 13 + variant * 29;
  return signedTransfer({
    from,
    to: (from + 1 + (mix % (RECEIVERS - 1))) % RECEIVERS,
    nonce,
    amount: variant === SMALL ? 1n : BigInt(1 + ((mix * 37) % 240)),
    ...(variant % 3 === 1 && { reference: `INV-${mix % 3}` }),
    ...(variant === 5 && { validUntil: Math.floor(START_MS / 1000) + VALIDITY_STEP_S * (1 + (mix % 4)) }),
  });
});

export const paymentSignedAgain = remembered((from, nonce, variant): Signed =>
  signedAgain(payment(from, nonce, variant), devSeed(from)),
);

/** The sender's own cancel of a nonce; of a payment that is known here, or of one that is not. */
export const cancelOf = remembered((from, nonce, variant) =>
  signedCancel({
    from,
    nonce,
    signer: devSeed(from),
    txHash: variant === VARIANTS ? 'E'.repeat(64) : payment(from, nonce, variant).hash,
  }),
);

export const addresses = Array.from({ length: RECEIVERS }, (_, i) => devAddress(i));

/** From now on each signature is verified once in this process, and each cancel of the operator is signed once. */
export function rememberSignatures(): void {
  const signed = new Map<string, Uint8Array>();
  const sign = CancelSigner.prototype.sign;
  CancelSigner.prototype.sign = function (transfer) {
    const raw = signed.get(transfer.hash) ?? sign.call(this, transfer);
    signed.set(transfer.hash, raw);
    return raw;
  };
  const verified = new Map<string, boolean>();
  useEquation((publicKey, message, signature) => {
    const name = `${Buffer.from(signature).toString('latin1')}${Buffer.from(message).toString('latin1')}`;
    const found = verified.get(name) ?? nodeEquation(publicKey, message, signature);
    verified.set(name, found);
    return found;
  });
}
