/**
 * The curve edwards25519 in plain BigInt, written from RFC 8032 section 5.1 and nothing else: slow, obvious, and independent of the code
 * under test.
 */
export const P = 2n ** 255n - 19n;
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

export function mod(a: bigint, m = P): bigint {
  return ((a % m) + m) % m;
}

export function pow(base: bigint, exponent: bigint, m = P): bigint {
  let result = 1n;
  for (let b = mod(base, m), e = exponent; e > 0n; e >>= 1n, b = (b * b) % m) if (e & 1n) result = (result * b) % m;
  return result;
}

export function invert(a: bigint, m = P): bigint {
  return pow(a, m - 2n, m);
}

/** d = -121665/121666. */
export const D = mod(-121665n * invert(121666n));

export interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

export const IDENTITY: Point = { x: 0n, y: 1n };

/** The complete addition law of a twisted Edwards curve with a = -1, affine. */
export function add(a: Point, b: Point): Point {
  const t = mod(D * a.x * b.x * a.y * b.y);
  return {
    x: mod((a.x * b.y + a.y * b.x) * invert(1n + t)),
    y: mod((a.y * b.y + a.x * b.x) * invert(1n - t)),
  };
}

export function multiply(point: Point, scalar: bigint): Point {
  let result = IDENTITY;
  for (let p = point, s = scalar; s > 0n; s >>= 1n, p = add(p, p)) if (s & 1n) result = add(result, p);
  return result;
}

/** Both x with -x^2 + y^2 = 1 + d x^2 y^2, or undefined when this y is on no point. */
export function xOf(y: bigint): readonly [bigint, bigint] | undefined {
  const square = mod((y * y - 1n) * invert(mod(D * y * y + 1n)));
  let root = pow(square, (P + 3n) / 8n);
  if (mod(root * root) !== square) root = mod(root * pow(2n, (P - 1n) / 4n));
  if (mod(root * root) !== square) return undefined;
  return [root, mod(-root)];
}

/** B: y = 4/5, x even. */
export function basePoint(): Point {
  const y = mod(4n * invert(5n));
  const x = xOf(y)!.find((candidate) => (candidate & 1n) === 0n)!;
  return { x, y };
}

export function littleEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  for (let i = 0, rest = value; i < 32; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return bytes;
}

export function fromLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** y with the lowest bit of x on top. */
export function encodePoint({ x, y }: Point): Uint8Array {
  return littleEndian(y | ((x & 1n) << 255n));
}
