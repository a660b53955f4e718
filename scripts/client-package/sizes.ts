/** Checks the bytes that the package adds to a page, minified and compressed, against the bounds that the README promises. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Installed, PACKAGE } from './installed.ts';
import { installTools, table } from './tools.ts';

const READS = ['createClient', 'getChain', 'getAccount', 'getTransaction', 'listTransactions', 'eachTransaction'];
const SENDS = [...READS, 'signerFromSeed', 'sendTransfer', 'waitForTransaction', 'cancelTransaction'];

/** In each, except `verifyWebhook` alone, about 1,450 bytes are the client of openapi-fetch (docs/decisions/0135). */
const BUNDLES = [
  { name: 'reads alone', exports: `{ ${READS.join(', ')} }`, gzipBytesMax: 6_000 },
  { name: 'with signing', exports: `{ ${SENDS.join(', ')} }`, gzipBytesMax: 15_000 },
  // About 110 bytes of each are that reads never go back (docs/decisions/0144), about 70 the line of the logger for what is deprecated (0141).
  { name: 'events alone', exports: '{ createClient, events }', gzipBytesMax: 7_600 },
  // A function that receives webhooks may be all that a deployment has.
  { name: 'verifyWebhook alone', exports: '{ verifyWebhook }', gzipBytesMax: 2_000 },
  // 14,149 bytes before events (2,600), webhooks and their nine operations (1,900) and amounts as people write them (1,200) were added; no
  // page needs everything.
  { name: 'everything', exports: '*', gzipBytesMax: 21_000 },
];

export async function bundle({ folder }: Installed, contents: string, format: 'esm' | 'iife'): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format,
    globalName: 'ledger',
    platform: 'browser',
    write: false,
    absWorkingDir: join(folder),
  });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild made no bundle');
  return file.contents;
}

/** Built with Vite for browsers, like an application; the helper that preloads chunks does not count. */
async function bundleWithVite({ folder }: Installed, tools: string, contents: string): Promise<Uint8Array> {
  const input = join(folder, 'vite-entry.js');
  writeFileSync(input, contents);
  const { build: viteBuild } = (await import(
    pathToFileURL(join(tools, 'node_modules/vite/dist/node/index.js')).href
  )) as { build(options: object): Promise<{ output: { code: string }[] }> };
  const { output } = await viteBuild({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  });
  if (output.length !== 1) throw new Error(`Vite made ${output.length} files`);
  return new TextEncoder().encode(output[0]?.code);
}

export async function checkSizes(installed: Installed, scratch: string): Promise<string> {
  const tools = await installTools('bundlers', scratch);
  const rows: [string, string][] = [];
  for (const { name, exports, gzipBytesMax } of BUNDLES) {
    const contents = `export ${exports} from '${PACKAGE}';`;
    const made = {
      esbuild: await bundle(installed, contents, 'esm'),
      Vite: await bundleWithVite(installed, tools, contents),
    };
    for (const [bundler, bytes] of Object.entries(made)) {
      const gzipBytes = gzipSync(bytes, { level: 9 }).length;
      rows.push([
        `${name}, ${bundler}`,
        `${gzipBytes} of ${gzipBytesMax} bytes gzip (${bytes.length} minified)${gzipBytes > gzipBytesMax ? ' TOO LARGE' : ''}`,
      ]);
    }
  }
  const report = table(rows);
  if (report.includes('TOO LARGE')) throw new Error(report);
  return report;
}
