/**
 * Clients that stock generators make from the contract: each is generated without a complaint that is on no list, compiled strictly, and does
 * a partner's main job against a development server: sign with the means of its own language, pay and wait, read, list by cursor, cancel, and
 * understand a typed error. Then each does the same against answers of a later version (support/later.ts), whose statuses, codes and events it does
 * not know: it has to give them as text, and a problem as a problem.
 *
 *   node test/clients/run.ts                  all
 *   node test/clients/run.ts hey-api kubb     some
 *
 * Two generators at a time; what one printed appears when it is done. Needs Java 17 with Maven, Python 3, Go, cargo, PHP with mbstring and
 * Guzzle, and Ruby with Typhoeus (Debian's packages); brings the
 * generators itself (support/tools.ts). Ends with a table.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { generator as datamodelCodeGenerator } from './datamodel-code-generator/generator.ts';
import { generator as heyApi } from './hey-api/generator.ts';
import { generator as kubb } from './kubb/generator.ts';
import { generator as oapiCodegen } from './oapi-codegen/generator.ts';
import { generator as ogen } from './ogen/generator.ts';
import { generator as openapiGeneratorGo } from './openapi-generator-go/generator.ts';
import { generator as openapiGeneratorJava } from './openapi-generator-java/generator.ts';
import { generator as openapiGeneratorPhp } from './openapi-generator-php/generator.ts';
import { generator as openapiGeneratorPython } from './openapi-generator-python/generator.ts';
import { generator as openapiGeneratorRuby } from './openapi-generator-ruby/generator.ts';
import { generator as openapiGeneratorRust } from './openapi-generator-rust/generator.ts';
import { generator as openapiGeneratorTypescriptAxios } from './openapi-generator-typescript-axios/generator.ts';
import { generator as openapiGeneratorTypescriptFetch } from './openapi-generator-typescript-fetch/generator.ts';
import { generator as openapiPythonClient } from './openapi-python-client/generator.ts';
import { generator as orval } from './orval/generator.ts';
import { assertExpected, assertStillSaid, type Generator } from './support/generator.ts';
import { startLater } from './support/later.ts';
import { Tools } from './support/tools.ts';
import type { Proxy } from '../conformance/matrix/proxy.ts';

/** Rust, whose dependencies take longest to compile, begins first. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-generator-rust': openapiGeneratorRust,
  'openapi-generator-python': openapiGeneratorPython,
  'openapi-generator-typescript-fetch': openapiGeneratorTypescriptFetch,
  'openapi-generator-typescript-axios': openapiGeneratorTypescriptAxios,
  'openapi-generator-java': openapiGeneratorJava,
  'openapi-generator-php': openapiGeneratorPhp,
  'openapi-generator-ruby': openapiGeneratorRuby,
  'openapi-generator-go': openapiGeneratorGo,
  'openapi-python-client': openapiPythonClient,
  'oapi-codegen': oapiCodegen,
  ogen,
  'hey-api': heyApi,
  orval,
  kubb,
  'datamodel-code-generator': datamodelCodeGenerator,
};

const AT_ONCE = 2;
const FAILURE_LENGTH_MAX = 8_000;

interface Row {
  generator: string;
  contract: string;
  generated: string;
  compiled: string;
  job: string;
  /** The job against answers of a later version. */
  later: string;
}

/** Does the three steps, and tells the first that fails. The row says how far it came. */
async function check(
  name: string,
  generator: Generator,
  scratch: string,
  developmentFiles: { now: string; later: string },
  tools: Tools,
): Promise<Row> {
  const folder = path.join(scratch, name);
  await mkdir(folder);
  const place = {
    contract: path.join(ROOT, 'generated', generator.contract),
    folder,
    developmentFile: developmentFiles.now,
    tools,
  };
  const row: Row = {
    generator: generator.name,
    contract: generator.contract,
    generated: '-',
    compiled: '-',
    job: '-',
    later: '-',
  };
  const log = [name];
  try {
    const complaints: string[] = [];
    row.generated = 'failed';
    const generated = await timed('  generate', log, async () =>
      complaints.push(...(await generator.generate(place)).complaints),
    );
    assertExpected(complaints, generator.expected);
    row.generated = generated;
    row.compiled = 'failed';
    const compiled = await timed('  compile', log, async () =>
      complaints.push(...(await generator.compile(place)).complaints),
    );
    assertExpected(complaints, generator.expected);
    assertStillSaid(complaints, generator.expected);
    row.compiled = `${compiled} ${generator.strictness}`;
    const { job } = generator;
    if (job !== undefined) {
      row.job = 'failed';
      row.job = await alone(() => timed('  job', log, async () => log.push((await job(place)).trimEnd())));
      row.later = 'failed';
      const later = { ...place, developmentFile: developmentFiles.later };
      row.later = await alone(() => timed('  job, later', log, async () => log.push((await job(later)).trimEnd())));
    }
  } catch (error) {
    // The end of what was printed: some generators tell one fault on thousands of lines.
    log.push((error as Error).message.slice(-FAILURE_LENGTH_MAX));
    process.exitCode = 1;
  }
  console.log(log.join('\n'));
  return row;
}

let lastJob: Promise<unknown> = Promise.resolve();

/** The jobs pay from one account, so each has its nonces to itself. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const result = lastJob.then(work);
  lastJob = result.catch(() => undefined);
  return result;
}

async function timed(name: string, log: string[], work: () => Promise<unknown>): Promise<string> {
  const startedMs = performance.now();
  await work();
  const seconds = `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
  log.push(`${name} (${seconds})`);
  return seconds;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => GENERATORS[name] === undefined);
if (unknown.length > 0)
  throw new Error(`there is no generator ${unknown.join(', ')}: ${Object.keys(GENERATORS).join(', ')}`);

const startedMs = performance.now();
const scratch = await mkdtemp(path.join(tmpdir(), 'txledger-clients-'));
const toolsFolder = process.env['CLIENT_TOOLS'] ?? path.join(scratch, 'tools');
await mkdir(toolsFolder, { recursive: true });
const tools = new Tools(toolsFolder);
const dataDir = path.join(scratch, 'data');
const server = new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '200' } });
const developmentFiles = { now: path.join(dataDir, 'dev.json'), later: path.join(scratch, 'later.json') };
let proxy: Proxy | undefined;
const rows: Row[] = [];
const waiting = Object.entries(GENERATORS).filter(([name]) => chosen.length === 0 || chosen.includes(name));

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, generator] = next;
    rows.push(await check(name, generator, scratch, developmentFiles, tools));
  }
}

try {
  await mkdir(dataDir);
  await server.start();
  proxy = await startLater(developmentFiles.now, developmentFiles.later);
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await proxy?.close();
  await server.stop('SIGKILL');
  await rm(scratch, { recursive: true, force: true });
}
console.log(`\n| Generator | Contract | Generated | Compiled | Main job | Later answers |\n|---|---|---|---|---|---|`);
const order = Object.values(GENERATORS).map(({ name }) => name);
rows.sort((a, b) => order.indexOf(a.generator) - order.indexOf(b.generator));
for (const { generator, contract, generated, compiled, job, later } of rows)
  console.log(`| ${generator} | ${contract} | ${generated} | ${compiled} | ${job} | ${later} |`);
console.log(
  `\n${rows.length} generators in ${((performance.now() - startedMs) / 1000).toFixed(0)} s, what they need included`,
);
