/** Raw transactions that verify without any state, and bytes for each reason of a refusal, with its code. */
import { bech32, bech32m } from '@scure/base';
import {
  type AddressPrefix,
  AMOUNT_MAX,
  type Cancel,
  encodeAddress,
  encodeTransaction,
  GOVERNANCE_BYTES_MAX,
  type GovernanceSignature,
  GOVERNORS_MAX,
  NONCE_MAX,
  type RefusalName,
  CODES,
  signBytes,
  signTransaction,
  type Transfer,
  TX_BYTES_MAX,
  VALID_UNTIL_MAX,
  txHash,
  type VerifiedTransaction,
  verifyTransaction,
} from '../../server/ledger/index.ts';
import {
  devAddress,
  devPublicKey,
  devSeed,
  governorAddress,
  governorSeed,
  type GovernanceOptions,
  operatorAddress,
  operatorSeed,
  signedCancel,
  signedGovernance,
  signedTransfer,
  TEST_CHAIN,
  validatorKey,
} from '../../test/ledger/support.ts';
import { expectEqual, toHex } from './expect.ts';

const L = 2n ** 252n + 27742317777372353535851937790883648493n;

function checked(name: string, { tx, raw, hash }: VerifiedTransaction) {
  const result = verifyTransaction(TEST_CHAIN, raw);
  expectEqual(name, result.ok ? result.verified.hash : result.refusal.name, hash);
  return { signBytes: text(signBytes(tx)), raw: text(raw), txHash: hash };
}

function valid(name: string, seed: Uint8Array, verified: VerifiedTransaction) {
  return { name, kind: verified.tx.kind, seed: toHex(seed), ...checked(name, verified) };
}

