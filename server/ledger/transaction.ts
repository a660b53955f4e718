/**
 * The three kinds of transaction and their two byte forms.
 *
 * Both forms are JSON with fixed keys in a fixed order and no spaces. Every value is plain ASCII that needs no escaping, so string
 * formatting in any language gives the right bytes, and the result is also valid RFC 8785. The signed bytes start with a line that names
 * the kind and its version, so that a signature for one kind can never be read as another.
 */
import { latin1Bytes, sha256UpperHex, toHex } from './bytes.ts';
import { signEd25519 } from './ed25519.ts';

/**
 * Moves `amount` from `from` to `to`; executes when `nonce` is the account's. All fields but the signature identify the payment: the same
 * with another reference or end is another payment.
 */
export interface Transfer {
  readonly kind: 'transfer';
  readonly chainId: string;
  readonly from: string;
  readonly to: string;
  /** Minor units, 1 to AMOUNT_MAX. */
  readonly amount: bigint;
  /** 0 to NONCE_MAX. */
  readonly nonce: number;
  /** The payer's own name for the payment, REFERENCE_PATTERN; absent from the bytes when absent. */
  readonly reference?: string;
  /** The last second, in Unix time, in which a block may hold it, 1 to VALID_UNTIL_MAX; absent from the bytes when absent. */
  readonly validUntil?: number;
  /** 128 lower-case hex digits. */
  readonly signature: string;
}

/** Voids `nonce` of `from` forever, for all bytes that would use it. */
export interface Cancel {
  readonly kind: 'cancel';
  readonly chainId: string;
  readonly from: string;
  readonly nonce: number;
  /** `from` itself or a canceller. */
  readonly signer: string;
  /** The hash of the transfer to cancel, 64 upper-case hex digits; no rule depends on it. */
  readonly txHash: string;
  readonly signature: string;
}

/** Members that a transfer may carry: a copy of those that it has. Absent stays absent, because the bytes differ. */
export function paymentMembers({
  reference,
  validUntil,
}: {
  readonly reference?: string | undefined;
  readonly validUntil?: number | undefined;
}): Pick<Transfer, 'reference' | 'validUntil'> {
  return { ...(reference !== undefined && { reference }), ...(validUntil !== undefined && { validUntil }) };
}

export type GovernanceAction =
  | 'canceller_add'
  | 'canceller_remove'
  | 'governor_add'
  | 'governor_remove'
  | 'threshold'
  | 'validator_power'
  | 'rules_version';

export interface GovernanceSignature {
  /** 128 lower-case hex digits. */
  readonly signature: string;
  /** A governor. */
  readonly signer: string;
}

/** Changes the keys that may cancel for others, govern, or make blocks, or the version of the rules. */
export interface Governance {
  readonly kind: 'governance';
  readonly chainId: string;
  readonly action: GovernanceAction;
  /**
   * validator_power: the new voting power, 0 removes. threshold: the new one. rules_version: the height from which the rules are in force.
   * Always 0 for the other actions.
   */
  readonly power: number;
  /** Counts the chain's governance transactions from 0, so that each is used once. */
  readonly sequence: number;
  /** Sorted by signer, no signer twice, at least one and at most GOVERNORS_MAX. Each covers the same bytes, in which no signer is named. */
  readonly signatures: readonly GovernanceSignature[];
  /**
   * The address whose role changes; validator_power: the public key in 64 lower-case hex digits; rules_version: the version in decimal;
   * threshold: empty.
   */
  readonly subject: string;
}

export type Transaction = Transfer | Cancel | Governance;

/** The same without its signature or signatures, for each kind. */
export type Unsigned<T extends Transaction> = T extends Transaction ? Omit<T, 'signature' | 'signatures'> : never;

function transferText(tx: Unsigned<Transfer>, signature: string): string {
  const reference = tx.reference === undefined ? '' : `"reference":"${tx.reference}",`;
  const validUntil = tx.validUntil === undefined ? '' : `,"validUntil":${tx.validUntil}`;
  return `{"amount":"${tx.amount}","chainId":"${tx.chainId}","from":"${tx.from}","nonce":${tx.nonce},${reference}${signature}"to":"${tx.to}"${validUntil}}`;
}

function cancelText(tx: Unsigned<Cancel>, signature: string): string {
  return `{"chainId":"${tx.chainId}","from":"${tx.from}","nonce":${tx.nonce},${signature}"signer":"${tx.signer}","txHash":"${tx.txHash}"}`;
}

function governanceText(tx: Unsigned<Governance>, signatures: string): string {
  return `{"chainId":"${tx.chainId}","kind":"${tx.action}","power":${tx.power},"sequence":${tx.sequence},${signatures}"subject":"${tx.subject}"}`;
}

function jsonText(tx: Unsigned<Transaction>, signature: string): string {
  switch (tx.kind) {
    case 'transfer':
      return transferText(tx, signature);
    case 'cancel':
      return cancelText(tx, signature);
    case 'governance':
      return governanceText(tx, signature);
  }
}

/** The first line of the signed bytes. */
const SIGN_BYTES_LINE = {
  transfer: 'txledger-transfer-v1',
  cancel: 'txledger-cancel-v1',
  governance: 'txledger-governance-v2',
} as const;

/** The bytes that a signature covers. */
export function signBytes(tx: Unsigned<Transaction>): Uint8Array {
  return latin1Bytes(`${SIGN_BYTES_LINE[tx.kind]}\n${jsonText(tx, '')}`);
}

function signaturesText(signatures: readonly GovernanceSignature[]): string {
  return signatures.map(({ signature, signer }) => `{"signature":"${signature}","signer":"${signer}"}`).join(',');
}

/** The canonical text of a signed transaction. */
export function transactionText(tx: Transaction): string {
  return jsonText(
    tx,
    tx.kind === 'governance' ? `"signatures":[${signaturesText(tx.signatures)}],` : `"signature":"${tx.signature}",`,
  );
}

/** The bytes of a transaction in a block. They are canonical only if every field is: decodeTransaction checks that. */
export function encodeTransaction(tx: Transaction): Uint8Array {
  return latin1Bytes(transactionText(tx));
}

/** SHA-256 of the raw bytes, 64 upper-case hex digits. */
export function txHash(raw: Uint8Array): string {
  return sha256UpperHex(raw);
}

/** Signs with the 32-byte seed of the sender (transfer) or the signer (cancel). */
export function signTransaction<T extends Transfer | Cancel>(unsigned: Unsigned<T>, seed: Uint8Array): T {
  const signature = toHex(signEd25519(seed, signBytes(unsigned as Unsigned<Transaction>)));
  return { ...unsigned, signature } as unknown as T;
}

/** One governor's signature, made with the 32-byte seed of that address. */
export function signGovernance(unsigned: Unsigned<Governance>, signer: string, seed: Uint8Array): GovernanceSignature {
  return { signature: toHex(signEd25519(seed, signBytes(unsigned))), signer };
}

/** A governance transaction with the signatures that were collected, in the order that its bytes have. */
export function withSignatures(unsigned: Unsigned<Governance>, signatures: readonly GovernanceSignature[]): Governance {
  return { ...unsigned, signatures: [...signatures].sort((a, b) => (a.signer < b.signer ? -1 : 1)) };
}

/** Every signature that must verify, with the address whose key made it. */
export function signaturesOf(tx: Transaction): readonly GovernanceSignature[] {
  switch (tx.kind) {
    case 'transfer':
      return [{ signature: tx.signature, signer: tx.from }];
    case 'cancel':
      return [{ signature: tx.signature, signer: tx.signer }];
    case 'governance':
      return tx.signatures;
  }
}
