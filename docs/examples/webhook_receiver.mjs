/**
 * A receiver of webhooks with what Node.js brings alone: it believes a message only with a signature, keeps it before it answers, and keeps each once.
 *
 *   WEBHOOK_SECRET='whsec_...' node webhook_receiver.mjs     (during a rotation both secrets, with a space between them)
 *
 * Kept messages are lines of JSON in MESSAGES_FILE; another program does the work from there, in the order of `id`. What is answered with anything
 * but 2xx, or not within the service's time, comes again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', MESSAGES_FILE = 'messages.jsonl', PORT = '0' } = process.env;
/** A message is older or newer than this only when someone recorded it, or when a clock is wrong. */
const TOLERANCE_S = 300;
/** Far above the largest message. */
const BODY_BYTES_MAX = 65_536;

const secrets = WEBHOOK_SECRET.split(' ').map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
if (secrets.some((secret) => secret.length < 24)) throw new Error('WEBHOOK_SECRET must be whsec_ and base64');

const kept = new Set(existsSync(MESSAGES_FILE) ? readFileSync(MESSAGES_FILE, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line).id) : []);
const file = openSync(MESSAGES_FILE, 'a');

function isSigned(body, headers) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest());
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []));
  return expected.some((one) => given.some((other) => one.length === other.length && timingSafeEqual(one, other)));
}

async function receive(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return 413;
    chunks.push(chunk);
  }
  // The bytes as they arrived: JSON that was read and written again has other ones.
  const body = Buffer.concat(chunks);
  if (!isSigned(body, request.headers)) return 400;
  const message = JSON.parse(body);
  if (!kept.has(message.id)) {
    // On disk before the answer: after 2xx it never comes again.
    writeSync(file, `${JSON.stringify(message)}\n`);
    fsyncSync(file);
    kept.add(message.id);
    process.stdout.write(`${message.id} ${message.type} ${message.data.transaction?.txHash ?? ''}\n`);
  }
  return 204;
}

const server = createServer(async (request, response) => {
  const status = request.method === 'POST' ? await receive(request).catch(() => 400) : 405;
  response.writeHead(status).end();
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`));
process.on('SIGTERM', () => {
  closeSync(file);
  process.exit(0);
});