/** Signed by these governors, whose seeds are given in the order of the signatures. */
function governed(name: string, options: GovernanceOptions, signers = [0]) {
  const seeds = signers
    .map((i) => ({ seed: toHex(governorSeed(i)), address: governorAddress(i) }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  const verified = signedGovernance({ ...options, signers: signers.map((i) => governorSeed(i)) });
  return { name, kind: 'governance', seeds: seeds.map(({ seed }) => seed), ...checked(name, verified) };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Text where it is ASCII; hex where the exact bytes matter. */
function refused(name: string, raw: string | Uint8Array, refusal: RefusalName) {
  const bytes = typeof raw === 'string' ? Buffer.from(raw, 'utf8') : raw;
  const result = verifyTransaction(TEST_CHAIN, bytes);
  expectEqual(name, result.ok ? 'accepted' : result.refusal.name, refusal);
  const ascii = bytes.every((byte) => byte < 0x80);
  return { name, ...(ascii ? { raw: text(bytes) } : { rawHex: toHex(bytes) }), refusal, code: CODES[refusal] };
}

/** A transfer to or from any text, signed by development account 0. */
function transferWith(changes: Partial<Transfer>): string {
  const base = signedTransfer({ amount: 100n, nonce: 7 }).tx;
  const { signature: _, ...unsigned } = { ...base, ...changes };
  return text(encodeTransaction(signTransaction<Transfer>(unsigned, devSeed(0))));
}

function withSignature<T extends Transfer | Cancel>(tx: T, signature: string): string {
  return text(encodeTransaction({ ...tx, signature }));
}

/** S + L in place of S. */
function raisedScalar(signature: string): string {
  const s = BigInt(`0x${Buffer.from(signature.slice(64), 'hex').reverse().toString('hex')}`) + L;
  return signature.slice(0, 64) + Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
}

function malformed() {
  const good = text(signedTransfer({ amount: 100n, nonce: 7 }).raw);
  const fields = JSON.parse(good) as Record<string, unknown>;
  const order = (...keys: string[]) => JSON.stringify(Object.fromEntries(keys.map((key) => [key, fields[key]])));
  const nonce = (value: string) => good.replace('"nonce":7', `"nonce":${value}`);
  const amount = (value: string) => good.replace('"amount":"100"', `"amount":${value}`);
  const member = (text: string) => good.replace('"signature"', `${text},"signature"`);
  const governance = text(signedGovernance().raw);
  const several = signedGovernance({ signers: [governorSeed(0), governorSeed(1)] }).tx;
  const first = several.signatures[0] as GovernanceSignature;
  const cancel = text(signedCancel({ txHash: 'AB'.repeat(32) }).raw);
  const cases: [string, string | Uint8Array][] = [
    ['nothing', ''],
    ['no JSON', 'transfer'],
    ['a list', `[${good}]`],
    ['another key order', order('from', 'to', 'amount', 'nonce', 'chainId', 'signature')],
    ['signature as the last key', order('amount', 'chainId', 'from', 'nonce', 'to', 'signature')],
    ['a space after a comma', good.replace(',"from"', ', "from"')],
    ['a space before the end', good.replace(/\}$/, ' }')],
    ['a line end', `${good}\n`],
    ['a byte order mark', `\uFEFF${good}`],
    ['a doubled key, the last one right', nonce('6,"nonce":7')],
    ['an unknown key', nonce('7,"memo":""')],
    ['a missing key', good.replace('"nonce":7,', '')],
    ['an escape in a key', good.replace('"amount"', '"\\u0061mount"')],
    ['an escape in a value', amount('"\\u003100"')],
    [
      'a byte that is not UTF-8',
      Buffer.concat([Buffer.from(good.slice(0, 12)), Buffer.of(0xff), Buffer.from(good.slice(13))]),
    ],
    ['nonce -0', nonce('-0')],
    ['nonce -1', nonce('-1')],
    ['nonce 7.0', nonce('7.0')],
    ['nonce 7.5', nonce('7.5')],
    ['nonce 1e3', nonce('1e3')],
    ['nonce 07', nonce('07')],
    ['nonce as a string', nonce('"7"')],
    ['nonce null', nonce('null')],
    ['nonce 2^53', nonce('9007199254740992')],
    ['nonce 2^53 + 1', nonce('9007199254740993')],
    ['amount 0', amount('"0"')],
    ['amount empty', amount('""')],
    ['amount with a leading zero', amount('"0100"')],
    ['amount with a sign', amount('"+100"')],
    ['amount negative', amount('"-100"')],
    ['amount as a number', amount('100')],
    ['amount with a fraction', amount('"100.0"')],
    ['amount with an exponent', amount('"1e2"')],
    ['an empty reference', member('"reference":""')],
    ['a reference that begins with a space', member('"reference":" a"')],
    ['a reference of 141 characters', member(`"reference":"${'a'.repeat(141)}"`)],
    ['a reference with a backslash', member('"reference":"a\\\\b"')],
    ['a reference of null', member('"reference":null')],
    ['a reference behind the signature', good.replace(',"to"', ',"reference":"a","to"')],
    ['validUntil 0', good.replace(/\}$/, ',"validUntil":0}')],
    ['validUntil past the year 9999', good.replace(/\}$/, `,"validUntil":${VALID_UNTIL_MAX + 1}}`)],
    ['validUntil as text', good.replace(/\}$/, ',"validUntil":"1800000000"}')],
    ['amount 2^128', amount(`"${AMOUNT_MAX + 1n}"`)],
    ['amount of 40 digits', amount(`"${'1'.repeat(40)}"`)],
    [
      'signature in upper case',
      good.replace(/"signature":"([0-9a-f]+)"/, (_, hex: string) => `"signature":"${hex.toUpperCase()}"`),
    ],
    ['signature of 126 digits', good.replace(/[0-9a-f]{2}","to"/, '","to"')],
    ['sender in upper case', good.replace(devAddress(0), devAddress(0).toUpperCase())],
    ['receiver one character short', good.replace(devAddress(1), devAddress(1).slice(0, -1))],
    ['chain id empty', good.replace(TEST_CHAIN.chainId, '')],
    ['chain id in upper case', good.replace(TEST_CHAIN.chainId, 'TXLEDGER')],
    ['chain id that ends in a hyphen', good.replace(TEST_CHAIN.chainId, 'txledger-')],
    ['chain id of 51 characters', good.replace(TEST_CHAIN.chainId, 'a'.repeat(51))],
    ['more bytes than a transaction may have', good.replace(/\}$/, `${' '.repeat(TX_BYTES_MAX)}}`)],
    ['keys of two kinds', good.replace(/\}$/, `,"txHash":"${'0'.repeat(64)}"}`)],
    ['a cancel whose txHash is in lower case', cancel.replace('AB'.repeat(32), 'ab'.repeat(32))],
    ['a cancel with nonce -0', cancel.replace('"nonce":0', '"nonce":-0')],
    ['governance of an unknown kind', governance.replace('canceller_add', 'mint')],
    ['a canceller with a power', governance.replace('"power":0', '"power":1')],
    ['governance without signatures', encodeTransaction({ ...signedGovernance().tx, signatures: [] })],
    [
      'governance with its signatures in another order',
      encodeTransaction({ ...several, signatures: several.signatures.toReversed() }),
    ],
    ['governance with one signer twice', encodeTransaction({ ...several, signatures: [first, first] })],
    [
      'governance with more signatures than there can be governors',
      signedGovernance({ signers: Array.from({ length: GOVERNORS_MAX + 1 }, (_, i) => governorSeed(i)) }).raw,
    ],
    [
      'governance of chain format 1',
      governance.replace(/"signatures":\[\{("signature":"[0-9a-f]+"),("signer":"[^"]+")\}\]/, '$1,$2'),
    ],
    [
      'a threshold of 0',
      text(signedGovernance({ action: 'threshold', subject: '', power: 1 }).raw).replace('"power":1', '"power":0'),
    ],
    [
      'a threshold with a subject',
      signedGovernance({ action: 'threshold', subject: governorAddress(0), power: 1 }).raw,
    ],
    [
      'a version of the rules with a leading zero',
      signedGovernance({ action: 'rules_version', subject: '02', power: 500 }).raw,
    ],
    ['governance of more bytes than it may have', governance.replace(/\}$/, `${' '.repeat(GOVERNANCE_BYTES_MAX)}}`)],
    ['a validator by address', governance.replace('canceller_add', 'validator_power')],
    [
      'a validator key in upper case',
      text(signedGovernance({ action: 'validator_power', subject: validatorKey(1).toUpperCase(), power: 1 }).raw),
    ],
    [
      'a power of 2^53',
      text(signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 5 }).raw).replace(
        '"power":5',
        '"power":9007199254740992',
      ),
    ],
    ['governance with sequence 1e0', governance.replace('"sequence":0', '"sequence":1e0')],
  ];
  return cases.map(([name, raw]) => refused(name, raw, 'malformed'));
}

