/** Signs in this browser with the client's code, and submits. */
import { type SignedTransfer, signTransfer } from '../../../../../client/src/actions/signTransfer.ts';
import { signerFromSeed } from '../../../../../client/src/keys/seed.ts';
import { transferSignBytes } from '../../../../../client/src/transaction/transfer.ts';
import { accountPath } from '../account/statement.ts';
import { type Account, ask, type Chain, get } from '../api.ts';
import type { TransferToSend } from './transfer-fields.ts';

export async function nextNonce(address: string, signal: AbortSignal): Promise<number> {
  return (await get<Account>(accountPath(address), {}, signal)).nextNonce;
}

/** The text whose bytes are signed. */
export function signText(
  { from, to, amount, reference, validUntil }: TransferToSend,
  nonce: number,
  { chainId }: Chain,
): string {
  return transferSignBytes({
    chainId,
    from,
    to,
    amount,
    nonce,
    ...(reference !== undefined && { reference }),
    ...(validUntil !== undefined && { validUntil: Math.floor(validUntil.getTime() / 1000) }),
  });
}

export async function sign(
  { to, amount, reference, validUntil, nonce, from }: TransferToSend,
  seed: string,
  chain: Chain,
  signal: AbortSignal,
): Promise<SignedTransfer> {
  return await signTransfer({
    signer: await signerFromSeed(seed),
    chain,
    to,
    amount,
    nonce: nonce ?? (await nextNonce(from, signal)),
    reference,
    validUntil,
  });
}

export async function submit({ input }: SignedTransfer, signal: AbortSignal): Promise<void> {
  await ask('transactions', { method: 'POST', body: input, signal });
}
