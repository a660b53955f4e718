/**
 * `npm run generate` makes generated/ from spec/: the contract bundled into one document, as YAML and as JSON,
 * the TypeScript types of its operations and schemas, the functions that validate requests of the hot ones, the rendition for generators of
 * clients, its changelog as a feed, and /llms.txt; the page of `txledger --help` (scripts/cli-help.ts); and the explorer from its sources
 * (scripts/explorer.ts). `--check` makes them in a temporary folder instead and fails with the names of the files that differ from those
 * committed.
 *
 * The catalogue of problems is in a file of its own for code that needs no more of the contract. The YAML bundle is the one source of the
 * other files, so that they cannot contradict each other.
 * Nothing here depends on the clock, the machine or the order of a directory: the same spec/ gives the same
 * bytes.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import openapiTypescript, { astToString, stringToAST } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import type { TypeAliasDeclaration, TypeNode } from 'typescript';
import { parse } from 'yaml';
import { cliHelp } from './cli-help.ts';
import { changelogFeed } from './contract/changelog-feed.ts';
import { clientRendition } from './contract/client-rendition.ts';
import { llmsTxt, type Contract } from './contract/llms-txt.ts';
import { validators } from './contract/validators.ts';
import { codesByOperation } from '../server/http/contract/answered.ts';
import type { OpenapiDocument } from '../server/http/contract/bundle.ts';
import { readOperations } from '../server/http/contract/operations.ts';
import { keepKnownKinds } from './contract/known-kinds.ts';
import { buildExplorer, EXPLORER_FILES } from './explorer.ts';

/** The files of generated/, in the order in which they are made. */
export const GENERATED_FILES = [
  'openapi.yaml',
  'openapi.json',
  'openapi.client.json',
  'openapi.ts',
  'problems.ts',
  'request-headers.ts',
  'validators.ts',
  'changelog.atom',
  'llms.txt',
  'cli-help.json',
  ...EXPLORER_FILES,
] as const;

const NOTICE = 'Made from spec/ by `npm run generate`. Do not edit: change spec/ and generate again.';

const repository = dirname(import.meta.dirname);

/**
 * Makes every file of {@link GENERATED_FILES} in `outputFolder` from the contract at `specFile`.
 * Throws with redocly's own message when the contract cannot be bundled.
 */
