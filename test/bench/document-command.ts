/** What the programs that write a block of docs/PERFORMANCE.md have in common. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { replaceBlock } from './documents.ts';

export const DOCUMENT = path.join(ROOT, 'docs', 'PERFORMANCE.md');

export function documentCommand(block: string, text: string): void {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } } });
  const before = readFileSync(DOCUMENT, 'utf8');
  const after = replaceBlock(before, block, text);
  if (values.write) writeFileSync(DOCUMENT, after);
  else if (values.check && after !== before) {
    console.error(`docs/PERFORMANCE.md: the block ${block} is not what docs/bench has; run this with --write`);
    process.exitCode = 1;
  } else if (!values.check) console.log(text);
}
