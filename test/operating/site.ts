/** nginx and Caddy with the files of ops/proxy, on loopback and as a user who is not root: only names, ports and certificates are other ones. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/steps.ts';
import type { CertificateFiles } from '../support/certificates.ts';
import { endChild } from '../support/child-process.ts';

/** nobody, in every Debian. */
const NOBODY = 65_534;
const LISTENS_MS_MAX = 10_000;

export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  readonly certificate: CertificateFiles;
  /** A fault that is planted in the file of ops/proxy. */
  readonly plant?: (text: string) => string;
}

/** The replacements that docs/OPERATING.md shows. */
export function nginxSite({ port, upstreamPort, certificate }: Place): string {
  const replacements = [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['ledger.example', 'localhost'],
    ['127.0.0.1:8080;', `127.0.0.1:${upstreamPort};`],
    ['/etc/txledger/tls/fullchain.pem', certificate.cert],
    ['/etc/txledger/tls/privkey.pem', certificate.key],
  ] as const;
  let text = readFileSync(path.join(ROOT, 'ops/proxy/nginx.conf'), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`ops/proxy/nginx.conf does not say ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** What Debian's /etc/nginx/nginx.conf does around a site, within one folder. */
const nginxMain = (
  folder: string,
): string => `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1;
events { worker_connections 512; }
http {
  access_log off; gzip on; gzip_types *;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/site.conf;
}
`;

export class Proxy {
  readonly name: 'nginx' | 'caddy';
  readonly #place: Place;
  #child: ChildProcess | undefined;

  constructor(name: 'nginx' | 'caddy', place: Place) {
    this.name = name;
    this.#place = place;
  }

  async start(): Promise<void> {
    const { folder, port, upstreamPort, certificate, plant = (text: string) => text } = this.#place;
    mkdirSync(folder, { recursive: true });
    let command: readonly string[];
    if (this.name === 'nginx') {
      writeFileSync(path.join(folder, 'site.conf'), plant(nginxSite(this.#place)));
      writeFileSync(path.join(folder, 'nginx.conf'), nginxMain(folder));
      command = ['/usr/sbin/nginx', '-e', 'stderr', '-p', folder, '-c', path.join(folder, 'nginx.conf')];
    } else {
      command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')];
      // The administration of Caddy would listen at a fixed port.
      writeFileSync(
        path.join(folder, 'Caddyfile'),
        `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${plant(readFileSync(path.join(ROOT, 'ops/proxy/Caddyfile'), 'utf8'))}`,
      );
    }
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder, certificate.cert, certificate.key]);
    const variables = {
      LEDGER_SITE: `https://localhost:${port}`,
      LEDGER_TLS: `${certificate.cert} ${certificate.key}`,
      LEDGER_UPSTREAM: `127.0.0.1:${upstreamPort}`,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    const [program = '', ...args] = command;
    let said = '';
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    this.#child = child;
    for (const startMs = performance.now(); performance.now() - startMs < LISTENS_MS_MAX; await sleep(50)) {
      if (child.exitCode !== null) break;
      if (await listens(port)) return;
    }
    await this.stop();
    throw new Error(`${this.name} does not listen:\n${said}`);
  }

  async stop(): Promise<void> {
    await endChild(this.#child, 'SIGTERM');
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
