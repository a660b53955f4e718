/** `verifyWebhook` against the reference library of Standard Webhooks, both ways, and against what must not be believed. */
import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { InvalidWebhookError, verifyWebhook, type WebhookMessage } from '../../client/src/index.ts';
import { example } from './support/contract.ts';

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER = `whsec_${randomBytes(24).toString('base64')}`;
const message = example<WebhookMessage>('CommittedEventMessage');
const body = JSON.stringify(message);
const nowMs = Date.now();
const now = (): number => nowMs;

/** As the reference library signs. */
function signed(payload = body, { secret = SECRET, id = 'msg_1', atMs = nowMs } = {}): Record<string, string> {
  const seconds = Math.floor(atMs / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1000), payload),
  };
}

/** The last letter of the base64 of 32 bytes has two bits that mean nothing. */
function otherTextOfTheSameBytes(signature: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return `${signature.slice(0, -2)}${letters[letters.indexOf(signature.at(-2)!) ^ 1]}=`;
}

describe('a webhook', () => {
  test('of the published vector is taken', async () => {
    // The example of the specification's reference libraries.
    const payload = '{"test": 2432232314}';
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const options = { nowMs: () => 1_614_265_330_000 };
    // Its signature holds, and only its body is none of ours.
    expect(
      await caught(verifyWebhook(payload, headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', options)),
    ).toMatchObject({ check: 'body' });
    expect(
      await caught(verifyWebhook(`${payload} `, headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', options)),
    ).toMatchObject({ check: 'signature' });
  });

  test.each<[string, () => Promise<WebhookMessage>]>([
    ['text', () => verifyWebhook(body, signed(), SECRET)],
    ['bytes', () => verifyWebhook(new Uint8Array(Buffer.from(body)), signed(), SECRET)],
    ['a Buffer, as Node reads it', () => verifyWebhook(Buffer.from(body), signed(), SECRET)],
    ['Headers', () => verifyWebhook(body, new Headers(signed()), SECRET)],
    [
      'names of headers in another case, with lists',
      () =>
        verifyWebhook(
          body,
          Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]])),
          SECRET,
        ),
    ],
    ['a secret without its prefix', () => verifyWebhook(body, signed(), SECRET.slice('whsec_'.length))],
    ['the secret from before a rotation, beside the new one', () => verifyWebhook(body, signed(), [OTHER, SECRET])],
    [
      'the one secret that is known during a rotation',
      () =>
        verifyWebhook(
          body,
          {
            ...signed(),
            'webhook-signature': `${signed(body, { secret: OTHER })['webhook-signature']} ${signed()['webhook-signature']}`,
          },
          SECRET,
        ),
    ],
    [
      'a signature of another version beside it',
      () =>
        verifyWebhook(
          body,
          { ...signed(), 'webhook-signature': `v1a,${'A'.repeat(88)} v2,x ${signed()['webhook-signature']}` },
          SECRET,
        ),
    ],
    [
      'the oldest time that is tolerated',
      () => verifyWebhook(body, signed(body, { atMs: nowMs - 299_000 }), SECRET, { nowMs: now }),
    ],
    [
      'the latest time that is tolerated',
      () => verifyWebhook(body, signed(body, { atMs: nowMs + 300_000 }), SECRET, { nowMs: now }),
    ],
  ])('is taken: %s', async (_, verify) => {
    expect(await verify()).toEqual(message);
  });

  test.each<[string, InvalidWebhookError['check'], () => Promise<WebhookMessage>]>([
    ['no id', 'headers', () => verifyWebhook(body, { ...signed(), 'webhook-id': undefined }, SECRET)],
    ['no signature', 'headers', () => verifyWebhook(body, { ...signed(), 'webhook-signature': '' }, SECRET)],
    [
      'a time that is no number',
      'headers',
      () => verifyWebhook(body, { ...signed(), 'webhook-timestamp': '1e9' }, SECRET),
    ],
    [
      'a time too long ago',
      'timestamp',
      () => verifyWebhook(body, signed(body, { atMs: nowMs - 302_000 }), SECRET, { nowMs: now }),
    ],
    [
      'a time too far ahead',
      'timestamp',
      () => verifyWebhook(body, signed(body, { atMs: nowMs + 302_000 }), SECRET, { nowMs: now }),
    ],
    [
      'less tolerance than it needs',
      'timestamp',
      () => verifyWebhook(body, signed(body, { atMs: nowMs - 12_000 }), SECRET, { nowMs: now, toleranceS: 10 }),
    ],
    ['another secret', 'signature', () => verifyWebhook(body, signed(), OTHER)],
    ['another id', 'signature', () => verifyWebhook(body, { ...signed(), 'webhook-id': 'msg_2' }, SECRET)],
    [
      'another time',
      'signature',
      () => verifyWebhook(body, { ...signed(), 'webhook-timestamp': `${Math.floor(nowMs / 1000) - 1}` }, SECRET),
    ],
    [
      'a body that was written again',
      'signature',
      () => verifyWebhook(JSON.stringify(message, null, 1), signed(), SECRET),
    ],
    [
      'half a signature',
      'signature',
      () =>
        verifyWebhook(body, { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(0, 20) }, SECRET),
    ],
    [
      'more than a signature',
      'signature',
      () =>
        verifyWebhook(
          body,
          {
            ...signed(),
            'webhook-signature': `v1,${Buffer.concat([Buffer.from(signed()['webhook-signature']!.slice(3), 'base64'), Buffer.of(0)]).toString('base64')}`,
          },
          SECRET,
        ),
    ],
    [
      'a signature that is another text of the same bytes',
      'signature',
      () =>
        verifyWebhook(
          body,
          { ...signed(), 'webhook-signature': otherTextOfTheSameBytes(signed()['webhook-signature']!) },
          SECRET,
        ),
    ],
    [
      'a signature without its version',
      'signature',
      () => verifyWebhook(body, { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(3) }, SECRET),
    ],
    [
      'a signature that is no base64',
      'signature',
      () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,%%%' }, SECRET),
    ],
    [
      'a signature of nothing',
      'signature',
      () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,' }, SECRET),
    ],
    ['a body that is no JSON', 'body', () => verifyWebhook('{', signed('{'), SECRET)],
    ['a body that is no message', 'body', () => verifyWebhook('null', signed('null'), SECRET)],
  ])('is not believed, with a typed error: %s', async (_, check, verify) => {
    const error = await caught(verify());
    expect(error).toBeInstanceOf(InvalidWebhookError);
    expect(error).toMatchObject({ name: 'InvalidWebhookError', check, retriable: false });
    expect(error.message).not.toContain(SECRET.slice(6));
  });

  test('in bytes that are no UTF-8 is not believed, though it is signed', async () => {
    const bytes = Buffer.concat([Buffer.from('{"type":"x","data":{"a":"'), Buffer.of(0xff), Buffer.from('"}}')]);
    const at = Math.floor(nowMs / 1000);
    const signature = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(`msg_1.${at}.`)
      .update(bytes)
      .digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${at}`, 'webhook-signature': `v1,${signature}` };
    expect(await caught(verifyWebhook(new Uint8Array(bytes), headers, SECRET))).toMatchObject({ check: 'body' });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a secret that is no base64', () => verifyWebhook(body, signed(), 'whsec_%')],
    ['a secret of nothing', () => verifyWebhook(body, signed(), '')],
    ['a secret that is too short', () => verifyWebhook(body, signed(), `whsec_${Buffer.alloc(23).toString('base64')}`)],
    ['no secret', () => verifyWebhook(body, signed(), [])],
    ['a body that a framework has read as JSON', () => verifyWebhook(message as never, signed(), SECRET)],
  ])('cannot be judged: %s', async (_, verify) => {
    expect(await caught(verify())).toMatchObject({ name: 'InvalidArgumentError' });
  });

  test('is judged as the reference library judges it, whatever is changed', async () => {
    const reference = new Webhook(SECRET);
    const at = fc.nat();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'none'),
        at,
        fc.integer({ min: 33, max: 126 }),
        async (what, place, code) => {
          const headers = signed();
          const altered = (text: string): string =>
            text.slice(0, place % text.length) + String.fromCharCode(code) + text.slice((place % text.length) + 1);
          const payload = what === 'body' ? altered(body) : body;
          if (what in headers) headers[what] = altered(headers[what]!);
          const theirs = (() => {
            try {
              reference.verify(payload, headers);
              return true;
            } catch {
              return false;
            }
          })();
          const ours = await verifyWebhook(payload, headers, SECRET).then(
            () => true,
            () => false,
          );
          expect({ what, ours }).toEqual({ what, ours: theirs });
        },
      ),
      { numRuns: 500 },
    );
  });
});
