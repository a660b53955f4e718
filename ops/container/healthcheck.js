/** HEALTHCHECK of the image: whether /livez answers 200. Its own file, because the image has no shell and no curl. */
import { request as http } from 'node:http';
import { request as https } from 'node:https';

const { HOST = '127.0.0.1', PORT = '8080', TLS_CERT_FILE } = process.env;
const EVERY_ADDRESS = ['0.0.0.0', '::'];
const TIMEOUT_MS = 3_000;

const ask = TLS_CERT_FILE === undefined ? http : https;
// The certificate names the service and not this address; the connection does not leave the machine.
const options = {
  host: EVERY_ADDRESS.includes(HOST) ? '127.0.0.1' : HOST,
  port: Number(PORT),
  path: '/livez',
  timeout: TIMEOUT_MS,
  rejectUnauthorized: false,
};
const asked = ask(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
asked.on('error', () => process.exit(1));
asked.on('timeout', () => process.exit(1));
asked.end();
