/**
 * Runs the fenced snippets of the documents as a reader would, so that no document can go stale unnoticed.
 *
 *   node scripts/snippets.ts FILE.md ...
 *
 * The `sh` blocks of a file run in order, in one bash session for the file (set -euo pipefail), in this checkout's root. Words after the
 * language are the exceptions: `run=start` is started in the background and awaited through data/dev.json and /readyz, unless an earlier
 * document has started it; `run=elsewhere` is run by .ci/run itself (which is checked to contain it); `file=PATH` must equal that
 * file; `save=NAME` is written under that name in the session's working folder, as a reader would save it. A later `sh` block must run
 * every such file. Code without any of these is refused, because no one would notice when it breaks; blocks that are not code (json,
 * mermaid, text) are only shown.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Snippet {
  readonly file: string;
  readonly line: number;
  readonly language: string;
  readonly options: ReadonlyMap<string, string>;
  readonly code: string;
}

const START_MS_MAX = 60_000;
const POLL_MS = 200;
const CODE = new Set(['sh', 'bash', 'js', 'mjs', 'cjs', 'ts', 'python', 'go']);
/** Ends the processes that a document starts in the background, also when one of its snippets fails. */
const SESSION_START = `set -euo pipefail\ntrap 'jobs -p | xargs -r kill 2>/dev/null || true' EXIT`;
const END_OF_FILE = 'END_OF_THE_SAVED_FILE';

function snippetsOf(file: string): Snippet[] {
  const snippets: Snippet[] = [];
  const lines = readFileSync(file, 'utf8').split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    const fence = /^```(\w+)((?: \w+=\S+)*)$/.exec(lines[i] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', i + 1);
    if (end < 0) throw new Error(`${file}:${i + 1}: the fence is never closed`);
    const options = new Map(
      (fence[2] ?? '')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map((word) => word.split('=', 2) as [string, string]),
    );
    snippets.push({ file, line: i + 1, language: fence[1] ?? '', options, code: lines.slice(i + 1, end).join('\n') });
    i = end;
  }
  return snippets;
}

async function startAndAwait(command: string): Promise<ChildProcess> {
  if (existsSync('data')) throw new Error('this checkout has a data folder: the snippets want a first start');
  // Its own process group, so that npm and what npm started end together.
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const deadline = Date.now() + START_MS_MAX + 120_000; // the command installs first
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`"${command}" ended with ${child.exitCode}`);
    if (existsSync('data/dev.json')) {
      const { baseUrl } = JSON.parse(readFileSync('data/dev.json', 'utf8')) as { baseUrl: string };
      const ready = await fetch(`${baseUrl}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return child;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await stop(child);
  throw new Error(`"${command}" was not ready in time`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

function fail(snippet: Snippet, why: string): never {
  throw new Error(`${snippet.file}:${snippet.line}: ${why}`);
}

/** The shell text of a snippet in the session of its document. */
function commandsOf({ file, line, code, options }: Snippet): string {
  const name = options.get('save');
  return `echo '== ${file}:${line}'\n${name === undefined ? code : `cat > ${name} <<'${END_OF_FILE}'\n${code}\n${END_OF_FILE}`}`;
}

/** Fails unless a later `sh` block runs the file: otherwise the file would only be shown. */
function checkUsed(snippet: Snippet, name: string, snippets: readonly Snippet[]): void {
  const later = snippets.slice(snippets.indexOf(snippet) + 1);
  if (!later.some(({ language, options, code }) => language === 'sh' && options.size === 0 && code.includes(name)))
    fail(snippet, `no later sh block runs ${name}`);
}

function runSession(file: string, snippets: readonly Snippet[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  try {
    const script = join(folder, 'session.sh');
    writeFileSync(script, `${[SESSION_START, ...snippets.map(commandsOf)].join('\n')}\n`);
    const { status } = spawnSync('bash', [script], { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0)
      throw new Error(`${file}: a snippet ended with ${status}; the last line marked == above names it`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: node scripts/snippets.ts FILE.md ...');
const ci = readFileSync('.ci/run', 'utf8');
let server: ChildProcess | undefined;
let serverCommand = '';
let passed = 0;
try {
  for (const file of files) {
    const session: Snippet[] = [];
    const snippets = snippetsOf(file);
    for (const snippet of snippets) {
      const { language, options, code } = snippet;
      const source = options.get('file');
      const saved = options.get('save');
      const run = options.get('run');
      if (source !== undefined) {
        if (readFileSync(source, 'utf8').trimEnd() !== code.trimEnd()) fail(snippet, `differs from ${source}`);
        checkUsed(snippet, source, snippets);
      } else if (saved !== undefined) {
        checkUsed(snippet, saved, snippets);
        session.push(snippet);
      } else if (run === 'start') {
        if (server !== undefined && serverCommand !== code)
          fail(snippet, `the server was started by "${serverCommand}" already`);
        server ??= await startAndAwait(code);
        serverCommand = code;
      } else if (run === 'elsewhere') {
        const last = code.split('&&').at(-1)?.trim() ?? '';
        if (!ci.includes(last)) fail(snippet, `.ci/run does not run "${last}"`);
      } else if (language === 'sh' && options.size === 0) {
        session.push(snippet);
      } else if (options.size > 0) {
        fail(snippet, `does not know what to do with ${[...options.keys()].join(', ')}`);
      } else if (CODE.has(language)) {
        fail(snippet, `says neither file= nor save=, so nothing runs this ${language}`);
      } else {
        continue;
      }
      passed += 1;
    }
    if (session.length > 0) runSession(file, session);
  }
} finally {
  if (server !== undefined) await stop(server);
}
console.log(`snippets: ${passed} passed, 0 failed`);
