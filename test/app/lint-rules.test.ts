import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';

/**
 * The lint rules guard the product, so here something guards the lint rules: every rule is broken on purpose in a
 * copy of the configuration over a tiny tree, and must say so. The same tree without the faults must be clean.
 */

interface Fault {
  /** The file that breaks the rule. */
  file: string;
  source: string;
  rule: string;
}

/** What the faults import, innocent by itself. */
const INNOCENT: Record<string, string> = {
  'server/ledger/index.ts':
    "import { hash } from 'node:crypto';\nexport const digest = (text: string): string => hash('sha256', text);\n",
  'server/engine/port.ts': "import type { digest } from '../ledger/index.ts';\nexport type Digest = typeof digest;\n",
  'server/engine/ports.ts': 'export interface Clock { nowMs(): number }\n',
  'server/engine/embedded/engine.ts':
    "import type { Clock } from '../ports.ts';\nexport const at = (clock: Clock): Date => new Date(clock.nowMs());\n",
  'server/engine/embedded/disk.ts': "import { openSync } from 'node:fs';\nexport const open = openSync;\n",
  'server/engine/cometbft/engine.ts': "export { open } from '../sqlite/database.ts';\n",
  'server/engine/cometbft/nodes/socket-port.ts': "import { connect } from 'node:net';\nexport const c = connect;\n",
  'server/engine/sqlite/database.ts':
    "import Database from 'better-sqlite3';\nexport const open = (path: string): Database.Database => new Database(path);\n",
  'server/store/index.ts':
    "import Database from 'better-sqlite3';\nexport const open = (path: string): Database.Database => new Database(path);\n",
  'server/store/queries/transfer-row.ts': "import { sql } from 'kysely';\nexport const selectTransfers = sql;\n",
  'server/gateway/index.ts':
    "export { open } from '../store/index.ts';\nexport type { Clock } from '../engine/ports.ts';\nexport { digest } from '../ledger/index.ts';\n",
  'server/platform/sentence.ts': 'export type Sentence = string;\n',
  'server/http/index.ts':
    "export type { Clock } from '../gateway/index.ts';\nexport type { Sentence } from '../platform/sentence.ts';\n",
  'server/http/explorer/src/dom.ts': 'export const x = 1;\n',
  'server/app/boot.ts':
    "import '../http/index.ts';\nimport '../store/index.ts';\nimport '../engine/embedded/engine.ts';\n",
  'client/src/index.ts': 'export const client = 1;\n',
  'client/src/testing/index.ts': "export { digest as createTestLedger } from '../../../server/ledger/index.ts';\n",
  'scripts/tool.ts': 'export const tool = 1;\n',
};

