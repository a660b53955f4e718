import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  AMOUNT_MAX,
  decodeTransaction,
  encodeTransaction,
  GOVERNANCE_BYTES_MAX,
  type GovernanceSignature,
  GOVERNORS_MAX,
  NONCE_MAX,
  parseAddress,
  publicKeyOfSeed,
  signBytes,
  signEd25519,
  signTransaction,
  type Transfer,
  TX_BYTES_MAX,
  VALID_UNTIL_MAX,
  txHash,
  verifyTransaction,
} from '../../server/ledger/index.ts';
import { anyTransaction } from './arbitraries.ts';
import {
  governorAddress,
  governorSeed,
  signedCancel,
  signedGovernance,
  signedTransfer,
  TEST_CHAIN,
  TEST_CHAIN_ID,
  validatorKey,
} from './support.ts';

interface SigningVector {
  readonly name: string;
  readonly seed: string;
  readonly publicKey: string;
  readonly chainId: string;
  readonly request: { from: string; to: string; amount: string; nonce: number; signature: string };
  readonly signBytes: string;
  readonly raw: string;
  readonly txHash: string;
  readonly cancelBySender: string;
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const refusalOf = (raw: string | Uint8Array) => {
  const decoded = decodeTransaction(typeof raw === 'string' ? Buffer.from(raw) : raw);
  return decoded.ok ? 'ok' : decoded.refusal.name;
};

describe('vectors made by an independent implementation', () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../../spec/vectors/signing-vectors.json', import.meta.url), 'utf8'),
  ) as SigningVector[];

  test.each(vectors)('$name: key, sign bytes, raw bytes, hash and cancel come out the same', (vector) => {
    const { amount, signature, ...members } = vector.request;
    const { from, nonce } = members;
    const seed = Buffer.from(vector.seed, 'hex');
    const chain = { chainId: vector.chainId, addressPrefix: from.startsWith('txlt1') ? 'txlt' : 'txl' } as const;
    const unsigned = { kind: 'transfer', chainId: vector.chainId, amount: BigInt(amount), ...members } as const;
    expect(Buffer.from(publicKeyOfSeed(seed)).toString('hex')).toBe(vector.publicKey);
    expect(parseAddress(from, chain.addressPrefix)).toMatchObject({ ok: true });
    expect(text(signBytes(unsigned))).toBe(vector.signBytes);
    const tx = signTransaction<Transfer>(unsigned, seed);
    expect(tx.signature).toBe(signature);
    expect(text(encodeTransaction(tx))).toBe(vector.raw);
    expect(txHash(Buffer.from(vector.raw))).toBe(vector.txHash);
    expect(verifyTransaction(chain, Buffer.from(vector.raw))).toMatchObject({
      ok: true,
      verified: { tx, hash: vector.txHash },
    });
    expect(verifyTransaction(chain, Buffer.from(vector.cancelBySender))).toMatchObject({
      ok: true,
      verified: { tx: { kind: 'cancel', from, nonce, signer: from, txHash: vector.txHash } },
    });
  });
});

