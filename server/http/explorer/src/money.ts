/** Amounts as people write them: minor units with the point where the chain's currency has it. */

export interface Currency {
  readonly code: string;
  /** Digits behind the point. */
  readonly scale: number;
}

/** `1234567` with a scale of 2 is `12,345.67`. Never through a number: an amount has up to 39 digits. */
export function formatAmount(minor: string | bigint, { scale }: Pick<Currency, 'scale'>): string {
  const text = `${minor}`;
  const sign = text.startsWith('-') ? '−' : '';
  const digits = text.slice(sign.length).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replace(/\B(?=(\d{3})+$)/g, ',');
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

export type ParsedAmount =
  | { readonly ok: true; readonly minor: bigint }
  | { readonly ok: false; readonly message: string };

const AMOUNT_MAX = 2n ** 128n - 1n;

/** An amount as a person typed it. A comma is refused: it is a point to some readers and groups digits for others. */
export function parseAmount(text: string, { code, scale }: Currency): ParsedAmount {
  const example = scale === 0 ? '12' : `12.${'5'.padEnd(scale, '0').slice(0, scale)}`;
  const [, whole, fraction = ''] = /^(\d{1,40})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined)
    return { ok: false, message: `Write the amount with digits and at most one point, such as ${example}.` };
  if (fraction.length > scale) {
    const expected = scale === 0 ? 'no digits' : `at most ${scale} digit${scale === 1 ? '' : 's'}`;
    return { ok: false, message: `${code} has ${expected} behind the point, such as ${example}.` };
  }
  const minor = BigInt(whole + fraction.padEnd(scale, '0'));
  if (minor === 0n) return { ok: false, message: 'The amount must be more than zero.' };
  if (minor > AMOUNT_MAX)
    return { ok: false, message: `The amount must be at most ${formatAmount(AMOUNT_MAX, { scale })} ${code}.` };
  return { ok: true, minor };
}
