/** Messages that this service sent, verified by the libraries of Standard Webhooks in Python and Go; in JavaScript the receiver did. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const PYTHON_PACKAGE = 'standardwebhooks==1.1.0';
const HERE = path.join(ROOT, 'test/webhooks/languages');

function run(command: string, args: readonly string[], options: { cwd?: string; input?: string } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8', ...options });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${error?.message ?? ''}${stderr}`);
  return stdout.trim();
}

/** What each printed. */
export function verifyInOtherLanguages(messages: readonly string[]): { python: string; go: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-webhook-languages-'));
  const input = `${messages.join('\n')}\n`;
  try {
    run('python3', ['-m', 'venv', path.join(folder, 'venv')]);
    const bin = path.join(folder, 'venv/bin');
    run(path.join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', PYTHON_PACKAGE]);
    const python = run(path.join(bin, 'python3'), [path.join(HERE, 'verify.py')], { input });
    const go = run('go', ['run', '.'], { cwd: path.join(HERE, 'go'), input });
    return { python, go };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
