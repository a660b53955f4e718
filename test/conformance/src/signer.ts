/**
 * Addresses, sign bytes, hashes and signatures, written from the contract alone: nothing is shared with the server or the client, so that
 * a mistake of theirs is not repeated here.
 */
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';

export interface Account {
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly address: string;
}

export interface Transfer {
  readonly chainId: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly nonce: number;
  readonly reference?: string;
  readonly validUntil?: number;
}

/** The body of POST /transactions. */
export interface Signed extends Omit<Transfer, 'chainId'> {
  readonly signature: string;
}

/** What an Ed25519 private key in PKCS #8 begins with (RFC 8410); the seed follows. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

export function accountOf(seed: Uint8Array, prefix: string): Account {
  const spki = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  const publicKey = Uint8Array.from(spki.subarray(-KEY_BYTES));
  return { seed, publicKey, address: encodeAddress(publicKey, prefix) };
}

export const newAccount = (prefix: string): Account => accountOf(randomBytes(KEY_BYTES), prefix);

export const signBytes = (transfer: Transfer): string => `txledger-transfer-v1\n${canonical(transfer)}`;

export const rawBytes = (transfer: Transfer, signature: string): string => canonical({ ...transfer, signature });

/** The members that are there, in alphabetical order. */
function canonical(members: Transfer | (Transfer & { signature: string })): string {
  const { amount, chainId, from, nonce, reference, signature, to, validUntil } = members as Transfer & {
    signature?: string;
  };
  return JSON.stringify({ amount, chainId, from, nonce, reference, signature, to, validUntil });
}

export function hashOf(transfer: Transfer, signature: string): string {
  return createHash('sha256').update(rawBytes(transfer, signature)).digest('hex').toUpperCase();
}

export function signTransfer(seed: Uint8Array, transfer: Transfer): Signed {
  return signedBody(transfer, signText(seed, signBytes(transfer)));
}

/** What the sender of a transfer signs to cancel it. */
export function cancelSignBytes(
  { chainId, from, nonce }: Pick<Transfer, 'chainId' | 'from' | 'nonce'>,
  txHash: string,
): string {
  return `txledger-cancel-v1\n${JSON.stringify({ chainId, from, nonce, signer: from, txHash })}`;
}

export const signText = (seed: Uint8Array, text: string): string =>
  sign(null, Buffer.from(text), privateKey(seed)).toString('hex');

/** Without the chain id, which is signed and not sent. */
export function signedBody(transfer: Transfer, signature: string): Signed {
  const { chainId: _, ...sent } = transfer;
  return { ...sent, signature };
}

function privateKey(seed: Uint8Array): ReturnType<typeof createPrivateKey> {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

// Bech32m, BIP-350.
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
export const BECH32M = 0x2bc830a3;
export const BECH32 = 1;
const CHECKSUM_LENGTH = 6;

/** @param constant what tells bech32m from bech32, which is no address here. */
export function encodeAddress(publicKey: Uint8Array, prefix: string, constant: number = BECH32M): string {
  const values = fiveBitGroups(publicKey);
  const expanded = [
    ...[...prefix].map((c) => c.charCodeAt(0) >> 5),
    0,
    ...[...prefix].map((c) => c.charCodeAt(0) & 31),
  ];
  const state = polymod([...expanded, ...values, ...Array<number>(CHECKSUM_LENGTH).fill(0)]) ^ constant;
  const checksum = Array.from({ length: CHECKSUM_LENGTH }, (_, i) => (state >>> (5 * (CHECKSUM_LENGTH - 1 - i))) & 31);
  return `${prefix}1${[...values, ...checksum].map((value) => CHARSET[value]).join('')}`;
}

/** The key behind an address, which has been read before: the checksum is not looked at. */
export function publicKeyOf(address: string): Uint8Array {
  const data = address.slice(address.lastIndexOf('1') + 1, -CHECKSUM_LENGTH);
  const bits = [...data].map((char) => CHARSET.indexOf(char).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from({ length: KEY_BYTES }, (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8), 2));
}

function fiveBitGroups(bytes: Uint8Array): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2));
}

function polymod(values: readonly number[]): number {
  let state = 1;
  for (const value of values) {
    const top = state >>> 25;
    state = ((state & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >>> bit) & 1) state ^= generator;
  }
  return state;
}