function wrongAddresses() {
  const identity = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));
  const noncanonical = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0xf0 : i === 31 ? 0x7f : 0xff));
  const words = bech32m.toWords(devPublicKey(1));
  const production: AddressPrefix = 'txl';
  const one = (name: string, changes: Partial<Transfer>) => refused(name, transferWith(changes), 'invalid_address');
  return [
    one('receiver of the production network', { to: devAddress(1, production) }),
    one('sender of the production network', { from: devAddress(0, production) }),
    one('receiver in bech32', { to: bech32.encode('txlt', bech32.toWords(devPublicKey(1))) }),
    one('receiver with a wrong checksum', {
      to: `${devAddress(1).slice(0, -1)}${devAddress(1).endsWith('q') ? 'p' : 'q'}`,
    }),
    one('receiver with a padding bit', {
      to: bech32m.encode('txlt', [...words.slice(0, -1), (words.at(-1) ?? 0) | 1]),
    }),
    one('receiver with the identity as key', { to: encodeAddress(identity, 'txlt') }),
    one('receiver with a key that is not canonical', { to: encodeAddress(noncanonical, 'txlt') }),
    refused(
      'canceller to add with the identity as key',
      signedGovernance({ subject: encodeAddress(identity, 'txlt') }).raw,
      'invalid_address',
    ),
    refused(
      'validator with the identity as key',
      signedGovernance({ action: 'validator_power', subject: toHex(identity), power: 1 }).raw,
      'governance_subject',
    ),
  ];
}

