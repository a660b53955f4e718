/** A real server on a loopback port over the stub gateway, and a client that judges every answer by the contract. */
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Registry } from 'prom-client';

import type { Clock, Logger } from '../../../server/engine/ports.ts';
import { createHttpApp, createHttpServer } from '../../../server/http/index.ts';
import type { Connections, HttpApp, HttpOptions, SharedUses } from '../../../server/http/index.ts';
import type { ContractBundle } from '../../../server/http/contract/bundle.ts';
import { contract as published, contractFaults } from './contract-check.ts';
import type { RpcSockets } from '../../../server/http/rpc/websocket/sockets.ts';
import { StubGateway, TOKEN } from './stub-gateway.ts';

export const realClock: Clock = {
  nowMs: () => Date.now(),
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  monotonicMs: () => performance.now(),
  setTimer: (fn, delayMs) => {
    const timer = setTimeout(fn, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

export interface LogLine {
  level: string;
  fields: Record<string, unknown>;
  message: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body parsed, when it is JSON of any kind. */
  body: any;
}

export interface Ask {
  method?: string;
  path?: string;
  /** undefined: the token with every scope the operations need; null: none. */
  token?: string | null;
  headers?: OutgoingHttpHeaders;
  /** An object is sent as JSON; text and bytes as they are, as application/json unless `headers` says otherwise. */
  body?: object | string | Buffer | undefined;
  /** `METHOD /template` whose contract the answer must fit; undefined derives it from method and path. */
  operation?: string;
  /** Switches the check of the answer off, for pages. */
  unchecked?: boolean;
}

const TEMPLATES = Object.keys(published.document.paths);

export class TestServer {
  readonly gateway = new StubGateway();
  readonly log: LogLine[] = [];
  readonly registry = new Registry();
  readonly server: Server;
  readonly ready: Promise<void>;
  readonly rpcSockets: RpcSockets;
  port = 0;

  readonly connections: Connections;
  readonly eventHub: HttpApp['eventHub'];
  readonly announceEnd: HttpApp['announceEnd'];

  /** `contract`: another than the one of this repository, by which answers are not judged here. */
  constructor(
    options: Partial<HttpOptions> & { requestMsMax?: number; shared?: SharedUses; contract?: ContractBundle } = {},
  ) {
    const { requestMsMax, shared, contract = published, ...overrides } = options;
    const note =
      (level: string) =>
      (fields: object, message: string): void => {
        this.log.push({ level, fields: fields as Record<string, unknown>, message });
      };
    const logger: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    const config: HttpOptions = {
      allowedHosts: ['127.0.0.1', 'ledger.test'],
      corsOrigins: [],
      trustedProxies: [],
      connectionsMax: 1_000,
      connectionsPerAddressMax: 1_000,
      rpcAccess: 'reads',
      websocketsPerClientMax: 20,
      rateLimits: undefined,
      validateResponses: true,
      development: true,
      ...overrides,
    };
    const { app, ready, announceEnd, rpcSockets, eventHub, connections, refusals } = createHttpApp({
      gateway: this.gateway,
      contract,
      config,
      logger,
      clock: realClock,
      metrics: this.registry,
      requestIdPrefix: 'test',
      ...(shared && { shared }),
    });
    this.ready = ready;
    this.rpcSockets = rpcSockets;
    this.connections = connections;
    this.eventHub = eventHub;
    this.announceEnd = announceEnd;
    this.server = createHttpServer(app, {
      contract,
      logger,
      refusals,
      requestIdPrefix: 'test',
      rpcSockets,
      connections,
      publicUrl: config.publicUrl,
      ...(requestMsMax === undefined ? {} : { requestMsMax }),
    });
  }

  async start(): Promise<this> {
    await this.ready;
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  async stop(): Promise<void> {
    this.rpcSockets.close();
    this.rpcSockets.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  async ask(ask: Ask = {}): Promise<Answer> {
    const { method = 'GET', path = '/chain', token = TOKEN, body } = ask;
    const bytes =
      body === undefined
        ? undefined
        : typeof body === 'string' || Buffer.isBuffer(body)
          ? Buffer.from(body as string)
          : Buffer.from(JSON.stringify(body));
    const headers: OutgoingHttpHeaders = {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(bytes === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
      ...ask.headers,
    };
    for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
    const answer = await new Promise<Answer>((resolve, reject) => {
      const outgoing = httpRequest(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: false },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const json = /json/.test(String(incoming.headers['content-type']));
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              body: json && text !== '' ? JSON.parse(text) : undefined,
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
    if (ask.unchecked !== true && method !== 'HEAD' && answer.status !== 204) {
      const faults = contractFaults(
        ask.operation ?? operationOf(method, path),
        answer.status,
        answer.headers,
        Buffer.from(answer.text),
      );
      if (faults.length > 0)
        throw new Error(`${method} ${path} answered ${answer.status} against the contract: ${faults.join('; ')}`);
    }
    return answer;
  }

  submit(body: Ask['body'], headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask({ method: 'POST', path: '/transactions', body, headers });
  }
}

/** The operation that a request reaches, undefined when it reaches none. */
function operationOf(method: string, path: string): string | undefined {
  const plain = path.split('?')[0] ?? '';
  const template = TEMPLATES.find((candidate) =>
    new RegExp(`^${candidate.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(plain),
  );
  if (template === undefined || published.document.paths[template]?.[method.toLowerCase()] === undefined)
    return undefined;
  return `${method} ${template}`;
}
