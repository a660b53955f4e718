/** How much the package adds to a page, minified and compressed, against the bounds that the README promises. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Installed, PACKAGE } from './installed.ts';

const READS = ['createClient', 'getChain', 'getAccount', 'getTransaction', 'listTransactions', 'eachTransaction'];
const SENDS = [...READS, 'signerFromSeed', 'sendTransfer', 'waitForTransaction', 'cancelTransaction'];

const BUNDLES = [
  { name: 'reads alone', exports: `{ ${READS.join(', ')} }`, gzipBytesMax: 5_000 },
  { name: 'with signing', exports: `{ ${SENDS.join(', ')} }`, gzipBytesMax: 15_000 },
  { name: 'everything', exports: '*', gzipBytesMax: 15_000 },
];

export async function bundle({ folder }: Installed, contents: string, format: 'esm' | 'iife'): Promise<Uint8Array> {
  const { outputFiles } = await build({ stdin: { contents, resolveDir: folder }, bundle: true, minify: true, format, globalName: 'ledger', platform: 'browser', write: false, absWorkingDir: join(folder) });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild made no bundle');
  return file.contents;
}

export async function checkSizes(installed: Installed): Promise<string> {
  const lines: string[] = [];
  for (const { name, exports, gzipBytesMax } of BUNDLES) {
    const bytes = await bundle(installed, `export ${exports} from '${PACKAGE}';`, 'esm');
    const gzipBytes = gzipSync(bytes, { level: 9 }).length;
    lines.push(`${name} ${gzipBytes} of ${gzipBytesMax} bytes gzip (${bytes.length} minified)`);
    if (gzipBytes > gzipBytesMax) throw new Error(lines.at(-1));
  }
  return lines.join('; ');
}
