import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { explain as explainBytes } from '../../server/cli/explain/explain.ts';
import { GROUP_ORDER_HEX } from '../../server/ledger/ed25519-strict.ts';
import {
  encodeTransaction,
  signBytes,
  signEd25519,
  txHash,
  type Transfer,
  type Unsigned,
} from '../../server/ledger/index.ts';
import { call } from '../e2e/support/server.ts';
import { documentOf, run, TEST_MS_MAX, withDevelopment } from './support.ts';

const CHAIN = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
const [sender, receiver, third] = developmentAccounts() as [Account, Account, Account];
type Account = ReturnType<typeof developmentAccounts>[number];

const FIELDS: Unsigned<Transfer> = {
  kind: 'transfer',
  chainId: CHAIN.chainId,
  from: sender.address,
  to: receiver.address,
  amount: 2500n,
  nonce: 7,
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const sign = (message: Uint8Array | string, seed = sender.seed): string =>
  hex(signEd25519(Buffer.from(seed, 'hex'), Buffer.from(message)));

const SIGNATURE = sign(signBytes(FIELDS));
const HASH = txHash(encodeTransaction({ ...FIELDS, signature: SIGNATURE }));
const TEXT = Buffer.from(signBytes(FIELDS)).toString();
const GOOD = { from: FIELDS.from, to: FIELDS.to, amount: '2500', nonce: 7, signature: SIGNATURE, txHash: HASH };

/** A signature of these fields under which the body's fields were changed, with the hash that its signer computed. */
function signedAs(other: Partial<Unsigned<Transfer>>, seed?: string) {
  const fields = { ...FIELDS, ...other };
  const signature = sign(signBytes(fields), seed);
  return { ...GOOD, signature, txHash: txHash(encodeTransaction({ ...fields, signature })) };
}

const MEMBERS = { reference: 'INV 2026/17: <3 cups>', validUntil: 1_795_257_000 } as const;
const PAID: Unsigned<Transfer> = { ...FIELDS, ...MEMBERS };
const PAID_TEXT = Buffer.from(signBytes(PAID)).toString();
/** The transfer with both members, under a signature of something else. */
const paidAs = (message: string | Uint8Array) => ({
  from: FIELDS.from,
  to: FIELDS.to,
  amount: '2500',
  nonce: 7,
  ...MEMBERS,
  signature: sign(message),
});

/** S + L: the same equation, another encoding. */
function malleated(signature: string): string {
  const value = (text: string): bigint => BigInt(`0x${Buffer.from(text, 'hex').reverse().toString('hex')}`);
  const s = value(signature.slice(64)) + value(GROUP_ORDER_HEX);
  return signature.slice(0, 64) + Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
}

const { txHash: _, ...UNHASHED } = GOOD;
const withSignature = (signature: unknown) => ({ ...UNHASHED, signature });
const rawOf = (body: typeof UNHASHED): Uint8Array => encodeTransaction({ ...FIELDS, signature: body.signature });

const explain = (body: string | Buffer, ...rest: readonly [typeof CHAIN, readonly string[]]) =>
  explainBytes(Buffer.from(body as string), ...rest);

/** Every mistake: the body it leads to, what the service answers, and what must be told. */
const MISTAKES: readonly (readonly [name: string, body: unknown, code: string, cause: RegExp])[] = [
  [
    'the chain of another name',
    signedAs({ chainId: 'acme-1' }),
    'invalid_signature',
    /signed for chain "acme-1", not for txledger-dev-1/,
  ],
  ['the key of another account', signedAs({}, third.seed), 'invalid_signature', /signed with the key of dev-2/],
  ["the receiver's key", signedAs({}, receiver.seed), 'invalid_signature', /receiver's key/],
  [
    'an unknown key',
    signedAs({}, '11'.repeat(32)),
    'invalid_signature',
    /^wrong key: txHash is that of these very fields/,
  ],
  [
    'an altered amount',
    signedAs({ amount: 25n }),
    'invalid_signature',
    /amount was altered: 25 was signed, 2500 is sent/,
  ],
  [
    'an amount altered beyond guessing',
    signedAs({ amount: 1777n }),
    'invalid_signature',
    /^altered: txHash is not that of these fields either/,
  ],
  ['an altered nonce', signedAs({ nonce: 6 }), 'invalid_signature', /nonce was altered: 6 was signed/],
  [
    'swapped addresses',
    signedAs({ from: receiver.address, to: sender.address }, receiver.seed),
    'invalid_signature',
    /from and to were swapped/,
  ],
  [
    'no header',
    withSignature(sign(TEXT.split('\n')[1] ?? '')),
    'invalid_signature',
    /without the line txledger-transfer-v1/,
  ],
  ['CR LF', withSignature(sign(TEXT.replace('\n', '\r\n'))), 'invalid_signature', /CR LF/],
  [
    'spaces',
    withSignature(sign(TEXT.replaceAll(':', ': ').replaceAll(',', ', '))),
    'invalid_signature',
    /with spaces behind colons/,
  ],
  [
    'a number for the amount',
    withSignature(sign(TEXT.replace('"2500"', '2500'))),
    'invalid_signature',
    /amount was signed as a JSON number/,
  ],
  [
    'a hash in place of the bytes',
    withSignature(sign(createHash('sha256').update(TEXT).digest())),
    'invalid_signature',
    /sha256 of the sign bytes was signed/,
  ],
  [
    'S not reduced',
    withSignature(malleated(SIGNATURE)),
    'invalid_signature',
    /^not STRICT: S.*reduced modulo L it is right/,
  ],
  [
    'R of small order',
    withSignature(`01${'00'.repeat(31)}${SIGNATURE.slice(64)}`),
    'invalid_signature',
    /^not STRICT: R.*small order/,
  ],
  ['nothing usual', withSignature(sign('something else')), 'invalid_signature', /no usual mistake explains it/],
  ['upper case', withSignature(SIGNATURE.toUpperCase()), 'invalid_request', /upper case/],
  ['0x', withSignature(`0x${SIGNATURE}`), 'invalid_request', /prefix/],
  ['base64', withSignature(Buffer.from(SIGNATURE, 'hex').toString('base64')), 'invalid_request', /base64/],
  ['a lost digit', withSignature(SIGNATURE.slice(1)), 'invalid_request', /127 hex digits/],
  ['a foreign digit', withSignature(`${SIGNATURE.slice(1)}g`), 'invalid_request', /"g", which is no hex digit/],
  ['no signature', { ...UNHASHED, signature: undefined }, 'invalid_request', /signature is missing/],
  ['a leading zero', { ...GOOD, amount: '02500' }, 'invalid_request', /not canonical; it must be "2500"/],
  ['an exponent', { ...GOOD, amount: '25e2' }, 'invalid_request', /no whole number/],
  ['an amount that is a number', { ...GOOD, amount: 2500 }, 'invalid_request', /amount is a JSON number/],
  [
    'an amount beyond 2^128 - 1',
    { ...GOOD, amount: '340282366920938463463374607431768211456' },
    'invalid_request',
    /1 to 2\^128 - 1/,
  ],
  ['a nonce that is a string', { ...GOOD, nonce: '7' }, 'invalid_request', /nonce is a JSON string/],
  ['a negative nonce', { ...GOOD, nonce: -1 }, 'invalid_request', /no integer from 0/],
  [
    'a field too many',
    { ...GOOD, chainId: CHAIN.chainId },
    'invalid_request',
    /no field of a transfer; the service adds its own/,
  ],
  ['an address in upper case', { ...GOOD, from: sender.address.toUpperCase() }, 'invalid_request', /not in lower case/],
  ['an address cut short', { ...GOOD, to: receiver.address.slice(0, -1) }, 'invalid_request', /form of an address/],
  [
    'an address with a wrong character',
    { ...GOOD, to: `${receiver.address.slice(0, -1)}${receiver.address.endsWith('q') ? 'p' : 'q'}` },
    'invalid_address',
    /checksum/,
  ],
  [
    'a reference that was not signed',
    paidAs(signBytes({ ...FIELDS, validUntil: MEMBERS.validUntil })),
    'invalid_signature',
    /^reference was not signed/,
  ],
  [
    'a validity that was not signed',
    paidAs(signBytes({ ...FIELDS, reference: MEMBERS.reference })),
    'invalid_signature',
    /^validUntil was not signed/,
  ],
  ['neither of both signed', paidAs(TEXT), 'invalid_signature', /^reference and validUntil were not signed/],
  [
    'members signed behind the others',
    paidAs(
      PAID_TEXT.replace(`"reference":"${MEMBERS.reference}",`, '').replace(
        '"validUntil"',
        `"reference":"${MEMBERS.reference}","validUntil"`,
      ),
    ),
    'invalid_signature',
    /order amount, chainId, from, nonce, to, reference, validUntil; it must be amount, chainId, from, nonce, reference, to, validUntil$/,
  ],
  [
    'members signed with spaces',
    paidAs(PAID_TEXT.replaceAll('":', '": ').replaceAll(',"', ', "')),
    'invalid_signature',
    /with spaces behind colons/,
  ],
  [
    'a validity signed as text',
    paidAs(PAID_TEXT.replace('1795257000', '"1795257000"')),
    'invalid_signature',
    /validUntil was signed as a JSON string/,
  ],
  [
    'a validity signed in milliseconds',
    paidAs(PAID_TEXT.replace('1795257000', '1795257000000')),
    'invalid_signature',
    /validUntil was signed in milliseconds/,
  ],
  [
    'slashes escaped',
    paidAs(PAID_TEXT.replace('2026/17', String.raw`2026\/17`)),
    'invalid_signature',
    /slashes of reference/,
  ],
  [
    'angle brackets escaped',
    paidAs(PAID_TEXT.replace('<', String.raw`\u003c`).replace('>', String.raw`\u003e`)),
    'invalid_signature',
    /u003c and the like/,
  ],
  [
    'a reference with a space at its end',
    { ...GOOD, reference: 'INV 17 ' },
    'invalid_request',
    /reference "INV 17 " is not/,
  ],
  ['a validity that is text', { ...GOOD, validUntil: '1795257000' }, 'invalid_request', /is text; it must be a number/],
  ['a validity that is no second', { ...GOOD, validUntil: 0 }, 'invalid_request', /no integer from 1 to 253402300799/],
  [
    'the hash of the sign bytes',
    { ...GOOD, txHash: createHash('sha256').update(TEXT).digest('hex') },
    'tx_hash_mismatch',
    /hash of the sign bytes/,
  ],
  [
    'the hash of another thing',
    { ...GOOD, txHash: 'AB'.repeat(32) },
    'tx_hash_mismatch',
    /something else than the raw transaction/,
  ],
  ['a hash that is none', { ...GOOD, txHash: HASH.slice(2) }, 'invalid_request', /64 hex digits/],
  ['no object', [GOOD], 'invalid_request', /not a JSON object/],
];

describe('explain', () => {
  test('a right request: sign bytes, raw transaction and hash', () => {
    expect(explain(JSON.stringify(GOOD), CHAIN, [])).toEqual({
      ok: true,
      chainId: CHAIN.chainId,
      addressPrefix: 'txlt',
      signBytes: TEXT,
      raw: Buffer.from(rawOf(GOOD)).toString(),
      txHash: HASH,
      causes: [],
    });
    expect(explain(JSON.stringify({ ...GOOD, txHash: HASH.toLowerCase() }), CHAIN, []).ok).toBe(true);
  });

  test.each(MISTAKES)('%s', (_name, body, code, cause) => {
    const { ok, refusal, causes } = explain(JSON.stringify(body), CHAIN, ['acme-1']);
    expect({ ok, code: refusal?.code }).toEqual({ ok: false, code });
    expect(causes.map(({ message }) => message)).toContainEqual(expect.stringMatching(cause));
  });

  test('two mistakes are told at once', () => {
    const { causes } = explain(
      JSON.stringify({ ...withSignature(signedAs({ chainId: 'acme-1' }).signature.toUpperCase()) }),
      CHAIN,
      ['acme-1'],
    );
    expect(causes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/upper case/),
      expect.stringMatching(/signed for chain "acme-1"/),
    ]);
  });

  test('agrees with the published vectors: every valid transfer is right, every bad signature is not', async () => {
    const { chain, valid } = JSON.parse(await readFile('spec/vectors/transactions.json', 'utf8'));
    const transfers = valid.filter(({ kind }: { kind: string }) => kind === 'transfer');
    expect(transfers.length).toBeGreaterThan(2);
    for (const { raw, signBytes: expected, txHash: hash } of transfers) {
      const { chainId: _chain, ...body } = JSON.parse(raw);
      expect(explain(JSON.stringify({ ...body, txHash: hash }), chain, [])).toMatchObject({
        ok: true,
        signBytes: expected,
        raw,
        txHash: hash,
      });
    }
  });
});

