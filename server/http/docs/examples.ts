/** /docs/examples: the programs that the guides use, to download. */
import { code, table, text } from './markdown.ts';
import { readRepositoryFile } from './guides.ts';
import type { ServedFile } from './guides.ts';

/** Lines at the top of a program that describe it. */
const HEAD_LINES = 3;

export function examplesMarkdown(files: readonly ServedFile[]): string {
  const programs = files.filter(({ path }) => path.startsWith('/docs/examples/'));
  const rows = programs.map(({ path, file }) => [`[${code(path.split('/').at(-1) ?? '')}](${path})`, aboutOf(file)]);
  return `# Examples

The programs of the guides, as they run in the tests of this version. Fetch one with \`curl -sSO "$URL/docs/examples/sign.py"\`.

${table(['File', 'What it does'], rows)}`;
}

/** Returns the first comment of a program. */
function aboutOf(file: string): string {
  const lines = readRepositoryFile(file)
    .toString('utf8')
    .split('\n')
    .slice(0, HEAD_LINES)
    .filter((one) => !one.startsWith('#!'));
  const [about = ''] = lines
    .map((one) => /^(?:"""|# |\/\*\* |\/\/ | \* )(.+?)(?:"""| \*\/)?$/.exec(one)?.[1] ?? '')
    .filter((one) => one !== '');
  return text(about);
}
