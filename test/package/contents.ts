/** What is in the package: JavaScript, and files that are read; its size, packed and installed. */
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { expect, type Installed } from './installed.ts';

const MIB = 1024 * 1024;
/**
 * Measured on 2026-11-27, and a tenth more: 1.86 MiB packed and 9.6 MiB unpacked, of which the functions made from the contract and the whole of
 * express-openapi-validator are 0.2 and 0.8 (docs/decisions/0135); 53 MiB with the two native packages for all their platforms.
 */
const PACKED_BYTES_MAX = 2 * MIB;
const UNPACKED_BYTES_MAX = 10.5 * MIB;
const INSTALLED_BYTES_MAX = 64 * MIB;

const FILE = new RegExp(
  [
    String.raw`^(package\.json|README\.md|LICENSE|THIRD-PARTY-LICENCES\.txt|bin/(txledger|node-version|server-names)\.js)$`,
    String.raw`^lib/[\w.-]+\.js$`,
    String.raw`^share/generated/(openapi(\.client)?\.json|openapi\.yaml|changelog\.atom|llms\.txt|explorer/(index\.html|app\.(js|css)))$`,
    String.raw`^share/server/(package\.json|http/docs/assets/docs\.(css|js))$`,
    String.raw`^share/(docs/[A-Z]+\.md|client/[A-Z]+\.md|spec/CHANGELOG\.md)$`,
    // Documents of the repository that are served to partners, from where they lie.
    String.raw`^share/(docs/examples/[\w.-]+|test/conformance/README\.md|test/clients/[\w-]+/[\w.-]+\.(yaml|mjs))$`,
    String.raw`^share/spec/(vectors/[\w.-]+\.(json|md)|workflows/[\w.-]+\.yaml)$`,
  ].join('|'),
);
/** Files that would be there by mistake; an example for readers may be TypeScript. */
const UNWANTED = /\.map$|\.test\.|^(?!share\/docs\/examples\/).*\.ts$/;
/** With their own machine code, each the one version that is tested. */
const DEPENDENCIES = '{"better-sqlite3":"13.2.0","classic-level":"3.0.0"} {"sodium-native":"5.1.0"}';

export async function checkContents({ tarball, folder, packageFolder }: Installed): Promise<string> {
  const files = filesIn(packageFolder);
  const wrong = files.filter((file) => !FILE.test(file) || UNWANTED.test(file));
  expect(wrong.length === 0, `the package holds ${wrong.join(', ')}`);
  for (const file of files) {
    const text = readFileSync(path.join(packageFolder, file), 'utf8');
    expect(!text.includes(ROOT), `${file} names a folder of the machine that built it`);
    expect(!/^\/\/# sourceMappingURL/m.test(text), `${file} names a source map`);
  }
  const { dependencies, optionalDependencies, scripts } = JSON.parse(
    readFileSync(path.join(packageFolder, 'package.json'), 'utf8'),
  ) as Record<string, object | undefined>;
  expect(
    `${JSON.stringify(dependencies)} ${JSON.stringify(optionalDependencies)}` === DEPENDENCIES,
    'the package depends on other packages',
  );
  expect(scripts === undefined, 'the package has scripts');
  const nodes = readdirSync(path.join(folder, 'node_modules')).filter((name) =>
    /^node-(linux|win|darwin|bin)/.test(name),
  );
  expect(nodes.length === 0, `a Node.js came along: ${nodes.join(', ')}`);
  return Promise.resolve(
    [
      `${files.length} files`,
      atMost('packed', statSync(tarball).size, PACKED_BYTES_MAX),
      atMost('unpacked', bytesIn(packageFolder), UNPACKED_BYTES_MAX),
      atMost('installed', bytesIn(path.join(folder, 'node_modules')), INSTALLED_BYTES_MAX),
    ].join(', '),
  );
}

function atMost(what: string, bytes: number, max: number): string {
  expect(bytes <= max, `${what}: ${bytes} bytes, of at most ${max}`);
  return `${what} ${(bytes / MIB).toFixed(2)} of ${(max / MIB).toFixed(2)} MiB`;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

const bytesIn = (folder: string): number =>
  filesIn(folder).reduce((sum, file) => sum + lstatSync(path.join(folder, file)).size, 0);
