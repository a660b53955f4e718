import type { WebhookMessage } from '../contract.ts';
import type { Bytes } from '../crypto/bytes.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { InvalidWebhookError } from '../errors/InvalidWebhookError.ts';
import { WEBHOOK_SECRET_BYTES_MAX, WEBHOOK_SECRET_BYTES_MIN, WEBHOOK_TOLERANCE_S_DEFAULT } from '../limits.ts';

/** The headers of a request, as any server has them: `request.headers` of Node, of Express or of the Fetch standard. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /**
   * Maximum difference between the time of the message and now, in seconds, in both directions: an older message may be a recorded one that
   * is sent again.
   * @default 300
   */
  readonly toleranceS?: number | undefined;
  /**
   * The clock, in milliseconds since 1970.
   * @default Date.now
   */
  readonly nowMs?: (() => number) | undefined;
}

/**
 * Verifies a webhook by the rules of Standard Webhooks and returns its message. Pass the body as it arrived, as bytes or text: JSON that
 * was parsed and written again has other bytes. While a secret is being rotated, pass both secrets: a message is valid when any of its
 * signatures is by any of the secrets.
 *
 * A message may come again (the service sends it until the answer is 2xx). Its `webhook-id` is the same each time: store the ids that you
 * have processed.
 *
 * @throws {InvalidWebhookError} The message must not be trusted; `check` is the check that failed. Answer 400 and do nothing.
 * @throws {InvalidArgumentError} A secret is not `whsec_` and base64, or the payload is no longer the body that arrived.
 * @example
 * const receive = async (request: Request): Promise<Response> => {
 *   const message = await verifyWebhook(await request.text(), request.headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
 *   if (message.type === 'transaction.committed') console.log(message.id, message.data.transaction.txHash);
 *   return new Response(null, { status: 204 });
 * };
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookMessage> {
  const { toleranceS = WEBHOOK_TOLERANCE_S_DEFAULT, nowMs = Date.now } = options;
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array))
    throw new InvalidArgumentError('payload', 'must be the body as it arrived, text or bytes');
  const secrets = [secret].flat().map(secretBytes);
  if (!secrets.length) throw new InvalidArgumentError('secret', 'must be at least one secret');

  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures)
    throw new InvalidWebhookError('headers', 'webhook-id, webhook-timestamp or webhook-signature is missing');
  if (!/^\d{1,15}$/.test(timestamp))
    throw new InvalidWebhookError('headers', 'webhook-timestamp is not a number of seconds');
  const isNow = Math.abs(nowMs() / 1000 - Number(timestamp)) <= toleranceS;
  if (!isNow) throw new InvalidWebhookError('timestamp', `webhook-timestamp is more than ${toleranceS} s from now`);

  // Compared as text, as the reference libraries do: the last letter of base64 has bits without a meaning, and a change of those is a
  // change.
  const given = signatures.split(' ').map(encode);
  const body = typeof payload === 'string' ? encode(payload) : payload;
  const signed = joined(encode(`${id}.${timestamp}.`), body);
  const expected = await Promise.all(
    secrets.map(async (each) => encode(`${VERSION}${toBase64(await hmac(each, signed))}`)),
  );
  // Every pair is compared, also after a match, so that the duration reveals nothing.
  const fitting = expected.flatMap((one) => given.map((other) => isEqual(one, other))).filter(Boolean);
  if (!fitting.length) throw new InvalidWebhookError('signature', 'no signature is by the secret');
  try {
    const read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof read.type === 'string' && read.data) return read;
  } catch {
    // The message is signed but cannot be parsed: the error below.
  }
  throw new InvalidWebhookError('body', 'it is signed, and not a message that this package knows');
}

/** HMAC-SHA256, the one kind of signature that a secret is for. */
const VERSION = 'v1,';

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // Not `instanceof`: frameworks have classes of their own.
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function secretBytes(secret: string): Bytes {
  const bytes = fromBase64(String(secret).replace(/^whsec_/, ''));
  // Never quoted: an error ends up in logs.
  if (!bytes || bytes.length < WEBHOOK_SECRET_BYTES_MIN || bytes.length > WEBHOOK_SECRET_BYTES_MAX) {
    throw new InvalidArgumentError(
      'secret',
      `must be whsec_ and the base64 of ${WEBHOOK_SECRET_BYTES_MIN} to ${WEBHOOK_SECRET_BYTES_MAX} bytes`,
    );
  }
  return bytes;
}

async function hmac(secret: Bytes, message: Bytes): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
}

/** Compares every byte, so that the duration does not depend on the first difference. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return (
    one.length === other.length &&
    one.reduce((difference, byte, at) => difference | (byte ^ (other[at] as number)), 0) === 0
  );
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(one: Uint8Array, other: Uint8Array): Bytes {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
