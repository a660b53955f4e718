/** The parts that clients in TypeScript share: the signer, the job, and the compiler in its strict mode. */
import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.ts';
import type { Step, Workplace } from './generator.ts';

const HERE = path.join(import.meta.dirname, '..');

/** Puts the program beside what was generated (in `generated`) and compiles both. */
export async function compile({ tools, folder }: Workplace, generator: string): Promise<Step> {
  const npm = await tools.npm();
  await symlink(path.join(npm, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
  await cp(path.join(HERE, 'typescript', 'tsconfig.json'), path.join(folder, 'tsconfig.json'));
  for (const file of ['job.ts', 'signer.ts'])
    await cp(path.join(HERE, 'typescript', file), path.join(folder, 'typescript', file));
  await cp(path.join(HERE, generator, 'main.ts'), path.join(folder, 'client', 'main.ts'));
  await cp(path.join(folder, 'generated'), path.join(folder, 'client', 'generated'), { recursive: true });
  await run({ program: path.join(npm, 'node_modules', '.bin', 'tsc'), args: ['-p', '.'], folder });
  return { complaints: [] };
}

export function job({ folder, developmentFile }: Workplace): Promise<string> {
  return run({ program: process.execPath, args: ['out/client/main.js', developmentFile], folder });
}

/** Runs a program of node_modules. */
export async function npmProgram(
  { tools, folder, contract }: Workplace,
  name: string,
  args: readonly string[],
): Promise<string> {
  const npm = await tools.npm();
  return run({
    program: path.join(npm, 'node_modules', '.bin', name),
    args,
    folder,
    env: { NO_COLOR: '1', DO_NOT_TRACK: '1', CONTRACT: contract },
  });
}
