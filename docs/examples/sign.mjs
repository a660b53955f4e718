// Sign one transfer with the seed in LEDGER_SEED, with nothing but Node.js: sign.mjs CHAIN_ID FROM TO AMOUNT NONCE [REFERENCE [VALID_UNTIL]]
import { createHash, createPrivateKey, sign } from 'node:crypto';

const [chainId, from, to, amount, nonce, reference, validUntil] = process.argv.slice(2);
const head = `{"amount":"${amount}","chainId":"${chainId}","from":"${from}","nonce":${nonce},${reference ? `"reference":"${reference}",` : ''}`;
const tail = `"to":"${to}"${validUntil ? `,"validUntil":${validUntil}` : ''}}`;
// An Ed25519 private key in PKCS #8 is these 16 bytes and the seed (RFC 8410).
const pkcs8 = Buffer.from(`302e020100300506032b657004220420${process.env.LEDGER_SEED}`, 'hex');
const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
const signature = sign(null, Buffer.from(`txledger-transfer-v1\n${head}${tail}`), key).toString('hex');
const raw = `${head}"signature":"${signature}",${tail}`;
const txHash = createHash('sha256').update(raw).digest('hex').toUpperCase();
process.stdout.write(`${raw.replace(`"chainId":"${chainId}",`, '').slice(0, -1)},"txHash":"${txHash}"}\n`);
