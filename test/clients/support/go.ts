/** The parts that clients in Go share: the signer, the job, and the checks of the Go tools. */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.ts';
import type { Step, Workplace } from './generator.ts';

const HERE = path.join(import.meta.dirname, '..');

/** The module of the program, into which the package `ledger` is generated. */
export async function prepare({ folder }: Workplace, generator: string): Promise<void> {
  await cp(path.join(HERE, 'go'), folder, { recursive: true });
  await cp(path.join(HERE, generator), folder, { recursive: true, filter: (file) => !file.endsWith('.ts') });
}

export async function compile({ folder }: Workplace): Promise<Step> {
  // -mod=readonly: the pinned modules are all that the generated code may need.
  await run({ program: 'go', args: ['build', '-mod=readonly', '-o', 'main-job', '.'], folder });
  await run({ program: 'go', args: ['vet', '-mod=readonly', './...'], folder });
  return { complaints: [] };
}

export function job({ folder, developmentFile }: Workplace): Promise<string> {
  return run({ program: path.join(folder, 'main-job'), args: [developmentFile], folder });
}
