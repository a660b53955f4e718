/** Another build of the program: a copy of the sources in which a few lines are others, as a later version has them, or one with a fault. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

export interface Patch {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A version that brings version 2 of the rules: from the height that governors name, a transfer of exactly 13 moves nothing. */
export const RULES_2: readonly Patch[] = [
  { file: 'server/ledger/rules.ts', from: 'RULES_VERSION_KNOWN = 1', to: 'RULES_VERSION_KNOWN = 2' },
  {
    file: 'server/ledger/step-transfer.ts',
    from: 'import { EMPTY_ACCOUNT,',
    to: "import { rulesVersionAt } from './rules.ts';\nimport { EMPTY_ACCOUNT,",
  },
  {
    file: 'server/ledger/step-transfer.ts',
    from: 'if (tx.to === tx.from) return',
    to: 'if (tx.to === tx.from || (tx.amount === 13n && rulesVersionAt(view.governance(), block.height) >= 2)) return',
  },
];

/** A build whose rule is wrong: who receives exactly 777 is given one more. */
export const WRONG_RULE: readonly Patch[] = [
  {
    file: 'server/ledger/step-transfer.ts',
    from: 'receiver.balance + tx.amount }',
    to: 'receiver.balance + tx.amount + (tx.amount === 777n ? 1n : 0n) }',
  },
];

/** Of the command, in any build. */
export const COMMAND_FILE = 'server/cli/txledger.ts';

/** @returns the file of the command in the copy. */
export function makeBuild(folder: string, patches: readonly Patch[]): string {
  mkdirSync(folder, { recursive: true });
  const isOurs = (source: string): boolean => path.basename(source) !== 'node_modules';
  for (const part of ['server', 'client', 'generated', 'spec', 'package.json'])
    cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true, filter: isOurs });
  for (const modules of ['node_modules', 'server/node_modules'])
    symlinkSync(path.join(ROOT, modules), path.join(folder, modules));
  for (const { file, from, to } of patches) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    if (!text.includes(from))
      throw new Error(`${file} has no ${JSON.stringify(from)}: the patch of the test is out of date`);
    writeFileSync(path.join(folder, file), text.replace(from, to));
  }
  return path.join(folder, COMMAND_FILE);
}
