/**
 * Runs the fenced snippets of the documents as a reader would, so that no document can go stale unnoticed.
 *
 *   node scripts/snippets.ts FILE.md ...
 *
 * Every `sh` block of a file runs in one bash session of its own (set -euo pipefail), in order, in this checkout's root. The words
 * behind the language decide about the exceptions: `run=start` is started in the background and awaited through data/dev.json and
 * /readyz, `run=elsewhere` is run by .ci/run itself (which is checked to contain it), `file=PATH` must equal that file, and
 * `run=serve` documents a production command that test/e2e runs with real keys. Any other language is shown, not run.
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

function snippetsOf(file: string): Snippet[] {
  const snippets: Snippet[] = [];
  const lines = readFileSync(file, 'utf8').split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    const fence = /^```(\w+)((?: \w+=\S+)*)$/.exec(lines[i] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', i + 1);
    if (end < 0) throw new Error(`${file}:${i + 1}: the fence is never closed`);
    const options = new Map((fence[2] ?? '').trim().split(' ').filter(Boolean).map((word) => word.split('=', 2) as [string, string]));
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
      const ready = await fetch(`${baseUrl}/readyz`).then((response) => response.ok, () => false);
      if (ready) return child;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
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

function runSession(file: string, snippets: readonly Snippet[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  try {
    const script = join(folder, 'session.sh');
    const marked = snippets.map((snippet) => `echo '== ${file}:${snippet.line}'\n${snippet.code}`);
    writeFileSync(script, `set -euo pipefail\n${marked.join('\n')}\n`);
    const { status } = spawnSync('bash', [script], { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) throw new Error(`${file}: a snippet ended with ${status}; the last line marked == above names it`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: node scripts/snippets.ts FILE.md ...');
const ci = readFileSync('.ci/run', 'utf8');
let server: ChildProcess | undefined;
let passed = 0;
try {
  for (const file of files) {
    const session: Snippet[] = [];
    for (const snippet of snippetsOf(file)) {
      const source = snippet.options.get('file');
      const run = snippet.options.get('run');
      if (source !== undefined) {
        if (readFileSync(source, 'utf8').trimEnd() !== snippet.code.trimEnd()) fail(snippet, `differs from ${source}`);
      } else if (run === 'start') {
        server = await startAndAwait(snippet.code);
      } else if (run === 'elsewhere') {
        const last = snippet.code.split('&&').at(-1)?.trim() ?? '';
        if (!ci.includes(last)) fail(snippet, `.ci/run does not run "${last}"`);
      } else if (snippet.language === 'sh' && run === undefined) {
        session.push(snippet);
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
