/** Bundles the server as plain JavaScript: the command, and each thread as an entry point of its own, with shared code in common files. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { NODE_VERSION_MIN, ROOT } from '../steps.ts';
import { LIB, SERVER } from './places.ts';

/** Not bundled: they contain machine code, and load it relative to their own location. */
export const NATIVE = ['better-sqlite3', 'classic-level', 'sodium-native'] as const;
/** Optional native parts, which make ws and pg faster. */
const NOT_INSTALLED = ['bufferutil', 'utf-8-validate', 'pg-native'];

/** Bundled CommonJS imports Node's own modules by `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire as createRequireOfFile } from 'node:module'; const require = createRequireOfFile(import.meta.url);";

const WORKER = /new URL\('\.\/(?:[\w-]+\/)*([\w-]+)\.worker\.ts', import\.meta\.url\)/g;
/** Forms of a path that are not rewritten, and so refused: other members, and a source file that the package does not have. */
const LOST = /import\.meta\.(?!url\b|BESIDE\b)|\.ts', import\.meta/;

/**
 * Rewrites paths relative to a source file: a thread is beside the bundle, every other file is below share/ at its path in the repository.
 */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const source = path.relative(ROOT, file).split(path.sep).join('/');
      const threads = text.replaceAll(WORKER, "new URL('./$1.worker.js', import.meta.BESIDE)");
      if (LOST.test(threads))
        throw new Error(
          `${source} names a place in a way that the package cannot follow (scripts/server-package/program.ts)`,
        );
      const contents = threads
        .replaceAll('import.meta.url', `new URL('../share/${source}', import.meta.url).href`)
        .replaceAll('import.meta.BESIDE', 'import.meta.url');
      return { contents, loader: 'ts' };
    });
  },
};

export interface Program {
  /** Folders of the packages whose code is inside. */
  readonly bundled: readonly string[];
  /** Packages that the files import, Node's own modules left out. */
  readonly imported: readonly string[];
}

export async function buildProgram(): Promise<Program> {
  const { metafile } = await build({
    entryPoints: [
      path.join(SERVER, 'cli/txledger.ts'),
      ...globSync('app/threads/*.worker.ts', { cwd: SERVER }).map((file) => path.join(SERVER, file)),
    ],
    entryNames: '[name]',
    chunkNames: 'shared-[hash]',
    outdir: LIB,
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${NODE_VERSION_MIN.join('.')}`,
    // Not minified: stack traces have the names of functions, and the code in node_modules is readable.
    banner: { js: REQUIRE },
    legalComments: 'inline',
    external: [...NATIVE, ...NOT_INSTALLED],
    plugins: [places],
    metafile: true,
    logLevel: 'warning',
  });
  const files = Object.values(metafile.outputs);
  const bundled = new Set(
    files.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? packageFolder(file) : [])),
    ),
  );
  const texts = Object.keys(metafile.outputs).map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  // sodium-native is loaded by `require`, so that a machine without it continues; esbuild does not list it.
  const imported = NATIVE.filter((name) =>
    texts.some((text) => text.includes(`"${name}"`) || text.includes(`'${name}'`)),
  );
  return { bundled: [...bundled].toSorted(), imported };
}

/** The package of `node_modules/a/node_modules/@b/c/x.js` is `node_modules/a/node_modules/@b/c`; a file of the repository has none. */
function packageFolder(file: string): string[] {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  return found === undefined ? [] : [found];
}