describe('txledger explain', () => {
  const dev = withDevelopment();
  const elsewhere = () => path.join(dev().folder, 'none');

  test('gives the very code that the service gives, for every mistake', async () => {
    for (const [name, body, code] of MISTAKES) {
      const answer = await call(`${dev().server.baseUrl}/transactions`, {
        method: 'POST',
        token: dev().token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect({ name, code: answer.body.code }).toEqual({ name, code });
    }
  });

  /** Each is the good body by the reading of JSON.parse, or nearly. */
  const good = JSON.stringify(GOOD);
  test.each<[string, string | Buffer, string, string]>([
    ['half of a body', '{"from":', 'malformed_json', '/from'],
    ['a nonce with a point', good.replace('"nonce":7', '"nonce":7.0'), 'malformed_json', '/nonce'],
    ['a nonce with an exponent', good.replace('"nonce":7', '"nonce":7e0'), 'malformed_json', '/nonce'],
    ['a nonce of -0', good.replace('"nonce":7', '"nonce":-0'), 'malformed_json', '/nonce'],
    ['a nonce of more digits', good.replace('"nonce":7', '"nonce":9007199254740993'), 'malformed_json', '/nonce'],
    ['the amount twice', good.replace('"amount"', '"amount":"9999","amount"'), 'malformed_json', '/amount'],
    [
      'the amount twice, once escaped',
      good.replace('"amount"', '"\\u0061mount":"1","amount"'),
      'malformed_json',
      '/amount',
    ],
    ['half of a character', good.replace('"amount"', '"reference":"\\ud800","amount"'), 'malformed_json', '/reference'],
    [
      'nesting',
      good.replace('"amount"', `"reference":${'['.repeat(20)}${']'.repeat(20)},"amount"`),
      'malformed_json',
      '/reference'.concat('/0'.repeat(15)),
    ],
    ['text behind the body', `${good} {}`, 'malformed_json', ''],
    ['a byte order mark', `\u{FEFF}${good}`, 'malformed_json', ''],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from([0x20, 0xff, 0x7d])]),
      'malformed_json',
      '',
    ],
    ['16 KiB of spaces', good.padEnd(16 * 1024 + 1), 'body_too_large', ''],
  ])('%s is told as the service tells it, with its place', async (_, body, code, pointer) => {
    const answer = await call(`${dev().server.baseUrl}/transactions`, {
      method: 'POST',
      token: dev().token,
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { ok, refusal, causes } = explain(body, CHAIN, []);
    expect([answer.body.code, ok, refusal?.code, causes[0]?.pointer]).toEqual([code, false, code, pointer]);
    if (code === 'malformed_json') expect(refusal?.detail).toBe(answer.body.detail);
  });

  test(
    'asks the service for its chain, and is offline with --chain-id',
    async () => {
      const input = JSON.stringify(GOOD);
      const asked = await run(['explain', '-', '--json'], { input, variables: dev().variables });
      expect({ code: asked.code, ok: documentOf(asked).ok }).toEqual({ code: EXIT.ok, ok: true });
      const offline = await run(['explain', '-', '--chain-id', CHAIN.chainId, '--json'], {
        input,
        variables: { DATA_DIR: elsewhere() },
      });
      expect(documentOf(offline)).toEqual(documentOf(asked));
      const other = await run(['explain', '-', '--chain-id', 'acme-1'], {
        input,
        variables: { DATA_DIR: elsewhere() },
      });
      expect(other.code).toBe(EXIT.refused);
      expect(other.stdout).toContain('/signature: it was signed for chain "txledger-dev-1", not for acme-1');
    },
    TEST_MS_MAX,
  );

  test(
    'a file that cannot be read is a usage error',
    async () => {
      const result = await run(['explain', '/nonexistent', '--chain-id', 'acme-1', '--json'], {
        variables: { DATA_DIR: elsewhere() },
      });
      expect({ code: result.code, exitCode: documentOf(result).error.exitCode }).toEqual({
        code: EXIT.usage,
        exitCode: EXIT.usage,
      });
    },
    TEST_MS_MAX,
  );
});
