/**
 * Amounts as people write and read them, such as `1,234.56 EUR`. Everywhere else in this package, on the wire and in the signed bytes, an
 * amount is whole minor units. Conversion is exact: no amount passes through a floating-point number.
 */
import type { Currency } from './contract.ts';
import { InvalidArgumentError } from './errors/InvalidArgumentError.ts';
import { AMOUNT_DIGITS_MAX, AMOUNT_MAX } from './limits.ts';

export type AmountFault = 'format' | 'sign' | 'exponent' | 'separator' | 'currency' | 'digits' | 'range';

export type ParsedAmount =
  | { readonly ok: true; readonly minorUnits: bigint }
  | { readonly ok: false; readonly reason: AmountFault; readonly message: string };

/** A plus or a minus; U+2212 is the minus that word processors write. */
const SIGN = /^[-+\u2212]/;
const EXPONENT = /^[\d.,]+e[-+]?\d+$/i;
/** Any character that people do not put between digits: those are a comma, a point, apostrophes, an underscore and any space. */
const NOT_OF_A_NUMBER = /[^\d.,'’_\s]/;
/** Two points, or a separator that is not a comma between groups of three. */
const MISPLACED_SEPARATOR = /[,'’_\s]|\..*\./;
const NUMBER = /^(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;
const ONE_GROUP = /^\d{1,3},\d{3}$/;

const fault = (reason: AmountFault, message: string): ParsedAmount => ({ ok: false, reason, message });

/**
 * Reads an amount that a person typed: `12.34 EUR`, `12.34EUR` or `1,234.56 EUR`, each with the currency of the chain. A whole number
 * without a currency is minor units, as on the wire: `1234` is `12.34 EUR`. A text that could be read in two ways is refused: then `ok` is
 * false, and `message` says what was expected.
 *
 * @example
 * const { currency } = await getChain(client);
 * const parsed = parseAmount('12.34 EUR', currency);
 * console.log(parsed.ok ? parsed.minorUnits : parsed.message); // 1234n
 */
export function parseAmount(text: string, currency: Currency): ParsedAmount {
  const { code, scale } = currency;
  const typed = text.trim();
  const example = exampleIn(currency);
  if (SIGN.test(typed)) return fault('sign', `an amount has no sign, such as ${example}`);
  // A currency code that begins with a digit or looks like an exponent needs a space before it.
  const isNamed = typed.endsWith(code) && (!/^E?\d/.test(code) || /\s$/.test(typed.slice(0, -code.length)));
  const number = isNamed ? typed.slice(0, -code.length).trimEnd() : typed;
  if (EXPONENT.test(number)) return fault('exponent', `an amount has no exponent, such as ${example}`);
  if (!/^\d/.test(number))
    return fault('format', `an amount is digits and then its currency, such as ${example}, or whole minor units`);
  if (NOT_OF_A_NUMBER.test(number))
    return fault('currency', `the currency of this chain is ${code}, and nothing else follows it, such as ${example}`);
  if (!isNamed && !/^\d+$/.test(number))
    return fault('currency', `only whole minor units have no currency; otherwise it follows, such as ${example}`);
  const [, whole, fraction = ''] = NUMBER.exec(number) ?? [];
  if (whole === undefined) {
    return MISPLACED_SEPARATOR.test(number)
      ? fault('separator', `digits have one point, and commas only between groups of three, such as ${example}`)
      : fault('format', `digits begin with no needless zero and stand on both sides of a point, such as ${example}`);
  }
  if (scale > 0 && ONE_GROUP.test(number)) {
    const written = formatAmount(number.replace(',', '').padEnd(number.length - 1 + scale, '0'), currency);
    return fault('separator', `the comma could be a decimal sign; if it groups digits, write ${written}`);
  }
  if (fraction.length > scale) {
    const most = scale === 0 ? 'no digits' : `at most ${scale} digit${scale === 1 ? '' : 's'}`;
    return fault('digits', `${code} has ${most} behind the point, such as ${example}`);
  }
  const digits = (whole.replaceAll(',', '') + (isNamed ? fraction.padEnd(scale, '0') : '')).replace(/^0+/, '');
  if (digits === '') return fault('range', `an amount is at least ${formatAmount(1n, currency)}`);
  // The digits are counted first, so that a text of any length does not become a number.
  if (digits.length > AMOUNT_DIGITS_MAX || BigInt(digits) > AMOUNT_MAX)
    return fault('range', `an amount is at most ${formatAmount(AMOUNT_MAX, currency)}`);
  return { ok: true, minorUnits: BigInt(digits) };
}

/**
 * Formats an amount of minor units with its currency: commas between groups of three, and all digits after the point. `parseAmount` reads
 * the result back.
 *
 * @throws {InvalidArgumentError} `minorUnits` is a text that is not a whole number.
 * @example
 * const { currency } = await getChain(client);
 * console.log(formatAmount('123456', currency)); // '1,234.56 EUR'
 */
export function formatAmount(minorUnits: bigint | string, { code, scale }: Currency): string {
  const [, sign, digits] = /^(-?)(\d+)$/.exec(`${minorUnits}`) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('minorUnits', `is a whole number, got ${minorUnits}`);
  const padded = digits.padStart(scale + 1, '0');
  const point = padded.length - scale;
  const whole = padded.slice(0, point).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${sign}${whole}${scale === 0 ? '' : `.${padded.slice(point)}`} ${code}`;
}

/** `12.34 EUR`, with as many digits after the point as the currency has. */
const exampleIn = (currency: Currency): string =>
  formatAmount(`12${'34'.padEnd(currency.scale, '0').slice(0, currency.scale)}`, currency);
