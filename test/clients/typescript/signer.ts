/** A signer written from the published format alone: a template string gives the exact bytes, node:crypto the signature. */
import { createHash, createPrivateKey, sign } from 'node:crypto';

export interface Transfer {
  chainId: string;
  from: string;
  to: string;
  amount: string;
  nonce: number;
}

const fields = ({ amount, chainId, from, nonce, to }: Transfer, signature: string): string =>
  `{"amount":"${amount}","chainId":"${chainId}","from":"${from}","nonce":${nonce},${signature}"to":"${to}"}`;

/** What precedes the 32 bytes of a seed in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = '302e020100300506032b657004220420';

/** The signature, and the hash by which the transfer will be known. */
export function signed(transfer: Transfer, seedHex: string): { signature: string; txHash: string } {
  const key = createPrivateKey({ key: Buffer.from(PKCS8_PREFIX + seedHex, 'hex'), format: 'der', type: 'pkcs8' });
  const signature = sign(null, Buffer.from(`txledger-transfer-v1\n${fields(transfer, '')}`), key).toString('hex');
  const raw = fields(transfer, `"signature":"${signature}",`);
  return { signature, txHash: createHash('sha256').update(raw).digest('hex').toUpperCase() };
}
