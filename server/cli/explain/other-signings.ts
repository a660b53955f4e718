/**
 * Byte strings that a signer may have signed by mistake instead of the sign bytes. The string for which a signature verifies shows the
 * mistake.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { developmentAccounts } from '../../app/dev-accounts.ts';
import {
  AMOUNT_MAX,
  NONCE_MAX,
  parseAddress,
  paymentMembers,
  publicKeyOfSeed,
  signBytes,
  type AddressPrefix,
  type Transfer,
  type Unsigned,
} from '../../ledger/index.ts';

export interface OtherSigning {
  /** The mistake, as a sentence. */
  readonly mistake: string;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

type Fields = Unsigned<Transfer>;

/** Digits by which a decimal point may be misplaced, in both directions. */
const SCALE_DIGITS_MAX = 18;
/** Amount by which a nonce may be miscounted, in both directions. */
const NONCE_AWAY_MAX = 16;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (fields: Fields): string => Buffer.from(signBytes(fields)).toString('latin1');

/** Python's json.dumps and others put a space after colons and commas; those inside a reference stay. */
const spaced = (json: string): string =>
  json.replaceAll(/"[^"]*"|[:,]/g, (part) => (part.length === 1 ? `${part} ` : part));

function* otherTexts(fields: Fields): Generator<readonly [mistake: string, message: Uint8Array]> {
  const text = textOf(fields);
  const [header = '', json = ''] = text.split('\n');
  const { from, to, chainId, nonce } = fields;
  const amount = `${fields.amount}`;
  yield ['the JSON was signed without the line txledger-transfer-v1 before it', utf8(json)];
  yield ['the line break behind txledger-transfer-v1 was left out', utf8(header + json)];
  yield ['a backslash and an n were signed in place of the line break', utf8(`${header}\\n${json}`)];
  yield ['the line break that was signed is CR LF; it must be LF alone', utf8(`${header}\r\n${json}`)];
  yield ['a line break behind the JSON was signed too', utf8(`${text}\n`)];
  yield ['the JSON was signed with spaces behind colons and commas', utf8(`${header}\n${spaced(json)}`)];
  yield ['amount was signed as a JSON number; it must be a string', utf8(text.replace(`"${amount}"`, amount))];
  yield [
    'nonce was signed as a JSON string; it must be a number',
    utf8(text.replace(`"nonce":${nonce}`, `"nonce":"${nonce}"`)),
  ];
  yield ['the chain id was left out of what was signed', utf8(text.replace(`"chainId":"${chainId}",`, ''))];
  yield* otherMembers(fields, text);
  const members = paymentMembers(fields);
  const right = Object.keys({ amount, chainId, from, nonce, to, ...members })
    .sort()
    .join(', ');
  const orders = [
    { chainId, from, to, amount, nonce, ...members },
    { from, to, amount, nonce, ...members, chainId },
    { amount, chainId, from, to, nonce, ...members },
    { amount, chainId, from, nonce, to, ...members },
  ];
  for (const other of orders) {
    const unsorted = JSON.stringify(other);
    const mistake = `the keys were signed in the order ${Object.keys(other).join(', ')}; it must be ${right}`;
    yield [mistake, utf8(`${header}\n${unsorted}`)];
    yield [`${mistake}, and without spaces`, utf8(`${header}\n${spaced(unsorted)}`)];
  }
  for (const algorithm of ['sha256', 'sha512']) {
    const digest = createHash(algorithm).update(text).digest();
    yield [`the ${algorithm} of the sign bytes was signed; sign the bytes themselves`, digest];
    yield [
      `the ${algorithm} of the sign bytes was signed, as hex text; sign the bytes themselves`,
      utf8(digest.toString('hex')),
    ];
  }
  yield ['the sign bytes were signed as hex text; sign the bytes themselves', utf8(Buffer.from(text).toString('hex'))];
}

