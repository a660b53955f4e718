/**
 * An endless supply of signatures on which libraries could disagree, the same for one seed: good ones, mutated ones, keys and
 * commitments with a component of small order (RFC 8032 leaves the cofactor open), scalars beyond L, and encodings of no point.
 */
import { createHash } from 'node:crypto';
import {
  add,
  basePoint,
  encodePoint,
  fromLittleEndian,
  IDENTITY,
  L,
  littleEndian,
  multiply,
  xOf,
  type Point,
} from './curve.ts';

export interface CraftedSignature {
  kind: string;
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}

/** Scalars that keys and commitments are made of; each stands with all eight points of small order. */
const SCALARS = 24;
/** y of a point of order eight, found in test/ledger/ed25519-constants.test.ts. */
const ORDER_EIGHT_Y = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const MESSAGE_BYTES_MAX = 300;

interface Multiple {
  scalar: bigint;
  /** scalar B plus each point of small order. */
  encodings: readonly Uint8Array[];
}

/** Random numbers that a seed repeats: SHA-256 in counter mode. */
class Random {
  readonly #seed: string;
  #count = 0;
  #left = Buffer.alloc(0);

  constructor(seed: string) {
    this.#seed = seed;
  }

  bytes(count: number): Buffer {
    while (this.#left.length < count)
      this.#left = Buffer.concat([
        this.#left,
        createHash('sha256')
          .update(`${this.#seed}/${this.#count++}`)
          .digest(),
      ]);
    const taken = Buffer.from(this.#left.subarray(0, count));
    this.#left = this.#left.subarray(count);
    return taken;
  }

  /** From 0 to `below` - 1, at most 65,536. */
  below(below: number): number {
    return this.bytes(4).readUInt32LE() % below;
  }
}

function smallOrderPoints(): Point[] {
  const generator = { x: xOf(ORDER_EIGHT_Y)![0], y: ORDER_EIGHT_Y };
  const points = [IDENTITY];
  while (points.length < 8) points.push(add(points.at(-1)!, generator));
  return points;
}

function multiples(random: Random): Multiple[] {
  const small = smallOrderPoints();
  const base = basePoint();
  return Array.from({ length: SCALARS }, () => {
    const scalar = fromLittleEndian(random.bytes(32)) % L;
    const point = multiply(base, scalar);
    return { scalar, encodings: small.map((order) => encodePoint(add(point, order))) };
  });
}

export function* craftedSignatures(seed: string): Generator<CraftedSignature, never> {
  const random = new Random(seed);
  const keys = multiples(random);
  const commitments = multiples(random);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const flipped = (bytes: Uint8Array): Uint8Array => {
    const copy = Uint8Array.from(bytes);
    copy[random.below(copy.length)]! ^= 1 << random.below(8);
    return copy;
  };

  for (;;) {
    const key = pick(keys);
    const commitment = pick(commitments);
    const mixed = random.below(2) === 1;
    const publicKey = key.encodings[mixed ? random.below(8) : 0]!;
    const r = commitment.encodings[mixed ? random.below(8) : 0]!;
    const message = random.bytes(random.below(MESSAGE_BYTES_MAX));
    const k = fromLittleEndian(createHash('sha512').update(r).update(publicKey).update(message).digest()) % L;
    const s = (commitment.scalar + k * key.scalar) % L;
    const signature = Buffer.concat([r, littleEndian(s)]);
    const whole = { publicKey, message, signature };
    switch (random.below(8)) {
      case 0:
      case 1:
        yield { kind: mixed ? 'a component of small order' : 'good', ...whole };
        break;
      case 2:
        yield { kind: 'a mutated signature', ...whole, signature: flipped(signature) };
        break;
      case 3:
        yield { kind: 'a mutated key', ...whole, publicKey: flipped(publicKey) };
        break;
      case 4:
        if (message.length > 0) yield { kind: 'a mutated message', ...whole, message: flipped(message) };
        break;
      case 5:
        yield { kind: 'S beyond L', ...whole, signature: Buffer.concat([r, littleEndian(s + L)]) };
        break;
      case 6:
        yield { kind: 'random bytes for R', ...whole, signature: Buffer.concat([random.bytes(32), littleEndian(s)]) };
        break;
      default:
        yield { kind: 'random bytes as key', ...whole, publicKey: random.bytes(32) };
    }
  }
}
