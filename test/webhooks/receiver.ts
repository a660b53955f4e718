/**
 * A receiver of webhooks as a process of its own, to be killed: it verifies a message, writes it down, and answers then.
 *
 *   RECEIVER_SECRETS='whsec_... whsec_...' node test/webhooks/receiver.ts PORT FILE
 *
 * FILE gets the id of each message; FILE.messages the first few whole, with the secret that verified them.
 */
import { appendFileSync } from 'node:fs';
import http from 'node:http';
import { Webhook } from 'standardwebhooks';

const WHOLE_MESSAGES_MAX = 40;

const [port = '', file = ''] = process.argv.slice(2);
const secrets = (process.env['RECEIVER_SECRETS'] ?? '').split(' ');
let whole = 0;

http
  .createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request.headers[name])]),
      );
      for (const secret of secrets) {
        // Throws, and ends this process, when it does not verify: the run then fails.
        new Webhook(secret).verify(body, headers);
        if (whole++ < WHOLE_MESSAGES_MAX)
          appendFileSync(`${file}.messages`, `${JSON.stringify({ secret, headers, body })}\n`);
      }
      appendFileSync(file, `${headers['webhook-id']}\n`);
      response.writeHead(204).end();
    });
  })
  .listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
