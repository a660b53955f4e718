/** docs/examples/checkout.mjs as its reader runs it: processes on one database, and a network between them and the ledger that a test controls. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../../scripts/steps.ts';
import { endChild } from '../../support/child-process.ts';
import { call, environment, type Answer } from './server.ts';

/** What becomes of a request of a shop: it passes, it never arrives, or it takes effect and its answer is lost. */
export type Fate = 'passes' | 'never arrives' | 'answer lost';

/** Between shops and ledger. `fateOf` is asked before each request that changes something. */
export class Network {
  fateOf: (body: string) => Fate = () => 'passes';
  readonly #ledgerUrl: string;
  readonly #server: Server;

  constructor(ledgerUrl: string) {
    this.#ledgerUrl = ledgerUrl;
    this.#server = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      const fate = request.method === 'POST' ? this.fateOf(body) : 'passes';
      if (fate === 'never arrives') return void response.destroy();
      const { method = 'GET', headers } = request;
      const answer = await fetch(this.#ledgerUrl + request.url, {
        method,
        headers: {
          connection: 'close',
          authorization: headers.authorization ?? '',
          'content-type': 'application/json',
        },
        ...(body && { body }),
      }).catch(() => undefined);
      if (answer === undefined || fate === 'answer lost') return void response.destroy();
      response
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        .end(await answer.text());
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A folder with the example and the client package beside it, as an install leaves them. */
export function installShop(folder: string): string {
  const shop = path.join(folder, 'checkout.mjs');
  const client = path.join(folder, 'node_modules/@transaction-ledger/client');
  mkdirSync(client, { recursive: true });
  copyFileSync(path.join(ROOT, 'docs/examples/checkout.mjs'), shop);
  writeFileSync(path.join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(
    path.join(client, 'index.js'),
    `export * from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'client/src/index.ts')).href)};\n`,
  );
  return shop;
}

export class Shop {
  readonly #file: string;
  readonly #variables: Record<string, string>;
  #child: ChildProcess | undefined;
  #url = '';
  errors = '';

  constructor(file: string, variables: Record<string, string>) {
    this.#file = file;
    this.#variables = variables;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', this.#file], {
      cwd: path.dirname(this.#file),
      env: environment(this.#variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.#url = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      child.once('close', () => reject(new Error(`the shop ended before it listened: ${this.errors}`)));
    });
  }

  /** At once, as a power cut does. */
  kill(): Promise<number | null> {
    return endChild(this.#child, 'SIGKILL');
  }

  order(id: string, amount: number): Promise<Answer> {
    return call(`${this.#url}/orders/${id}`, { method: 'PUT', body: `${amount}` });
  }

  /** Undefined when the shop is gone before it answers. */
  click(id: string): Promise<Answer | undefined> {
    return call(`${this.#url}/orders/${id}/pay`, { method: 'POST' }).catch(() => undefined);
  }
}