describe('canonical bytes', () => {
  test('every transaction is read back from its own encoding', () => {
    fc.assert(
      fc.property(anyTransaction, (tx) => {
        const raw = encodeTransaction(tx);
        expect(decodeTransaction(raw)).toEqual({ ok: true, tx });
        expect(raw.length).toBeLessThanOrEqual(tx.kind === 'governance' ? GOVERNANCE_BYTES_MAX : TX_BYTES_MAX);
      }),
    );
  });

  test('a changed byte gives a refusal or another transaction, never the same one', () => {
    fc.assert(
      fc.property(anyTransaction, fc.nat(), fc.integer({ min: 1, max: 255 }), (tx, at, change) => {
        const raw = Uint8Array.from(encodeTransaction(tx));
        raw[at % raw.length]! ^= change;
        const decoded = decodeTransaction(raw);
        if (!decoded.ok) return;
        expect(decoded.tx).not.toEqual(tx);
        expect(Buffer.from(encodeTransaction(decoded.tx)).equals(raw)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('bytes added, removed or doubled anywhere are refused or another transaction', () => {
    fc.assert(
      fc.property(
        anyTransaction,
        fc.nat(),
        fc.uint8Array({ maxLength: 3 }),
        fc.nat({ max: 3 }),
        (tx, at, inserted, removed) => {
          const raw = encodeTransaction(tx);
          const place = at % (raw.length + 1);
          const changed = Buffer.concat([raw.subarray(0, place), inserted, raw.subarray(place + removed)]);
          const decoded = decodeTransaction(changed);
          if (decoded.ok && !changed.equals(raw)) expect(decoded.tx).not.toEqual(tx);
        },
      ),
      { numRuns: 2000 },
    );
  });

  const good = text(signedTransfer({ amount: 100n, nonce: 7 }).raw);
  const fields = JSON.parse(good) as Record<string, unknown>;
  const reordered = (order: string[]) => JSON.stringify(Object.fromEntries(order.map((key) => [key, fields[key]])));

  test('reference and validUntil are each in its alphabetical place, in the raw and in the signed bytes', () => {
    const { tx, raw } = signedTransfer({
      amount: 100n,
      nonce: 7,
      reference: 'INV 2026-17',
      validUntil: VALID_UNTIL_MAX,
    });
    const { from, to, signature } = tx;
    expect(text(raw)).toBe(
      `{"amount":"100","chainId":"${TEST_CHAIN_ID}","from":"${from}","nonce":7,"reference":"INV 2026-17","signature":"${signature}","to":"${to}","validUntil":253402300799}`,
    );
    expect(text(signBytes(tx))).toBe(
      `txledger-transfer-v1\n{"amount":"100","chainId":"${TEST_CHAIN_ID}","from":"${from}","nonce":7,"reference":"INV 2026-17","to":"${to}","validUntil":253402300799}`,
    );
    expect(refusalOf(raw)).toBe('ok');
    expect(refusalOf(text(raw).replace('INV 2026-17', 'INV 2026-18'))).toBe('ok');
    expect(verifyTransaction(TEST_CHAIN, Buffer.from(text(raw).replace('INV 2026-17', 'INV 2026-18')))).toMatchObject({
      refusal: { name: 'invalid_signature' },
    });
    expect(
      verifyTransaction(TEST_CHAIN, Buffer.from(text(raw).replace(',"validUntil":253402300799', ''))),
    ).toMatchObject({ refusal: { name: 'invalid_signature' } });
  });

  test('the base of the following cases is good', () => {
    expect(refusalOf(good)).toBe('ok');
  });

  test.each([
    ['another key order', reordered(['from', 'amount', 'chainId', 'nonce', 'signature', 'to'])],
    ['the order that signing code often has', reordered(['amount', 'chainId', 'from', 'nonce', 'to', 'signature'])],
    ['a space', good.replace(',"from"', ', "from"')],
    ['a line end', `${good}\n`],
    ['a byte order mark', `\uFEFF${good}`],
    ['a doubled key', good.replace('"nonce":7', '"nonce":6,"nonce":7')],
    ['an unknown key', good.replace('"nonce":7', '"memo":"x","nonce":7')],
    ['a key __proto__', good.replace('"nonce":7', '"__proto__":{},"nonce":7')],
    ['a missing key', good.replace('"nonce":7,', '')],
    ['an escaped character', good.replace('"amount"', '"\\u0061mount"')],
    ['an escaped value', good.replace('"100"', '"\\u003100"')],
    ['nonce -0', good.replace('"nonce":7', '"nonce":-0')],
    ['nonce 7.0', good.replace('"nonce":7', '"nonce":7.0')],
    ['nonce 7e0', good.replace('"nonce":7', '"nonce":7e0')],
    ['nonce 07', good.replace('"nonce":7', '"nonce":07')],
    ['nonce "7"', good.replace('"nonce":7', '"nonce":"7"')],
    ['nonce -1', good.replace('"nonce":7', '"nonce":-1')],
    ['nonce 2^53', good.replace('"nonce":7', '"nonce":9007199254740992')],
    ['nonce 2^53 + 1, which rounds', good.replace('"nonce":7', '"nonce":9007199254740993')],
    ['nonce null', good.replace('"nonce":7', '"nonce":null')],
    ['amount 0', good.replace('"100"', '"0"')],
    ['amount with a leading zero', good.replace('"100"', '"0100"')],
    ['amount with a sign', good.replace('"100"', '"+100"')],
    ['amount as a number', good.replace('"100"', '100')],
    ['amount 2^128', good.replace('"100"', `"${AMOUNT_MAX + 1n}"`)],
    ['amount with a fraction', good.replace('"100"', '"100.0"')],
    ['a reference of a space', good.replace('"signature"', '"reference":" ","signature"')],
    ['a reference that ends with a space', good.replace('"signature"', '"reference":"a ","signature"')],
    ['an empty reference', good.replace('"signature"', '"reference":"","signature"')],
    ['a reference of 141 characters', good.replace('"signature"', `"reference":"${'r'.repeat(141)}","signature"`)],
    ['a reference with an escaped quote', good.replace('"signature"', '"reference":"a\\"b","signature"')],
    ['a reference beyond ASCII', good.replace('"signature"', '"reference":"\u00e9","signature"')],
    ['a reference that is a number', good.replace('"signature"', '"reference":7,"signature"')],
    ['a reference that is null', good.replace('"signature"', '"reference":null,"signature"')],
    ['a reference behind the signature', good.replace(',"to"', ',"reference":"a","to"')],
    ['validUntil 0', good.replace(/}$/, ',"validUntil":0}')],
    ['validUntil past the year 9999', good.replace(/}$/, `,"validUntil":${VALID_UNTIL_MAX + 1}}`)],
    ['validUntil with a fraction', good.replace(/}$/, ',"validUntil":1.5}')],
    ['validUntil as text', good.replace(/}$/, ',"validUntil":"1"}')],
    ['validUntil null', good.replace(/}$/, ',"validUntil":null}')],
    ['validUntil before the receiver', good.replace(',"to"', ',"validUntil":1,"to"')],
    ['amount with a line end', good.replace('"100"', '"100\n"')],
    [
      'signature in upper case',
      good.replace(/"signature":"[^"]+"/, (m) => `"signature":"${m.slice(13, -1).toUpperCase()}"`),
    ],
    ['signature too short', good.replace(/.",("to")/, '",$1')],
    ['address in upper case', good.replace(/"to":"[^"]+"/, (m) => `"to":"${m.slice(6, -1).toUpperCase()}"`)],
    ['chain id in upper case', good.replace('txledger-test-1', 'TXLEDGER-TEST-1')],
    ['chain id of 51 characters', good.replace('txledger-test-1', 'a'.repeat(51))],
    ['chain id ending in a hyphen', good.replace('txledger-test-1', 'txledger-')],
    ['a list', `[${good}]`],
    ['null', 'null'],
    ['a string', '"x"'],
    ['nothing', ''],
    ['two objects', good + good],
    ['deep nesting', '['.repeat(1000)],
    ['none of the three kinds', '{}'],
    ['two kinds at once', good.replace('}', `,"txHash":"${'0'.repeat(64)}"}`)],
    ['too many bytes', good.replace('{', `{${' '.repeat(TX_BYTES_MAX)}`)],
  ])('%s is malformed', (_name, raw) => {
    expect(raw).not.toBe(good);
    expect(refusalOf(raw)).toBe('malformed');
  });

  test('bytes that are not UTF-8 are malformed', () => {
    const raw = Buffer.from(good);
    raw[12] = 0xff;
    expect(refusalOf(raw)).toBe('malformed');
  });

  test('the largest transaction is accepted, and every bound is met exactly', () => {
    const chainId = 'a'.repeat(50);
    const largest = signedTransfer({ amount: AMOUNT_MAX, nonce: NONCE_MAX, chainId });
    expect(verifyTransaction({ chainId, addressPrefix: 'txlt' }, largest.raw)).toMatchObject({
      ok: true,
      verified: { tx: largest.tx },
    });
  });

  test('governance has the signed bytes and the raw bytes of the design, whoever signs it in whatever order', () => {
    const { tx, raw } = signedGovernance({ signers: [governorSeed(2), governorSeed(0), governorSeed(1)], sequence: 3 });
    expect(text(signBytes(tx))).toBe(
      `txledger-governance-v2\n{"chainId":"${TEST_CHAIN_ID}","kind":"canceller_add","power":0,"sequence":3,"subject":"${tx.subject}"}`,
    );
    const sorted = [0, 1, 2]
      .map((i) => ({ signature: toHex(signEd25519(governorSeed(i), signBytes(tx))), signer: governorAddress(i) }))
      .sort((a, b) => (a.signer < b.signer ? -1 : 1));
    expect(text(raw)).toBe(
      `{"chainId":"${TEST_CHAIN_ID}","kind":"canceller_add","power":0,"sequence":3,"signatures":${JSON.stringify(sorted)},"subject":"${tx.subject}"}`,
    );
  });

  test('the largest governance transaction is accepted, every governor signing; one more is not, nor is an order of their own', () => {
    const chainId = 'a'.repeat(50);
    const signers = Array.from({ length: GOVERNORS_MAX + 1 }, (_, i) => governorSeed(i));
    const largest = signedGovernance({
      action: 'canceller_remove',
      sequence: NONCE_MAX,
      chainId,
      signers: signers.slice(1),
    });
    expect(verifyTransaction({ chainId, addressPrefix: 'txlt' }, largest.raw)).toMatchObject({ ok: true });
    expect(largest.raw.length).toBeLessThanOrEqual(GOVERNANCE_BYTES_MAX);
    expect(refusalOf(signedGovernance({ signers }).raw)).toBe('malformed');
    expect(refusalOf(encodeTransaction({ ...largest.tx, signatures: largest.tx.signatures.toReversed() }))).toBe(
      'malformed',
    );
    expect(
      refusalOf(
        encodeTransaction({ ...largest.tx, signatures: [largest.tx.signatures[0]!, largest.tx.signatures[0]!] }),
      ),
    ).toBe('malformed');
    expect(refusalOf(encodeTransaction({ ...largest.tx, signatures: [] }))).toBe('malformed');
    const one = text(signedGovernance().raw);
    expect(refusalOf(one.replace('{"signature"', '{"a":1,"signature"'))).toBe('malformed');
    expect(
      refusalOf(one.replace(/\{"signature":("[0-9a-f]+"),"signer":("[^"]+")\}/, '{"signer":$2,"signature":$1}')),
    ).toBe('malformed');
    // Bytes of another kind never get the room that governance has.
    expect(refusalOf(text(signedCancel().raw).replace('"nonce":0', `"nonce":${' '.repeat(TX_BYTES_MAX)}0`))).toBe(
      'malformed',
    );
    expect(refusalOf(`{"chainId":${' '.repeat(GOVERNANCE_BYTES_MAX)}`)).toBe('malformed');
  });

  test.each<[string, Parameters<typeof signedGovernance>[0], string]>([
    ['a role by its address', { action: 'governor_add', subject: governorAddress(1) }, 'ok'],
    ['a role with a power', { action: 'governor_add', subject: governorAddress(1), power: 1 }, 'malformed'],
    ['a role by a key in hex', { action: 'canceller_remove', subject: validatorKey(1) }, 'malformed'],
    ['a threshold', { action: 'threshold', subject: '', power: 2 }, 'ok'],
    ['a threshold of 0', { action: 'threshold', subject: '', power: 0 }, 'malformed'],
    [
      'a threshold above the most governors',
      { action: 'threshold', subject: '', power: GOVERNORS_MAX + 1 },
      'malformed',
    ],
    ['a threshold with a subject', { action: 'threshold', subject: governorAddress(0), power: 2 }, 'malformed'],
    ['a version of the rules and its height', { action: 'rules_version', subject: '2', power: 500 }, 'ok'],
    ['a version with a leading zero', { action: 'rules_version', subject: '02', power: 500 }, 'malformed'],
    ['a version of seven digits', { action: 'rules_version', subject: '1000000', power: 500 }, 'malformed'],
    ['a version from height 0 on', { action: 'rules_version', subject: '2', power: 0 }, 'malformed'],
  ])('%s: %s', (_name, options, expected) => {
    expect(refusalOf(signedGovernance(options).raw)).toBe(expected);
  });

  test('governance of format 1 is no transaction any more', () => {
    const { signature, signer } = signedGovernance().tx.signatures[0]!;
    const before = `{"chainId":"${TEST_CHAIN_ID}","kind":"operator_add","power":0,"sequence":0,"signature":"${signature}","signer":"${signer}","subject":"${signer}"}`;
    expect(refusalOf(before)).toBe('malformed');
    expect(refusalOf(before.replace('operator_add', 'canceller_add'))).toBe('malformed');
  });

  test('governance names a kind, a power and a subject that belong together', () => {
    const canceller = text(signedGovernance().raw);
    expect(refusalOf(canceller)).toBe('ok');
    expect(refusalOf(canceller.replace('"power":0', '"power":1'))).toBe('malformed');
    expect(refusalOf(canceller.replace('canceller_add', 'canceller_none'))).toBe('malformed');
    expect(refusalOf(canceller.replace('canceller_add', 'toString'))).toBe('malformed');
    expect(refusalOf(canceller.replace('canceller_add', 'validator_power'))).toBe('malformed');
    const power = text(signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 5 }).raw);
    expect(refusalOf(power)).toBe('ok');
    expect(refusalOf(power.replace(validatorKey(1), validatorKey(1).toUpperCase()))).toBe('malformed');
    expect(refusalOf(power.replace('"power":5', '"power":5.0'))).toBe('malformed');
  });

  test('a cancel names a hash in upper case', () => {
    const cancel = text(signedCancel({ txHash: 'AB'.repeat(32) }).raw);
    expect(refusalOf(cancel)).toBe('ok');
    expect(refusalOf(cancel.replace('AB', 'ab'))).toBe('malformed');
  });
});

describe('verification', () => {
  const nameOf = (raw: Uint8Array, chain: Parameters<typeof verifyTransaction>[0] = TEST_CHAIN) => {
    const result = verifyTransaction(chain, raw);
    return result.ok ? 'ok' : result.refusal.name;
  };

  test('good ones of every kind pass', () => {
    expect(nameOf(signedTransfer().raw)).toBe('ok');
    expect(nameOf(signedCancel().raw)).toBe('ok');
    expect(nameOf(signedGovernance().raw)).toBe('ok');
    expect(nameOf(signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 1 }).raw)).toBe('ok');
  });

  test('a signature holds on one chain only, and the chain is judged before the signature', () => {
    expect(nameOf(signedTransfer({ chainId: 'other-chain' }).raw)).toBe('wrong_chain');
    const moved = text(signedTransfer({ chainId: 'other-chain' }).raw).replace('other-chain', TEST_CHAIN.chainId);
    expect(nameOf(Buffer.from(moved))).toBe('invalid_signature');
  });

  test('a changed amount, nonce or receiver breaks the signature', () => {
    const raw = text(signedTransfer({ amount: 100n, nonce: 7, to: 1 }).raw);
    expect(nameOf(Buffer.from(raw.replace('"100"', '"101"')))).toBe('invalid_signature');
    expect(nameOf(Buffer.from(raw.replace('"nonce":7', '"nonce":8')))).toBe('invalid_signature');
    expect(nameOf(Buffer.from(raw.replace(signedTransfer().tx.to, signedTransfer({ to: 2 }).tx.to)))).toBe(
      'invalid_signature',
    );
  });

  test('every signature of governance must verify, each for its signer', () => {
    const { tx } = signedGovernance({ signers: [governorSeed(0), governorSeed(1)] });
    expect(nameOf(encodeTransaction(tx))).toBe('ok');
    const [first, second] = tx.signatures as [GovernanceSignature, GovernanceSignature];
    const signatures = (...each: GovernanceSignature[]) => encodeTransaction({ ...tx, signatures: each });
    expect(nameOf(signatures({ ...first, signature: second.signature }, second))).toBe('invalid_signature');
    expect(nameOf(signatures(first, { ...second, signature: '0'.repeat(128) }))).toBe('invalid_signature');
    expect(nameOf(encodeTransaction({ ...tx, sequence: 1 }))).toBe('invalid_signature');
  });

  test('a signature for one kind is none for another, even over equal fields', () => {
    const cancel = signedCancel();
    const governance = signedGovernance();
    expect(nameOf(encodeTransaction({ ...cancel.tx, signature: governance.tx.signatures[0]!.signature }))).toBe(
      'invalid_signature',
    );
  });

  test('an address of the other network is refused in every place', () => {
    const production = { chainId: TEST_CHAIN.chainId, addressPrefix: 'txl' } as const;
    for (const { raw } of [signedTransfer(), signedCancel(), signedGovernance()])
      expect(nameOf(raw, production)).toBe('invalid_address');
  });

  test('only bytes that this process verified before may skip the signature, and only the signature is skipped', () => {
    const raw = Buffer.from(text(signedTransfer({ amount: 100n }).raw).replace('"100"', '"101"'));
    expect(verifyTransaction(TEST_CHAIN, raw, { signatureVerified: false })).toMatchObject({ ok: false });
    expect(verifyTransaction(TEST_CHAIN, raw, { signatureVerified: true })).toMatchObject({ ok: true });
    expect(verifyTransaction({ ...TEST_CHAIN, chainId: 'x' }, raw, { signatureVerified: true })).toMatchObject({
      ok: false,
    });
  });

  test('a validator key must be strict', () => {
    const weak = signedGovernance({ action: 'validator_power', subject: `01${'00'.repeat(31)}`, power: 1 });
    expect(nameOf(weak.raw)).toBe('governance_subject');
  });
});