function wrongSignatures() {
  const { tx } = signedTransfer({ amount: 100n, nonce: 7 });
  const cancel = signedCancel().tx;
  const several = signedGovernance({ signers: [governorSeed(0), governorSeed(1)] }).tx;
  const [one, two] = several.signatures as [GovernanceSignature, GovernanceSignature];
  const identity = `01${'0'.repeat(62)}`;
  return [
    refused('signed for another chain', signedTransfer({ chainId: 'another-chain' }).raw, 'wrong_chain'),
    refused('a cancel for another chain', signedCancel({ chainId: 'another-chain' }).raw, 'wrong_chain'),
    refused('governance for another chain', signedGovernance({ chainId: 'another-chain' }).raw, 'wrong_chain'),
    refused(
      'a signature made for another chain',
      text(signedTransfer({ chainId: 'another-chain' }).raw).replace('another-chain', TEST_CHAIN.chainId),
      'invalid_signature',
    ),
    refused('amount changed after signing', encodeTransaction({ ...tx, amount: 101n }), 'invalid_signature'),
    refused('nonce changed after signing', encodeTransaction({ ...tx, nonce: 8 }), 'invalid_signature'),
    refused('receiver changed after signing', encodeTransaction({ ...tx, to: devAddress(2) }), 'invalid_signature'),
    refused('sender changed after signing', encodeTransaction({ ...tx, from: devAddress(2) }), 'invalid_signature'),
    refused('S raised by L', withSignature(tx, raisedScalar(tx.signature)), 'invalid_signature'),
    refused('R of small order', withSignature(tx, identity + tx.signature.slice(64)), 'invalid_signature'),
    refused('all zeros', withSignature(tx, '0'.repeat(128)), 'invalid_signature'),
    refused('the signature of a transfer on a cancel', withSignature(cancel, tx.signature), 'invalid_signature'),
    refused(
      'a cancel by a canceller that names the sender as signer',
      encodeTransaction({ ...cancel, signer: cancel.from }),
      'invalid_signature',
    ),
    refused(
      "governance of which one signature is another governor's",
      encodeTransaction({ ...several, signatures: [{ ...one, signature: two.signature }, two] }),
      'invalid_signature',
    ),
    refused(
      'governance of which the second signature is none',
      encodeTransaction({ ...several, signatures: [one, { ...two, signature: '0'.repeat(128) }] }),
      'invalid_signature',
    ),
    refused(
      'governance with another sequence',
      encodeTransaction({ ...signedGovernance().tx, sequence: 1 }),
      'invalid_signature',
    ),
  ];
}

export function transactionVectors() {
  const target = signedTransfer({ amount: 100n, nonce: 7 });
  const hash = txHash(target.raw);
  return {
    chain: TEST_CHAIN,
    valid: [
      valid('a transfer', devSeed(0), target),
      valid('of the smallest amount at nonce 0', devSeed(1), signedTransfer({ from: 1, to: 2 })),
      valid(
        'of the largest amount at the largest nonce',
        devSeed(2),
        signedTransfer({ from: 2, to: 3, amount: AMOUNT_MAX, nonce: NONCE_MAX }),
      ),
      valid(
        'with a reference',
        devSeed(3),
        signedTransfer({ from: 3, to: 4, amount: 12n, reference: 'INV 2026/17: 3 x cup' }),
      ),
      valid(
        'with an end of its validity',
        devSeed(3),
        signedTransfer({ from: 3, to: 4, amount: 12n, validUntil: 1_800_000_000 }),
      ),
      valid(
        'with the longest reference and the latest end',
        devSeed(3),
        signedTransfer({
          from: 3,
          to: 4,
          amount: AMOUNT_MAX,
          nonce: NONCE_MAX,
          reference: `!${'~ '.repeat(69)}]`,
          validUntil: VALID_UNTIL_MAX,
        }),
      ),
      valid('to oneself', devSeed(3), signedTransfer({ from: 3, to: 3, amount: 5n })),
      valid('a cancel by the sender', devSeed(0), signedCancel({ nonce: 7, signer: devSeed(0), txHash: hash })),
      valid('a cancel by a canceller', operatorSeed(0), signedCancel({ nonce: 7, txHash: hash })),
      valid('a cancel of the largest nonce', operatorSeed(0), signedCancel({ nonce: NONCE_MAX })),
      governed('a canceller added', { subject: operatorAddress(1) }),
      governed(
        'a canceller removed, signed by three',
        { action: 'canceller_remove', subject: operatorAddress(1), sequence: 1 },
        [0, 1, 2],
      ),
      governed('a governor added', { action: 'governor_add', subject: governorAddress(3), sequence: 2 }, [0, 1]),
      governed('a governor removed', { action: 'governor_remove', subject: governorAddress(3), sequence: 3 }, [0, 1]),
      governed('the threshold set', { action: 'threshold', subject: '', power: 2, sequence: 4 }, [0, 2]),
      governed('voting power set', { action: 'validator_power', subject: validatorKey(1), power: 25, sequence: 5 }),
      governed('a validator removed', { action: 'validator_power', subject: validatorKey(1), power: 0, sequence: 6 }),
      governed(
        'a version of the rules from a height on',
        { action: 'rules_version', subject: '2', power: 100_000, sequence: 7 },
        [1, 2],
      ),
      governed('the largest power and sequence', {
        action: 'validator_power',
        subject: validatorKey(1),
        power: NONCE_MAX,
        sequence: NONCE_MAX,
      }),
      governed(
        'as many signatures as there can be',
        { subject: operatorAddress(2), sequence: 8 },
        Array.from({ length: GOVERNORS_MAX }, (_, i) => i),
      ),
    ],
    refused: [...malformed(), ...wrongAddresses(), ...wrongSignatures()],
  };
}
