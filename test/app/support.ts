import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const folders: string[] = [];

/** A fresh folder under the system's temporary one; `removeTemporaryFolders` takes them all away again. */
export async function temporaryFolder(name = 'app'): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `txledger-${name}-`));
  folders.push(folder);
  return folder;
}

export async function removeTemporaryFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** Runs a module's source in a process of its own, in the checkout, on the Node.js that runs the tests. */
export function spawnSource(source: string): ChildProcess {
  return spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', source], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** Resolves when the process has printed `text`; rejects when it ends first. */
export async function printed(child: ChildProcess, text: string): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.includes(text)) return;
  }
  throw new Error(`the process ended before it printed ${JSON.stringify(text)}; it printed ${JSON.stringify(output)}`);
}
