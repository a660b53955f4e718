import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStateStore } from '../../server/engine/embedded/sqlite-state-store.ts';
import { EMPTY_COMMIT, encodeBlock, transactionAt } from '../../server/engine/encoding/index.ts';
import { blockOf, golden } from './golden.ts';

describe('one transaction out of a block', () => {
  const { header } = blockOf(golden('block.get').block);

  test('is the one that was put in, at every place', () => {
    const raws = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    fc.assert(
      fc.property(raws, (transactions) => {
        const bytes = encodeBlock({ header, transactions, lastCommit: EMPTY_COMMIT });
        transactions.forEach((raw, index) => expect(Buffer.from(transactionAt(bytes, index)!)).toEqual(Buffer.from(raw)));
        expect(transactionAt(bytes, transactions.length)).toBeUndefined();
      }),
    );
  });

  test('is never read beyond bytes that are cut off', () => {
    const bytes = encodeBlock({ header, transactions: [Buffer.alloc(200, 7)], lastCommit: EMPTY_COMMIT });
    const whole = Buffer.from(transactionAt(bytes, 0)!);
    for (let length = 0; length < bytes.length; length++) {
      let found: Uint8Array | undefined;
      try {
        found = transactionAt(bytes.subarray(0, length), 0);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      if (found) expect(Buffer.from(found)).toEqual(whole);
    }
  });
});

describe('one result out of a height', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'txledger-results-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is the one that was saved, whatever its text holds', () => {
    const states = openSqliteStateStore(join(folder, 'ledger.db'), { chainId: 'c', genesisHash: 'AB' });
    const logs = ['', 'a\nb', '[],\n{}', '"]', '\u2028\r\n'];
    const results = logs.map((log, code) => ({ code, codespace: '', log, events: [] }));
    const empty = { appHash: Buffer.alloc(32), resultsHash: Buffer.alloc(32), transactions: [], accounts: [], governance: undefined };
    for (const height of [1, 2, 3]) states.save({ ...empty, height, results: results.slice(0, [0, 1, 5][height - 1]) });
    const resultOf = states.results(3)!;
    expect(results.map((_, index) => resultOf(index))).toEqual(results);
    expect(states.executed(3)?.results).toEqual(results);
    expect([resultOf(5), resultOf(6), states.results(2)!(0), states.results(2)!(1), states.results(1)!(0)]).toEqual([
      undefined,
      undefined,
      results[0],
      undefined,
      undefined,
    ]);
    expect(states.results(4)).toBeUndefined();
    states.close();
  });
});