/** Mistakes with the reference and the end of the validity. */
function* otherMembers(
  { reference, validUntil }: Fields,
  text: string,
): Generator<readonly [mistake: string, message: Uint8Array]> {
  if (validUntil !== undefined) {
    yield [
      'validUntil was signed as a JSON string; it must be a number',
      utf8(text.replace(`"validUntil":${validUntil}`, `"validUntil":"${validUntil}"`)),
    ];
    yield [
      'validUntil was signed in milliseconds; it is Unix time in whole seconds',
      utf8(text.replace(`"validUntil":${validUntil}`, `"validUntil":${validUntil}000`)),
    ];
  }
  if (reference === undefined) return;
  const withReference = (escaped: string): Uint8Array =>
    utf8(text.replace(`"reference":"${reference}"`, () => `"reference":"${escaped}"`));
  yield [
    'the slashes of reference were signed as \\/; sign the text as it is sent',
    withReference(reference.replaceAll('/', '\\/')),
  ];
  const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };
  yield [
    '<, > or & of reference were signed as \\u003c and the like; sign the text as it is sent',
    withReference(reference.replaceAll(/[<>&]/g, (sign) => escapes[sign] ?? sign)),
  ];
}

function* otherFields(
  fields: Fields,
  chainIds: readonly string[],
): Generator<readonly [mistake: string, fields: Fields]> {
  for (const chainId of chainIds)
    if (chainId !== fields.chainId)
      yield [`it was signed for chain ${JSON.stringify(chainId)}, not for ${fields.chainId}`, { ...fields, chainId }];
  const { reference, validUntil, ...bare } = fields;
  if (reference !== undefined && validUntil !== undefined)
    yield ['reference and validUntil were not signed; both belong to the sign bytes when they are sent', bare];
  if (reference !== undefined)
    yield [
      'reference was not signed; it belongs to the sign bytes when it is sent',
      { ...bare, ...paymentMembers({ validUntil }) },
    ];
  if (validUntil !== undefined)
    yield [
      'validUntil was not signed; it belongs to the sign bytes when it is sent',
      { ...bare, ...paymentMembers({ reference }) },
    ];
  yield ['from and to were swapped after it was signed', { ...fields, from: fields.to, to: fields.from }];
  for (let digits = 1, factor = 10n; digits <= SCALE_DIGITS_MAX; digits++, factor *= 10n) {
    for (const amount of [fields.amount * factor, ...(fields.amount % factor === 0n ? [fields.amount / factor] : [])]) {
      if (amount <= AMOUNT_MAX)
        yield [`amount was altered: ${amount} was signed, ${fields.amount} is sent`, { ...fields, amount }];
    }
  }
  for (let away = 1; away <= NONCE_AWAY_MAX; away++) {
    for (const nonce of [fields.nonce + away, fields.nonce - away]) {
      if (nonce >= 0 && nonce <= NONCE_MAX)
        yield [`nonce was altered: ${nonce} was signed, ${fields.nonce} is sent`, { ...fields, nonce }];
    }
  }
}

function* otherKeys(
  fields: Fields,
  prefix: AddressPrefix,
): Generator<readonly [mistake: string, publicKey: Uint8Array]> {
  const receiver = parseAddress(fields.to, prefix);
  if (receiver.ok) yield ["it was signed with the receiver's key; the key of from must sign", receiver.publicKey];
  for (const { name, seed } of developmentAccounts())
    yield [
      `it was signed with the key of ${name}; the key of from must sign`,
      publicKeyOfSeed(Buffer.from(seed, 'hex')),
    ];
}

/** Yields them in the order in which a person would suspect them. `publicKey` belongs to `from`. */
export function* otherSignings(
  fields: Fields,
  publicKey: Uint8Array,
  known: { prefix: AddressPrefix; chainIds: readonly string[] },
): Generator<OtherSigning> {
  for (const [mistake, other] of otherFields(fields, known.chainIds)) {
    const sender = parseAddress(other.from, known.prefix);
    if (sender.ok) yield { mistake, message: signBytes(other), publicKey: sender.publicKey };
  }
  for (const [mistake, message] of otherTexts(fields)) yield { mistake, message, publicKey };
  for (const [mistake, other] of otherKeys(fields, known.prefix))
    yield { mistake, message: signBytes(fields), publicKey: other };
}