export async function generate(specFile: string, outputFolder: string): Promise<void> {
  mkdirSync(join(outputFolder, 'explorer'), { recursive: true });
  const yaml = bundle(specFile);
  const document: OpenAPI3 = parse(yaml);
  const folder = dirname(specFile);
  // A separate copy that is rewritten: server and client are compiled against the kinds of this version only.
  const known = structuredClone(document);
  keepKnownKinds(known);
  const types = astToString(await openapiTypescript(known, { transform: listedValues }));
  const contents: Record<(typeof GENERATED_FILES)[number], string> = {
    ...(await buildExplorer()),
    'openapi.yaml': `# ${NOTICE}\n${yaml}`,
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'openapi.client.json': `${JSON.stringify(clientRendition(document), null, 2)}\n`,
    'openapi.ts': `/** ${NOTICE} */\n\n${types}`,
    'cli-help.json': `${JSON.stringify(await cliHelp(), null, 2)}\n`,
    'changelog.atom': changelogFeed(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')),
    'llms.txt': llmsTxt(
      document as unknown as Contract,
      JSON.parse(readFileSync(join(folder, 'vectors', 'signing-vectors.json'), 'utf8'))[0],
    ),
    'validators.ts': await validators(structuredClone(document) as never, NOTICE),
    'problems.ts': `/** ${NOTICE} */\n\nexport const CONTRACT_VERSION = ${JSON.stringify(document.info.version)};\n\nexport const PROBLEMS = ${problemsOf(document)} as const;\n\n${codesOf(document)}`,
    'request-headers.ts': `/** ${NOTICE} */\n\nexport const REQUEST_HEADERS = ${JSON.stringify(requestHeadersOf(document), null, 2)} as const;\n`,
  };
  for (const file of GENERATED_FILES) {
    writeFileSync(join(outputFolder, file), contents[file]);
  }
}

/** Returns those of {@link GENERATED_FILES} that differ in bytes between two folders; a missing file differs. */
export function differingFiles(folderA: string, folderB: string): string[] {
  return GENERATED_FILES.filter((file) => readOrNothing(join(folderA, file)) !== readOrNothing(join(folderB, file)));
}

/**
 * A list that may grow (`x-extensible-enum`), as a type: the values of this version, so that the server and our client are checked
 * against each of them. Generators without support for the keyword make it text, so that their clients accept the values of later versions.
 */
function listedValues(schema: object): TypeNode | undefined {
  const known = (schema as { 'x-extensible-enum'?: string[] })['x-extensible-enum'];
  if (known === undefined) return undefined;
  const [alias] = stringToAST(
    `type T = ${known.map((value) => JSON.stringify(value)).join(' | ')};`,
  ) as TypeAliasDeclaration[];
  return alias?.type;
}

/** Every request header that the contract declares: parameters, and the headers of tokens and bodies. */
function requestHeadersOf(document: OpenAPI3): string[] {
  const declared = readOperations(document as unknown as OpenapiDocument).flatMap(({ headers, schemes, body }) => [
    ...headers,
    ...(schemes.length > 0 ? ['Authorization'] : []),
    ...(body ? ['Content-Type'] : []),
  ]);
  return [...new Set(declared)].toSorted();
}

/** Status, title and `retriable` of each code. */
function problemsOf(document: OpenAPI3): string {
  const schema = document.components?.schemas?.ProblemCode as unknown as {
    'x-problems': Record<string, { status: number; title: string; retriable: boolean }>;
  };
  const entries = Object.entries(schema['x-problems']).map(([code, { status, title, retriable }]) => [
    code,
    { status, title, retriable },
  ]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

/** The codes that each operation can answer, as a type. One function answers those of the RPC, from the catalogue. */
function codesOf(document: OpenAPI3): string {
  const members = [...codesByOperation(document as unknown as OpenapiDocument)]
    .filter(([id]) => !/^(?:callRpc$|getRpc|postRpc)/.test(id))
    .map(([id, codes]) => `  ${id}: ${[...codes].map((code) => JSON.stringify(code)).join(' | ')};\n`);
  return `/** Every code that an operation can answer, whether its answers list it or leave it to \`default\`. */\nexport interface OperationProblems {\n${members.join('')}}\n`;
}

/** Resolves every `$ref` to a file and returns the one document as YAML text. */
function bundle(specFile: string): string {
  // Redocly's command, not its library: the library that other packages bring along is of an older major version.
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
  const folder = mkdtempSync(join(tmpdir(), 'openapi-bundle-'));
  try {
    const output = join(folder, 'openapi.yaml');
    const args = ['bundle', specFile, '--config', join(repository, 'redocly.yaml'), '--output', output];
    const { status, stderr } = spawnSync(process.execPath, [redocly, ...args], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    if (status !== 0) {
      throw new Error(`redocly bundle ${specFile} failed:\n${stderr}`);
    }
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const specFile = join(repository, 'spec', 'openapi.yaml');
  const committed = join(repository, 'generated');
  if (!values.check) {
    await generate(specFile, committed);
    return;
  }
  const fresh = mkdtempSync(join(tmpdir(), 'openapi-generated-'));
  try {
    await generate(specFile, fresh);
    const differing = differingFiles(committed, fresh);
    for (const file of differing) {
      console.error(`generated/${file} is not what its sources give: run \`npm run generate\` and commit it.`);
    }
    process.exitCode = differing.length === 0 ? 0 : 1;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await main();
}
