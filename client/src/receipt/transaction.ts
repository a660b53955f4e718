/** The raw transaction of a receipt: one JSON object in its canonical form, signed by its account. */
import { parseAddress } from '../crypto/address.ts';
import { verifySignature } from '../crypto/ed25519.ts';
import { fromHex } from '../crypto/hex.ts';
import { InvalidReceiptError } from '../errors/InvalidReceiptError.ts';

export interface RawTransfer {
  readonly amount: string;
  readonly chainId: string;
  readonly from: string;
  readonly nonce: number;
  readonly reference?: string;
  readonly signature: string;
  readonly to: string;
  readonly validUntil?: number;
}
export interface RawCancel {
  readonly chainId: string;
  readonly from: string;
  readonly nonce: number;
  readonly signature: string;
  readonly signer: string;
  readonly txHash: string;
}

/** The members of each kind in alphabetical order, with their types; `?` marks members that may be absent. */
const TRANSFER =
  'amount string,chainId string,from string,nonce number,reference string?,signature string,to string,validUntil number?';
const CANCEL = 'chainId string,from string,nonce number,signature string,signer string,txHash string';

function isOfForm(transaction: Record<string, unknown>, form: string): boolean {
  const members = form.split(',').map((member) => member.split(/[ ?]/));
  const names = members.map(([name]) => name);
  return (
    Object.keys(transaction).every((name) => names.includes(name)) &&
    members.every(
      ([name = '', type, optional]) =>
        (optional !== undefined && !(name in transaction)) || typeof transaction[name] === type,
    )
  );
}

export async function readTransaction(
  raw: Uint8Array,
  chainId: string,
): Promise<{ kind: 'transfer'; fields: RawTransfer } | { kind: 'cancel'; fields: RawCancel }> {
  const refuse = (what: string) => new InvalidReceiptError('transaction', what);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  const fields = JSON.parse(text);
  const kind = isOfForm(fields, TRANSFER) ? 'transfer' : isOfForm(fields, CANCEL) ? 'cancel' : undefined;
  if (kind === undefined) throw refuse('it is neither a transfer nor a cancel');
  const write = (names: readonly string[]): string => JSON.stringify(fields, [...names].sort());
  const names = Object.keys(fields);
  if (write(names) !== text) throw refuse('the transaction is not written in its one form');
  if (fields.chainId !== chainId) throw refuse('the transaction is signed for another chain');
  const signer: string = kind === 'cancel' ? fields.signer : fields.from;
  const address = parseAddress(signer, signer.startsWith('txlt') ? 'txlt' : 'txl');
  const signature = /^[0-9a-f]{128}$/.test(fields.signature) ? fromHex(fields.signature) : undefined;
  const signed = new TextEncoder().encode(
    `txledger-${kind}-v1\n${write(names.filter((name) => name !== 'signature'))}`,
  );
  if (!address.ok || signature === undefined || !(await verifySignature(address.publicKey, signed, signature))) {
    throw new InvalidReceiptError('signature', 'the signature of the transaction is not that of its account');
  }
  return { kind, fields };
}
