/**
 * ops/compose: the scripts make what the files need, the loader of Docker Compose takes the files, every file that they mount is there, every setting of a
 * node exists in its config.toml, and every server of theirs has a configuration that it starts with.
 *
 *   COMPOSE_GO=FILE COMETBFT=FILE node test/compose/run.ts
 *
 * COMPOSE_GO is `go install github.com/compose-spec/compose-go/v2/cmd@v2.9.0`, the loader without an engine. No container runs here; what is in the
 * image is run by test/container, and a network of the same parts by test/localnet.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/steps.ts';
import { readConfig } from '../../server/app/config.ts';
import { describeFaults } from '../../server/app/config-reader.ts';

const COMPOSE_GO = process.env['COMPOSE_GO'] ?? 'compose-go';
const isRoot = process.getuid?.() === 0;
const IMAGE_UID = 65_532;
/** Two services may be given one file. */
const taken = new Set<string>();
const FOLDER = path.join(ROOT, 'ops/compose');

interface Mount {
  type: string;
  source: string;
  target: string;
}
interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string | null>;
  volumes?: Mount[];
  secrets?: { source: string; target?: string }[];
  ports?: { host_ip?: string }[];
  read_only?: boolean;
  cap_drop?: string[];
  user?: string;
}
interface Project {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
}

function expect(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
  console.log(`ok   ${message}`);
}

/** The loader reads no environment; `${NAME}`, `${NAME:-default}` and `${NAME:?message}` are put in here, as Compose does. */
function interpolated(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, otherwise: string | undefined) => {
    const value = values[name] ?? otherwise;
    if (value === undefined) throw new Error(`${name} is not set`);
    return value;
  });
}

function load(name: string, values: Record<string, string>): Project {
  const copy = path.join(scratch, `${name}.yaml`);
  writeFileSync(copy, interpolated(readFileSync(path.join(FOLDER, `${name}.yaml`), 'utf8'), values));
  return parse(
    execFileSync(COMPOSE_GO, [copy], { encoding: 'utf8', cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] }),
  ) as Project;
}

/** What a container of the service sees at the place of a file: of secrets and mounts. */
function fileOf(project: Project, service: Service, place: string): string {
  const secret = service.secrets?.find(
    ({ source, target }) => place === (target?.startsWith('/') === true ? target : `/run/secrets/${target ?? source}`),
  );
  return secret === undefined ? place : (project.secrets[secret.source]?.file ?? place);
}

function checkServers(name: string, project: Project): void {
  for (const [id, service] of Object.entries(project.services)) {
    for (const { type, source } of service.volumes ?? [])
      if (type === 'bind') expect(existsSync(source), `${name}: ${id} mounts ${path.basename(source)}, which is there`);
    for (const { host_ip: address } of service.ports ?? [])
      expect(address === '127.0.0.1', `${name}: ${id} is published on loopback alone`);
    if (service.image !== 'transaction-ledger') continue;
    expect(
      service.read_only === true && service.cap_drop?.join() === 'ALL',
      `${name}: ${id} has a read-only root and no capabilities`,
    );
    const environment = Object.fromEntries(
      Object.entries(service.environment ?? {}).map(([key, value]) => [
        key,
        key.endsWith('_FILE') ? fileOf(project, service, value ?? '') : String(value),
      ]),
    );
    for (const [key, value] of Object.entries(environment)) {
      if (!key.endsWith('_FILE')) continue;
      expect(
        existsSync(value) && (statSync(value).mode & 0o077) === 0,
        `${name}: ${key} of ${id} is a file that only its owner reads`,
      );
    }
    if (service.command?.[0] !== 'serve') continue;
    if (isRoot) {
      for (const file of Object.entries(environment)
        .filter(([key]) => key.endsWith('_FILE'))
        .map(([, value]) => value)) {
        if (taken.has(file)) continue;
        taken.add(file);
        expect(statSync(file).uid === IMAGE_UID, `${name}: ${path.basename(file)} belongs to the user of the image`);
        // From here on it is read as this process, for whom it would be another's.
        chownSync(file, 0, 0);
      }
    }
    const result = readConfig(environment, { mode: 'production', cwd: '/data' });
    expect(
      result.ok,
      result.ok ? `${name}: ${id} has a configuration that it starts with` : describeFaults(result.faults),
    );
  }
}

const scratch = mkdtempSync(path.join(tmpdir(), 'compose-'));
try {
  const single = path.join(scratch, 'single');
  execFileSync(path.join(FOLDER, 'make-single.sh'), [single], { stdio: ['ignore', 'ignore', 'pipe'] });
  checkServers('single', load('single', { LEDGER: single }));

  const network = path.join(scratch, 'network');
  execFileSync(path.join(FOLDER, 'make-network.sh'), [network], { stdio: ['ignore', 'ignore', 'pipe'] });
  const values = Object.fromEntries(
    readFileSync(path.join(network, '.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const project = load('network', values);
  checkServers('network', project);

  const nodes = Object.entries(project.services).filter(([id]) => id.startsWith('node-'));
  expect(nodes.length === 4, 'network: four nodes');
  const toml = readFileSync(path.join(network, 'node-1/config/config.toml'), 'utf8');
  const settings = new Set<string>();
  let section = '';
  for (const line of toml.split('\n')) {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    const key = /^(\w+) = /.exec(line)?.[1];
    if (key !== undefined) settings.add(`CMT_${[section, key].filter(Boolean).join('_').toUpperCase()}`);
  }
  for (const [id, { environment = {} }] of nodes) {
    const unknown = Object.keys(environment).filter((key) => !settings.has(key));
    expect(
      unknown.length === 0,
      `${id}: every setting exists in config.toml${unknown.map((key) => ` (${key} does not)`).join('')}`,
    );
    const peers = String(environment['CMT_P2P_PERSISTENT_PEERS']).split(',');
    expect(
      peers.length === 4 && peers.every((peer) => /^[0-9a-f]{40}@node-[1-4]:26656$/.test(peer)),
      `${id}: knows the four nodes by id and name`,
    );
    const socket = (name: string): string | undefined =>
      project.services[name]?.volumes?.find(({ target }) => target === '/sockets')?.source;
    expect(
      socket(id) !== undefined && socket(id) === socket(id.replace('node', 'app')),
      `${id}: shares its socket with its application alone`,
    );
  }
  const nothing = interpolated('a${X:-b}c', {});
  expect(nothing === 'abc', 'defaults are put in as Compose does');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
