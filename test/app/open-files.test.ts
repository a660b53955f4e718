import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { connectionsWithin, readOpenFilesMax } from '../../server/app/open-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-limits-'));
afterAll(() => rmSync(folder, { recursive: true }));

function limits(line: string): number | undefined {
  const file = path.join(folder, 'limits');
  writeFileSync(file, `Limit                     Soft Limit           Hard Limit           Units     \n${line}\n`);
  return readOpenFilesMax(file);
}

describe('the limit of open files', () => {
  test('is read where the system says it', () => {
    expect(limits('Max open files            1024                 524288               files     ')).toBe(1024);
    expect(limits('Max open files            unlimited            unlimited            files     ')).toBeUndefined();
    expect(readOpenFilesMax(path.join(folder, 'none'))).toBeUndefined();
    expect(readOpenFilesMax()).toBeGreaterThan(0);
  });

  test.each([
    [8_192, undefined, 8_192, 0],
    [8_192, 1_048_576, 8_192, 0],
    [8_192, 1_024, 768, 1],
    [8_192, 300, 150, 1],
    [100, 1_024, 100, 0],
  ])('lowers %d connections under %p files to %d', (wanted, openFiles, allowed, warnings) => {
    let warned = 0;
    expect(connectionsWithin(wanted, { warn: () => (warned += 1) }, openFiles)).toBe(allowed);
    expect(warned).toBe(warnings);
  });
});