const IMPORT_FAULTS: readonly Fault[] = [
  { rule: 'no-cycle', file: 'server/http/cycle.ts', source: "import './cycle.ts';\n" },
  { rule: 'resolvable', file: 'server/http/lost.ts', source: "import './nowhere.ts';\n" },
  {
    rule: 'ledger-alone',
    file: 'server/ledger/to-engine.ts',
    source: "import type { Clock } from '../engine/ports.ts';\nexport type X = Clock;\n",
  },
  {
    rule: 'ledger-pure',
    file: 'server/ledger/to-disk.ts',
    source: "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
  },
  {
    rule: 'ledger-pure',
    file: 'server/ledger/to-timers.ts',
    source: "import { setTimeout } from 'timers';\nexport const wait = setTimeout;\n",
  },
  {
    rule: 'ledger-pure',
    file: 'server/ledger/by-the-back-door.ts',
    source: "export const net = process.getBuiltinModule('node:net');\n",
  },
  {
    rule: 'ledger-libraries',
    file: 'server/ledger/to-express.ts',
    source: "import express from 'express';\nexport const app = express;\n",
  },
  {
    rule: 'log-keeps-bytes',
    file: 'server/log/to-gateway.ts',
    source: "import { digest } from '../gateway/index.ts';\nexport const d = digest;\n",
  },
  {
    rule: 'platform-alone',
    file: 'server/platform/to-engine.ts',
    source: "import type { Clock } from '../engine/ports.ts';\nexport type X = Clock;\n",
  },
  {
    rule: 'engine-on-ledger',
    file: 'server/engine/to-gateway.ts',
    source: "import { digest } from '../gateway/index.ts';\nexport const d = digest;\n",
  },
  {
    rule: 'engines-apart',
    file: 'server/engine/cometbft/to-embedded.ts',
    source: "import { at } from '../embedded/engine.ts';\nexport const x = at;\n",
  },
  {
    rule: 'engines-apart',
    file: 'server/engine/embedded/to-cometbft.ts',
    source: "import { open } from '../cometbft/engine.ts';\nexport const x = open;\n",
  },
  {
    rule: 'engines-apart',
    file: 'server/engine/cometbft/app/to-embedded.ts',
    source: "import type { at } from '../../embedded/engine.ts';\nexport type X = typeof at;\n",
  },
  {
    rule: 'shared-below-engines',
    file: 'server/engine/rpc/to-embedded.ts',
    source: "import { at } from '../embedded/engine.ts';\nexport const x = at;\n",
  },
  {
    rule: 'shared-below-engines',
    file: 'server/engine/to-cometbft.ts',
    source: "import { open } from './cometbft/engine.ts';\nexport const x = open;\n",
  },
  {
    rule: 'store-below-gateway',
    file: 'server/store/to-http.ts',
    source: "import type { Clock } from '../http/index.ts';\nexport type X = Clock;\n",
  },
  {
    rule: 'embedded-by-the-driver',
    file: 'server/store/embedded/to-queries.ts',
    source: "import { selectTransfers } from '../queries/transfer-row.ts';\nexport const x = selectTransfers;\n",
  },
  {
    rule: 'embedded-by-the-driver',
    file: 'server/store/embedded/to-builder.ts',
    source: "import { sql } from 'kysely';\nexport const x = sql;\n",
  },
  {
    rule: 'gateway-through-ports',
    file: 'server/gateway/to-engine.ts',
    source: "import { at } from '../engine/embedded/engine.ts';\nexport const x = at;\n",
  },
  {
    rule: 'gateway-through-ports',
    file: 'server/gateway/to-http.ts',
    source: "import type { Clock } from '../http/index.ts';\nexport type X = Clock;\n",
  },
  {
    rule: 'http-on-gateway',
    file: 'server/http/to-store.ts',
    source: "import { open } from '../store/index.ts';\nexport const x = open;\n",
  },
  {
    rule: 'http-on-gateway',
    file: 'server/http/to-engine.ts',
    source: "import { at } from '../engine/embedded/engine.ts';\nexport const x = at;\n",
  },
  {
    rule: 'validator-by-its-front-door',
    file: 'server/http/to-inside.ts',
    source:
      "import { augmentAjvErrors } from 'express-openapi-validator/dist/middlewares/util.js';\nexport const x = augmentAjvErrors;\n",
  },
  {
    rule: 'explorer-in-the-browser',
    file: 'server/http/explorer/src/to-gateway.ts',
    source: "import type { Clock } from '../../../gateway/index.ts';\nexport type X = Clock;\n",
  },
  {
    rule: 'explorer-in-the-browser',
    file: 'server/http/explorer/src/to-testing.ts',
    source:
      "import { createTestLedger } from '../../../../client/src/testing/index.ts';\nexport const x = createTestLedger;\n",
  },
  {
    rule: 'explorer-is-built',
    file: 'server/http/explorer/to-sources.ts',
    source: "import { x } from './src/dom.ts';\nexport const y = x;\n",
  },
  { rule: 'composition-root-on-top', file: 'server/http/to-boot.ts', source: "import '../app/boot.ts';\n" },
  {
    rule: 'client-alone',
    file: 'client/src/to-server.ts',
    source: "import { digest } from '../../server/ledger/index.ts';\nexport const d = digest;\n",
  },
  {
    rule: 'client-testing-on-rules',
    file: 'client/src/testing/to-engine.ts',
    source: "import { at } from '../../../server/engine/embedded/engine.ts';\nexport const x = at;\n",
  },
  {
    rule: 'client-without-testing',
    file: 'client/src/to-testing.ts',
    source: "import { createTestLedger } from './testing/index.ts';\nexport const x = createTestLedger;\n",
  },
  {
    rule: 'product-without-tests',
    file: 'server/app/to-scripts.ts',
    source: "import { tool } from '../../scripts/tool.ts';\nexport const t = tool;\n",
  },
  {
    rule: 'logic-without-io',
    file: 'server/gateway/to-timers.ts',
    source: "import { setTimeout } from 'node:timers/promises';\nexport const wait = setTimeout;\n",
  },
  {
    rule: 'logic-without-io',
    file: 'server/engine/embedded/to-net.ts',
    source: "import { connect } from 'node:net';\nexport const c = connect;\n",
  },
  {
    rule: 'logic-without-io',
    file: 'server/engine/cometbft/nodes/to-net.ts',
    source: "import { connect } from 'node:net';\nexport const c = connect;\n",
  },
  {
    rule: 'logic-without-database',
    file: 'server/http/to-sqlite.ts',
    source: "import Database from 'better-sqlite3';\nexport const x = Database;\n",
  },
];

