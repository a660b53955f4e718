/** CometBFT's priv_validator_state.json: text and value (privval/file.go, FilePVLastSignState). */
import type { LastSigned } from './stores.ts';

const DECIMAL = /^(0|[1-9][0-9]{0,15})$/;

export function formatSignState(last: LastSigned): string {
  const json = {
    height: String(last.height),
    round: last.round,
    step: last.step,
    ...(last.signature && { signature: Buffer.from(last.signature).toString('base64') }),
    ...(last.signBytes && { signbytes: Buffer.from(last.signBytes).toString('hex').toUpperCase() }),
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** Throws an Error that names what is wrong. */
export function parseSignState(text: string): LastSigned {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null) throw new Error('not a JSON object');
  const { height, round, step, signature, signbytes } = json as Record<string, unknown>;
  if (typeof height !== 'string' || !DECIMAL.test(height)) throw new Error('"height" is not a decimal string');
  if (!isCount(round) || !isCount(step)) throw new Error('"round" or "step" is not a count');
  return {
    height: Number(height),
    round,
    step,
    signature: optionalBytes(signature, 'base64'),
    signBytes: optionalBytes(signbytes, 'hex'),
  };
}

/** True when (height, round, step) of `a` is greater, field by field; anything is greater than no signature. */
export function isAfter(a: LastSigned, b: LastSigned = NOTHING_SIGNED): boolean {
  if (a.height !== b.height) return a.height > b.height;
  if (a.round !== b.round) return a.round > b.round;
  return a.step > b.step;
}

const NOTHING_SIGNED: LastSigned = { height: 0, round: 0, step: 0, signature: undefined, signBytes: undefined };

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function optionalBytes(value: unknown, encoding: 'base64' | 'hex'): Uint8Array | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`"signature" or "signbytes" is not ${encoding} text`);
  const bytes = Buffer.from(value, encoding);
  if (bytes.toString(encoding).toLowerCase() !== value.toLowerCase()) {
    throw new Error(`"signature" or "signbytes" is not ${encoding} text`);
  }
  return bytes;
}
