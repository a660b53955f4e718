/** Bounds of heaps make memory less, and must never end a service: where much may be alive there are none. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { heapBounds } from '../../server/app/threads/heap-bounds.ts';
import { PENDING_MAX_DEFAULT } from '../../server/gateway/limits.ts';

const GIB = 1024 ** 3;
/** Below it V8 lets a heap grow to twice of what is alive, from it on to four times. */
const SMALL_HEAP_MIB = 2048;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'txledger-heap-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without its blocks on disk. */
function chainOf(bytes: number): string {
  const file = path.join(folder, 'chain.db');
  writeFileSync(file, '');
  truncateSync(file, bytes);
  return file;
}

test('a new chain has both', () => {
  const { ledgerMibMax = 0, chainMibMax = 0 } = heapBounds(path.join(folder, 'none.db'), PENDING_MAX_DEFAULT);
  for (const bound of [ledgerMibMax, chainMibMax]) {
    expect(bound).toBeGreaterThan(0);
    expect(bound).toBeLessThan(SMALL_HEAP_MIB);
  }
});

test('a chain that may have millions of accounts has none for the ledger', () => {
  expect(heapBounds(chainOf(GIB), PENDING_MAX_DEFAULT).ledgerMibMax).toBeUndefined();
  expect(heapBounds(chainOf(GIB / 8), PENDING_MAX_DEFAULT).ledgerMibMax).toBeDefined();
});

test('a service that may have millions of pending transfers has none', () => {
  expect(heapBounds(chainOf(0), 10_000_000)).toEqual({ ledgerMibMax: undefined, chainMibMax: undefined });
});
