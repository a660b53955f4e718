/**
 * Builds the explorer from server/http/explorer/src: one script, one style sheet, one page, minified, independent of the machine and the
 * clock. Names stay the same from build to build: the server distinguishes versions by their bytes.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** Below generated/. */
export const EXPLORER_FILES = ['explorer/index.html', 'explorer/app.js', 'explorer/app.css'] as const;

const repository = dirname(import.meta.dirname);
const source = join(repository, 'server', 'http', 'explorer', 'src');

/** The oldest browsers that can verify Ed25519 signatures, which the explorer needs; they support everything else that it uses. */
const TARGETS = ['chrome137', 'firefox129', 'safari17'];

export async function buildExplorer(): Promise<Record<(typeof EXPLORER_FILES)[number], string>> {
  return {
    'explorer/index.html': readFileSync(join(source, 'index.html'), 'utf8'),
    'explorer/app.js': await bundled('main.ts'),
    'explorer/app.css': await bundled('app.css'),
  };
}

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: [join(source, file)],
    bundle: true,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    target: TARGETS,
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}