const CLOCK_FAULTS: readonly Fault[] = ['ledger', 'gateway', 'engine'].flatMap((part) =>
  [
    ['eslint(no-restricted-properties)', 'date-now', 'export const t = Date.now();\n'],
    ['txledger(no-argless-date)', 'new-date', 'export const t = new Date();\n'],
    ['txledger(no-argless-date)', 'date-call', 'export const t = Date();\n'],
    ['eslint(no-restricted-properties)', 'chance', 'export const t = Math.random();\n'],
    ['eslint(no-restricted-properties)', 'global', 'export const t = globalThis.setTimeout;\n'],
    ['eslint(no-restricted-globals)', 'timeout', 'setTimeout(() => undefined, 1);\n'],
    ['eslint(no-restricted-globals)', 'interval', 'setInterval(() => undefined, 1);\n'],
    ['eslint(no-restricted-globals)', 'process', 'export const t = process.env;\n'],
    ['eslint(no-restricted-globals)', 'performance', 'export const t = performance.now();\n'],
    ['eslint(no-restricted-globals)', 'fetch', "export const t = fetch('http://localhost');\n"],
    [
      'eslint(no-restricted-imports)',
      'random-bytes',
      "import { randomBytes } from 'node:crypto';\nexport const t = randomBytes(1);\n",
    ],
  ].map(([rule = '', name = '', source = '']) => ({ rule, file: `server/${part}/${name}.ts`, source })),
);

let folder: string;

/** Runs a linter in the temporary tree. @returns its standard output, whatever its exit code. */
function lint(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: folder, maxBuffer: 1 << 24 }, (_error, stdout) => resolve(stdout));
  });
}

async function plant(files: Record<string, string>): Promise<void> {
  for (const [file, source] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), source);
  }
}

/** @returns `rule file` of each import that breaks a rule. */
async function brokenImports(): Promise<Set<string>> {
  const output = await lint([
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'server',
    'client',
    'scripts',
  ]);
  const report = JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return new Set(report.summary.violations.map(({ from, rule }) => `${rule.name} ${from}`));
}

/** @returns `rule file` of each finding of oxlint. */
async function findings(): Promise<Set<string>> {
  const output = await lint(['node_modules/oxlint/bin/oxlint', '--format', 'json']);
  const report = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  return new Set(report.diagnostics.map(({ code, filename }) => `${code} ${filename}`));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'txledger-lint-'));
  for (const file of [
    '.dependency-cruiser.cjs',
    '.oxlintrc.json',
    'tsconfig.json',
    'package.json',
    'scripts/oxlint-plugin.js',
  ]) {
    await cp(path.join(ROOT, file), path.join(folder, file));
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  await plant(INNOCENT);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the lint rules', () => {
  test('accept a tree whose imports all point the right way, clock and disk reached through ports', async () => {
    expect([...(await brokenImports())]).toEqual([]);
    expect([...(await findings())]).toEqual([]);
  });

  test('name every import that points the wrong way, with the rule it breaks', async () => {
    await plant(Object.fromEntries(IMPORT_FAULTS.map(({ file, source }) => [file, source])));
    const broken = await brokenImports();
    const silent = IMPORT_FAULTS.filter(({ rule, file }) => !broken.has(`${rule} ${file}`));
    expect(silent).toEqual([]);
  });

  test('name every use of clock, timers, process, network and chance in ledger, gateway and engine', async () => {
    await plant(Object.fromEntries(CLOCK_FAULTS.map(({ file, source }) => [file, source])));
    const found = await findings();
    const silent = CLOCK_FAULTS.filter(({ rule, file }) => !found.has(`${rule} ${file}`));
    expect(silent).toEqual([]);
  });

  test('are all broken by some fault above, so that a new rule cannot arrive unproved', async () => {
    const module = (await import(path.join(ROOT, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const rules = new Set(module.default.forbidden.map(({ name }) => name));
    expect(rules).toEqual(new Set(IMPORT_FAULTS.map(({ rule }) => rule)));
  });
});
