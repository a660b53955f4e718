/** Runs docs/examples/verify_receipt.py as a stranger would: offline, with what is trusted and a file of receipts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface PythonVerdict {
  status: number | null;
  /** A line for each receipt: `proven` and facts in JSON, or `refused:` and why. */
  lines: string[];
  stderr: string;
}

/** Trust is the bytes of a genesis file, or HEIGHT:HASH. */
export function verifyWithPython(trust: Uint8Array | string, receipts: readonly string[]): PythonVerdict {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-receipts-'));
  try {
    const [genesis, file] = [join(folder, 'genesis.json'), join(folder, 'receipts.jsonl')];
    if (typeof trust !== 'string') writeFileSync(genesis, trust);
    writeFileSync(file, `${receipts.join('\n')}\n`);
    const program = ['docs/examples/verify_receipt.py', typeof trust === 'string' ? trust : genesis, file];
    const { status, stdout, stderr } = spawnSync('python3', program, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return { status, lines: stdout.split('\n').filter(Boolean), stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
