/** The signed transfers of the rounds: so many senders that a nonce may wait for nothing but the nonce before it. */
import {
  encodeAddress,
  encodeTransaction,
  publicKeyOfSeed,
  signTransaction,
  type Transfer,
} from '../../../server/ledger/index.ts';

/** Nonces may run 1,024 ahead of the chain, so many senders keep the window from being the limit. */
const SENDERS = 200;
const SEED_BYTES = 32;

export interface Sender {
  seed: Uint8Array;
  address: string;
}

export const senders: readonly Sender[] = Array.from({ length: SENDERS }, (_, i) => {
  const seed = Buffer.alloc(SEED_BYTES, i + 1);
  return { seed, address: encodeAddress(publicKeyOfSeed(seed), 'txlt') };
});

export interface SignedTransfer {
  /** Of POST /transactions. */
  body: string;
  raw: Uint8Array;
}

export function signed(chainId: string, sender: Sender, to: string, amount: bigint, nonce: number): SignedTransfer {
  const transfer = signTransaction<Transfer>(
    { kind: 'transfer', chainId, from: sender.address, to, amount, nonce },
    sender.seed,
  );
  const { from, signature } = transfer;
  return {
    body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
    raw: encodeTransaction(transfer),
  };
}

/** `count` transfers with the nonces of one round, in the order in which they are sent. */
export function transfersOf(chainId: string, round: number, count: number): SignedTransfer[] {
  const perSender = Math.ceil(count / SENDERS);
  return Array.from({ length: count }, (_, i) => {
    const to = (senders[(i + 1) % SENDERS] as Sender).address;
    return signed(chainId, senders[i % SENDERS] as Sender, to, 1n, round * perSender + Math.floor(i / SENDERS));
  });
}
