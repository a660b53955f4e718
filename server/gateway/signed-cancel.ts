/** A cancel that the transfer's own sender signed. Its signature is the right to cancel, no matter who submitted the transfer. */
import type { Cancel, ChainContext, Unsigned } from '../ledger/index.ts';
import { encodeTransaction, parseAddress, signBytes, verifyStrict } from '../ledger/index.ts';
import { refuseField } from './refusals.ts';
import type { Refusal } from './types.ts';

/**
 * The raw transaction, when the signature is the sender's.
 * @param txHash of the transfer, upper-case hex, as the signer has it: it may have been executed under another signature and hash.
 */
export function readSignedCancel(
  { chainId, addressPrefix }: ChainContext,
  { from, nonce }: { from: string; nonce: number },
  txHash: string,
  signature: string,
): { ok: true; raw: Uint8Array } | Refusal {
  const unsigned: Unsigned<Cancel> = { kind: 'cancel', chainId, from, nonce, signer: from, txHash };
  const bytes = signBytes(unsigned);
  const sender = parseAddress(from, addressPrefix);
  if (sender.ok && verifyStrict(sender.publicKey, bytes, Buffer.from(signature, 'hex')))
    return { ok: true, raw: encodeTransaction({ ...unsigned, signature }) };
  return refuseField(
    'invalid_signature',
    '/signature',
    "The signature does not verify for the sign bytes in signBytes and the key of the transfer's sender. Compare these bytes with those that were signed.",
    { extra: { signBytes: Buffer.from(bytes).toString() } },
  );
}
