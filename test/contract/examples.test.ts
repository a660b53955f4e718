/**
 * The examples are fixtures: each fits the schema of every body it stands in, and what is signed in them is
 * really signed.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bech32m } from '@scure/base';
import { contract, example, operations, resolve, responses, validatorOf } from './support/contract.ts';

type Body = { where: string; content: any };

const bodies: Body[] = [
  ...operations
    .filter(({ operation }) => operation.requestBody)
    .map(({ id, operation }) => ({ where: `${id} request`, content: resolve(operation.requestBody).content })),
  // An answer without a body has none.
  ...responses.map(({ where, response }) => ({ where, content: response.content ?? {} })),
  ...Object.entries<any>(contract.webhooks).map(([type, { post }]) => ({
    where: `${type} message`,
    content: resolve(post.requestBody).content,
  })),
];

const cases = bodies.flatMap(({ where, content }) =>
  Object.entries<any>(content).flatMap(([mediaType, { schema, examples }]) =>
    Object.entries<any>(examples).map(([name, named]) => ({
      where,
      mediaType,
      name,
      schema,
      value: resolve(named).value,
    })),
  ),
);

describe('an example of a body', () => {
  test.each(cases)('fits its schema: $where $name', ({ schema, value }) => {
    const validate = validatorOf(schema);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('is never left over', () => {
    const shown = new Set(cases.map(({ name }) => name));
    expect(Object.keys(contract.components.examples).filter((name) => !shown.has(name))).toEqual([]);
  });
});

/** Parameters and schemas carry their examples inline. Bundling must not change them: YAML has many ways to misread a text. */
const inline = [
  ...Object.entries<any>(contract.components.parameters).map(([name, { schema, example: value }]) => ({
    name,
    schema,
    value,
  })),
  ...Object.entries<any>(contract.components.schemas).flatMap(([name, schema]) =>
    [schema, ...Object.values<any>(schema.properties ?? {})].flatMap((part) =>
      (part.examples ?? []).map((value: unknown) => ({ name, schema: part, value })),
    ),
  ),
];

describe('an example of a parameter or schema', () => {
  test.each(inline)('fits after bundling: $name $value', ({ schema, value }) => {
    const validate = validatorOf(schema);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });
});

/**
 * The transfer as section "Signature" of the contract words it, written here by hand and not by the code under
 * test.
 */
function signedText(transfer: any, signature = ''): string {
  const { from, to, amount, nonce } = transfer;
  return `{"amount":"${amount}","chainId":"txledger-dev-1","from":"${from}","nonce":${nonce},${signature}"to":"${to}"}`;
}

function rawOf(transfer: any): string {
  return signedText(transfer, `"signature":"${transfer.signature}",`);
}

function hashOf(transfer: any): string {
  const raw = rawOf(transfer);
  return createHash('sha256').update(raw).digest('hex').toUpperCase();
}

function verifies(transfer: any): boolean {
  const publicKey = bech32m.fromWords(bech32m.decode(transfer.from).words);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  const signBytes = Buffer.from(`txledger-transfer-v1\n${signedText(transfer)}`);
  return verify(null, signBytes, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(transfer.signature, 'hex'));
}

describe('a signed example', () => {
  test.each(['SimpleTransfer', 'TransferWithHash'])('%s carries a signature of its sender', (name) => {
    expect(verifies(example(name))).toBe(true);
    expect(verifies({ ...example(name), amount: '101' })).toBe(false);
  });

  test('has the hash under which the other examples show it', () => {
    expect(hashOf(example('SimpleTransfer'))).toBe(example('PendingTransaction').txHash);
    expect(hashOf(example('SimpleTransfer'))).toBe(example('CommittedTransactionDetail').txHash);
    expect(hashOf(example('TransferWithHash'))).toBe(example('CancelledTransactionDetail').txHash);
    expect(hashOf(example('TransferWithHash'))).toBe(example('TransferWithHash').txHash.toUpperCase());
  });

  test('is what the RPC is given to broadcast, in base64 and as a JSON string', () => {
    const raw = rawOf(example('SimpleTransfer'));
    expect(Buffer.from(example('RpcTransactionArguments').tx, 'base64').toString()).toBe(raw);
    expect(JSON.parse(contract.components.parameters.RpcTransactionBytes.example)).toBe(raw);
  });

  test('has the sign bytes that the invalid_signature example gives back', () => {
    expect(example('InvalidSignatureProblem').signBytes).toBe(
      `txledger-transfer-v1\n${signedText(example('SimpleTransfer'))}`,
    );
  });
});
