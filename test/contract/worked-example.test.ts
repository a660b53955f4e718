/** The contract alone is enough to sign: its rules, followed here and by a program in Python, give its own example, and the service's code agrees. */
import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { decodeTransaction, encodeAddress, encodeTransaction, signBytes, txHash } from '../../server/ledger/index.ts';
import { contract, example, REPOSITORY } from './support/contract.ts';

const description = (name: string): string =>
  contract.tags.find((tag: { name: string }) => tag.name === name).description;
const fences = (text: string): string[] => Array.from(text.matchAll(/```text\n(.*?)\n```/gs), ([, body = '']) => body);

const [
  signTemplate = '',
  rawTemplate = '',
  seed = '',
  signed = '',
  signature = '',
  raw = '',
  hash = '',
  signTemplateWhole = '',
  rawTemplateWhole = '',
  rawWhole = '',
  hashWhole = '',
] = fences(description('Transactions'));
const { from, to, amount, nonce } = example('SimpleTransfer');
const { chainId } = example('DevelopmentChain');
const values: Record<string, string> = { A: amount, C: chainId, F: from, N: String(nonce), S: signature, T: to };
const fill = (template: string, letters = values): string =>
  template.replaceAll(/(?<=[":])[A-Z](?=[",}])/g, (letter) => letters[letter] ?? '');

/** RFC 8410: an Ed25519 private key in PKCS #8 is these 16 bytes and the seed. */
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'hex')]),
  format: 'der',
  type: 'pkcs8',
});

describe('the example of the contract', () => {
  test('is what its rules give', () => {
    expect(fill(signTemplate)).toBe(signed);
    expect(sign(null, Buffer.from(signed), key).toString('hex')).toBe(signature);
    expect(fill(rawTemplate)).toBe(raw);
    expect(createHash('sha256').update(raw).digest('hex').toUpperCase()).toBe(hash);
  });

  test('with a reference and an end of its validity is what its rules give, and what the request of the contract shows', () => {
    const paid = example('PaymentOfAnInvoice');
    const letters = {
      ...values,
      A: paid.amount,
      N: String(paid.nonce),
      R: paid.reference,
      S: paid.signature,
      V: String(paid.validUntil),
    };
    expect(sign(null, Buffer.from(fill(signTemplateWhole, letters)), key).toString('hex')).toBe(paid.signature);
    expect(fill(rawTemplateWhole, letters)).toBe(rawWhole);
    expect(createHash('sha256').update(rawWhole).digest('hex').toUpperCase()).toBe(hashWhole);
    expect(example('ExpiredTransactionDetail').txHash).toBe(hashWhole);
    const decoded = decodeTransaction(Buffer.from(rawWhole));
    if (!decoded.ok) throw new Error(JSON.stringify(decoded));
    expect(decoded.tx).toMatchObject({ reference: paid.reference, validUntil: paid.validUntil });
    expect(Buffer.from(signBytes(decoded.tx)).toString()).toBe(fill(signTemplateWhole, letters));
  });

  test('is what the requests, the answers and the RPC of the contract show', () => {
    expect(example('SimpleTransfer').signature).toBe(signature);
    expect(example('InvalidSignatureProblem').signBytes).toBe(signed);
    expect(example('PendingTransaction').txHash).toBe(hash);
    expect(Buffer.from(example('RpcTransactionArguments').tx, 'base64').toString()).toBe(raw);
    expect(JSON.parse(contract.components.parameters.RpcTransactionBytes.example)).toBe(raw);
  });

  test('is what the ledger makes and reads', () => {
    const decoded = decodeTransaction(Buffer.from(raw));
    if (!decoded.ok) throw new Error(JSON.stringify(decoded));
    expect(decoded.tx).toMatchObject({ kind: 'transfer', chainId, from, to, nonce, signature });
    expect(Buffer.from(signBytes(decoded.tx)).toString()).toBe(signed);
    expect(Buffer.from(encodeTransaction(decoded.tx)).toString()).toBe(raw);
    expect(txHash(Buffer.from(raw))).toBe(hash);
    expect(encodeAddress(publicKey(), 'txlt')).toBe(from);
  });

  test('is what a program in Python computes that is given the contract and nothing else', async () => {
    const { stdout } = await promisify(execFile)('python3', [
      join(import.meta.dirname, 'worked_example.py'),
      join(REPOSITORY, 'generated', 'openapi.json'),
    ]);
    expect(stdout).toMatch(/^compared 15: /);
  });

  test('of a cancel has the form that the ledger reads', () => {
    const [, cancelSigned = '', cancelRaw = ''] = fences(description('RPC Transactions'));
    const letters: Record<string, string> = { C: chainId, F: from, N: '5', K: from, H: hash, S: 'ab'.repeat(64) };
    const filled = (template: string): string =>
      template.replaceAll(/(?<=[":])[A-Z](?=[",}])/g, (letter) => letters[letter] ?? '');
    const decoded = decodeTransaction(Buffer.from(filled(cancelRaw)));
    if (!decoded.ok) throw new Error(JSON.stringify(decoded));
    expect(decoded.tx).toMatchObject({ kind: 'cancel', nonce: 5, signer: from });
    expect(Buffer.from(signBytes(decoded.tx)).toString()).toBe(filled(cancelSigned));
  });
});

function publicKey(): Uint8Array {
  const { x = '' } = key.export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}
