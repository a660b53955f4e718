/** What crosses between the gateway thread and the engine thread in one piece arrives as it was sent. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MessageChannel } from 'node:worker_threads';
import type { BroadcastItem, CommittedBlock } from '../../server/engine/port.ts';
import {
  packBlock,
  packItems,
  packResults,
  unpackBlock,
  unpackItems,
  unpackResults,
} from '../../server/app/threads/packed-transactions.ts';

/** As a thread gets it. */
async function crossed<T>(value: T): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  const arrived = new Promise<T>((resolve) => port2.once('message', resolve));
  port1.postMessage(value);
  try {
    return await arrived;
  } finally {
    port1.close();
  }
}

const raw = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const text = fc.string({ maxLength: 12 });

test('items: their bytes, accounts and hashes, in order', async () => {
  const item = fc.record({ raw, account: text, hash: text }, { requiredKeys: ['raw'] });
  await fc.assert(
    fc.asyncProperty(fc.array(item), async (items) => {
      expect(unpackItems(await crossed(packItems(items as BroadcastItem[])))).toEqual(items);
    }),
    { numRuns: 200 },
  );
});

test('results: every code with its words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ code: fc.nat(2000), log: text })), async (results) => {
      expect(unpackResults(await crossed(packResults(results)))).toEqual(results);
    }),
    { numRuns: 200 },
  );
});

test('blocks: whatever bytes they hold, empty ones too', async () => {
  const facts = {
    chainId: 'c',
    height: 3,
    hash: 'AB',
    parentHash: 'CD',
    time: 't',
    timeMs: 5,
    timeNs: 5_000_001n,
    appHash: 'EF',
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ raw, code: fc.nat(9), log: text })), async (entries) => {
      const block: CommittedBlock = {
        ...facts,
        transactions: entries.map((entry) => entry.raw),
        codes: entries.map(({ code }) => code),
        logs: entries.map(({ log }) => log),
      };
      expect(unpackBlock(await crossed(packBlock(block)))).toEqual(block);
    }),
    { numRuns: 200 },
  );
});
