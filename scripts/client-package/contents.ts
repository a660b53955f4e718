/** Checks the files of the package: only our own code and its types, nothing of the server, and no import except the one dependency. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { ROOT } from '../steps.ts';
import { type Installed, run } from './installed.ts';

const FILE =
  /^((README|API|CHANGELOG)\.md|LICENSE|package\.json|dist\/(esm|cjs)\/([\w-]+\/)*[\w-]+\.(js|js\.map|d\.ts)|dist\/(esm|cjs)\/package\.json)$/;
/** The ledger for tests runs in Node.js; nothing else of the package needs it. */
const NODE_ONLY = /^dist\/(esm|cjs)\/testing\//;
const DEPENDENCIES = ['openapi-fetch'];

export async function checkContents({ packageFolder, tarball }: Installed): Promise<string> {
  const files = readdirSync(packageFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageFolder.length + 1));
  const imported = new Set<string>();
  for (const file of files) {
    if (!FILE.test(file)) throw new Error(`the package holds ${file}`);
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const text = readFileSync(join(packageFolder, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from |import |import\(|require\()["']([\w@./-]+)["']/g)) {
      if (!specifier.startsWith('.') && !(NODE_ONLY.test(file) && specifier.startsWith('node:')))
        imported.add(specifier);
    }
  }
  if ([...imported].join() !== DEPENDENCIES.join()) throw new Error(`the package imports ${[...imported].join(', ')}`);
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  if (Object.keys(manifest.dependencies).join() !== DEPENDENCIES.join())
    throw new Error('the package depends on other packages than it imports');

  const { messages, pkg } = await publint({ pkgDir: packageFolder, strict: true });
  if (messages.length > 0)
    throw new Error(`publint: ${messages.map((message) => formatMessage(message, pkg)).join('; ')}`);
  await run(process.execPath, [join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js'), tarball]);
  return `${files.length} files, publint and attw clean`;
}
