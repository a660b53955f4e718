/** Statements are the chain's: their entries add up to the balance at every height, whatever happens to the file and to the process. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  damagedMarker,
  type StatementBlock,
  type StatementEntry,
  type StatementReader,
} from '../../server/engine/statements/index.ts';
import { Random } from '../gateway/support/random.ts';
import { devAddress, testGenesis } from '../ledger/support.ts';
import { FIRST_BLOCK_MS, OpenStatements, REFUSED, StatementChain, withCode } from './support/statement-chain.ts';
import { cases } from '../support/many-cases.ts';

/** Small enough to run dry, and one that no number holds exactly. */
const BALANCES = [40n, 200n, 1000n, 2n ** 90n];
const ADDRESSES = Array.from({ length: 7 }, (_, i) => devAddress(i));
const genesis = testGenesis({ accounts: BALANCES.map((balance, i) => ({ address: devAddress(i), balance })) });

let folder: string;
let opened: OpenStatements[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-statements-'));
});
afterEach(() => {
  for (const { index } of opened) index.close();
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

function open(
  chain: StatementChain,
  name = 'one',
  options: ConstructorParameters<typeof OpenStatements>[3] = {},
): OpenStatements {
  const statements = new OpenStatements(join(folder, name), chain, genesis, options);
  opened.push(statements);
  return statements;
}

function randomChain(
  seed: number,
  blocks: number,
  options: ConstructorParameters<typeof StatementChain>[2] = {},
): StatementChain {
  const random = new Random(seed);
  const chain = new StatementChain(genesis, ADDRESSES, options);
  for (let block = 0; block < blocks; block++) chain.addRandom((below) => random.below(below), random.below(12));
  return chain;
}

/** All entries by pages of a size. */
function pages(reader: StatementReader, address: string, order: 'asc' | 'desc', limit: number): StatementEntry[] {
  const all: StatementEntry[] = [];
  for (let after: number | undefined; ; after = all.at(-1)?.place) {
    const page = reader.entries({ address, order, limit, after });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

/** The transfers that a block committed to or from an account, read from its bytes. */
function transfersOf(
  chain: StatementChain,
  address: string,
  height: number,
): { txHash: string; index: number; reference: string | undefined }[] {
  const { transactions, codes } = chain.blocks[height - 1] as StatementBlock;
  return transactions.flatMap((raw, index) => {
    const tx = JSON.parse(Buffer.from(raw).toString()) as { from: string; to?: string; reference?: string };
    if (codes[index] !== 0 || tx.to === undefined) return [];
    const sides = Number(tx.from === address) + Number(tx.to === address);
    return Array.from({ length: sides }, () => ({
      txHash: createHash('sha256').update(raw).digest('hex').toUpperCase(),
      index,
      reference: tx.reference,
    }));
  });
}

/** Everything that a statement promises, against the ledger's own state at every height. */
function expectExact(reader: StatementReader, chain: StatementChain, height = chain.blocks.length): void {
  expect(reader.height()).toBe(height);
  for (const address of ADDRESSES) {
    const entries = pages(reader, address, 'asc', 3);
    expect(pages(reader, address, 'desc', 4).reverse()).toEqual(entries);
    const opening = chain.history[0]?.get(address)?.balance ?? 0n;
    let sum = opening;
    let next = 0;
    for (let at = 0; at <= height; at++) {
      const ofBlock = at === 0 ? [] : transfersOf(chain, address, at);
      expect(
        entries
          .slice(next, next + ofBlock.length)
          .map(({ txHash, index, reference }) => ({ txHash, index, reference })),
      ).toEqual(ofBlock);
      for (; entries[next]?.height === at; next++) {
        const { direction, amount, balanceAfter } = entries[next] as StatementEntry;
        sum += direction === 'in' ? BigInt(amount) : -BigInt(amount);
        expect(balanceAfter).toBe(String(sum));
      }
      const account = chain.history[at]?.get(address);
      expect(sum).toBe(account?.balance ?? 0n);
      expect(reader.accountAt(address, at)).toMatchObject({ height: at, balance: sum, nonce: account?.nonce ?? 0 });
    }
    expect(next).toBe(entries.length);
  }
}

describe('the entries of an account', () => {
  it.each(Array.from({ length: cases(8, 25) }, (_, seed) => seed))(
    'add up to its balance at every height, over kills and rebuilds (seed %i)',
    async (seed) => {
      const random = new Random(1000 + seed);
      const chain = randomChain(seed, 60, { isCertain: seed % 2 === 0, promises: seed % 3 === 0 });
      let statements = open(chain, 'life-0', {
        recentChangesMax: 2 + random.below(20),
        runsMerged: 2 + random.below(3),
      });
      for (let life = 1; life <= 12; life++) {
        chain.shown = Math.min(chain.blocks.length, life * 5);
        await statements.ticks(random.below(60));
        if (random.chance(10)) {
          statements = open(chain, `life-${life}`);
          continue;
        }
        statements.copyTo(join(folder, `life-${life}`));
        statements = open(chain, `life-${life}`, {
          recentChangesMax: 2 + random.below(20),
          runsMerged: 2 + random.below(3),
        });
      }
      await statements.upTo(60);
      statements.read((reader) => expectExact(reader, chain));
      await statements.ticks(200);
      statements.read((reader) => expectExact(reader, chain));
    },
  );

  it('are the same after the file was made again', async () => {
    const chain = randomChain(7, 80);
    const first = open(chain, 'first');
    await first.upTo(80);
    const again = open(chain, 'again', { recentChangesMax: 50, runsMerged: 2 });
    await again.upTo(80);
    for (const address of ADDRESSES) {
      const entries = first.read((reader) => pages(reader, address, 'asc', 100));
      expect(again.read((reader) => pages(reader, address, 'asc', 100))).toEqual(entries);
    }
  });

  it('are shown up to the last whole block of the file only', async () => {
    const chain = new StatementChain(genesis, ADDRESSES);
    chain.addTransfers(3000, devAddress(3), devAddress(1));
    chain.shown = 0;
    const statements = open(chain);
    await statements.upTo(0);
    chain.shown = 1;
    const heights: number[] = [];
    while (statements.index.height < 1) {
      statements.read((reader) => {
        heights.push(reader.height());
        if (reader.height() < 1)
          expect(reader.entries({ address: devAddress(1), order: 'asc', limit: 10 })).toEqual([]);
      });
      await statements.ticks(1);
    }
    expect(heights.length).toBeGreaterThan(3);
    statements.read((reader) => expectExact(reader, chain));
  });

  it('of a transfer to oneself are two: out and in again', async () => {
    const chain = new StatementChain(genesis, ADDRESSES);
    chain.add([chain.transfer(devAddress(1), devAddress(1), 50n, 0)]);
    const statements = open(chain);
    await statements.upTo(1);
    const entries = statements.read((reader) => reader.entries({ address: devAddress(1), order: 'asc', limit: 10 }));
    expect(
      entries.map(({ direction, amount, balanceAfter, counterparty }) => ({
        direction,
        amount,
        balanceAfter,
        counterparty,
      })),
    ).toEqual([
      { direction: 'out', amount: '50', balanceAfter: '150', counterparty: devAddress(1) },
      { direction: 'in', amount: '50', balanceAfter: '200', counterparty: devAddress(1) },
    ]);
  });

  it('are bounded by block time, from the first bound on and before the second', async () => {
    const chain = new StatementChain(genesis, ADDRESSES);
    for (let i = 0; i < 6; i++) chain.addTransfers(2, devAddress(2), devAddress(1));
    const statements = open(chain);
    await statements.upTo(6);
    const heights = (fromMs?: number, toMs?: number): number[] =>
      statements
        .read((reader) => reader.entries({ address: devAddress(1), order: 'asc', limit: 100, fromMs, toMs }))
        .map(({ height }) => height);
    const at = (block: number): number => FIRST_BLOCK_MS + 1000 * (block - 1);
    expect(heights(at(2), at(4))).toEqual([2, 2, 3, 3]);
    expect(heights(at(2) + 1, at(4) + 1)).toEqual([3, 3, 4, 4]);
    expect(heights(at(6))).toEqual([6, 6]);
    expect(heights(at(6) + 1)).toEqual([]);
    expect(heights(undefined, at(1))).toEqual([]);
    expect(heights(0)).toHaveLength(12);
  });

  it('come in pages that stay joined while blocks are added', async () => {
    const chain = randomChain(3, 20);
    const statements = open(chain);
    await statements.upTo(20);
    const [address] = ADDRESSES as [string];
    const wanted = statements.read((reader) => pages(reader, address, 'desc', 1000));
    const found: StatementEntry[] = [];
    const random = new Random(5);
    for (let after: number | undefined; ;) {
      const page = statements.read((reader) => reader.entries({ address, order: 'desc', limit: 2, after }));
      if (page.length === 0) break;
      found.push(...page);
      after = page.at(-1)?.place;
      chain.addRandom((below) => random.below(below), 8);
      await statements.upTo(chain.blocks.length);
    }
    expect(found).toEqual(wanted);
  });
});

describe('the file', () => {
  it.each([
    [
      'is empty',
      (path: string) => writeFileSync(path, 'no database at all, and long enough to have a header of one: '.repeat(20)),
    ],
    ['has lost its end', (path: string) => truncateSync(path, 5000)],
    ['was found damaged by a reader', (path: string) => writeFileSync(damagedMarker(path), '')],
  ])('that %s is made again, and the log says so', async (_, damage) => {
    const chain = randomChain(11, 30);
    const before = open(chain);
    await before.upTo(30);
    await before.ticks(50);
    before.index.close();
    damage(before.path);
    const after = open(chain);
    await after.upTo(30);
    after.read((reader) => expectExact(reader, chain));
  });

  it('is made again while the server runs when a reader found it damaged', async () => {
    const chain = randomChain(12, 30);
    const statements = open(chain);
    await statements.upTo(30);
    writeFileSync(damagedMarker(statements.path), '');
    await statements.ticks(1000);
    await statements.upTo(30);
    expect(statements.lines.some(({ message }) => message.includes('made again'))).toBe(true);
    statements.read((reader) => expectExact(reader, chain));
  });

  it.each([20, 30, 40])('of another history of the chain, which has %i blocks now, is made again', async (blocks) => {
    const before = open(randomChain(13, 30));
    await before.upTo(30);
    before.index.close();
    const other = randomChain(14, blocks);
    const after = open(other);
    await after.ticks(10);
    await after.upTo(blocks);
    await after.ticks(50);
    after.read((reader) => expectExact(reader, other, blocks));
  });

  it('tells how far it is while it is made from a long chain', async () => {
    const chain = new StatementChain(genesis, ADDRESSES);
    for (let block = 0; block < 1200; block++) chain.add([]);
    const statements = open(chain);
    await statements.upTo(1200);
    await statements.ticks(3);
    expect(statements.lines.map(({ message }) => message)).toEqual([
      'the statements are being made from the blocks',
      'the statements have caught up with the chain',
    ]);
  });
});

describe('results that one node says', () => {
  it.each([REFUSED, 1])('are waited for until the next header commits to them (code %i)', async (forged) => {
    const chain = randomChain(15, 10, { isCertain: false });
    chain.addTransfers(2, devAddress(3), devAddress(0));
    const truth = chain.blocks[10] as (typeof chain.blocks)[number];
    chain.blocks[10] = withCode(truth, 1, forged);
    const statements = open(chain);
    await statements.ticks(500);
    expect(statements.index.height).toBe(10);
    expect(statements.index.failure).toBe('');
    chain.blocks[10] = truth;
    chain.add([]);
    await statements.upTo(12);
    statements.read((reader) => expectExact(reader, chain));
  });

  it('end the statements when the chain itself contradicts the ledger', async () => {
    const chain = randomChain(16, 10);
    chain.addTransfers(2, devAddress(3), devAddress(0));
    chain.blocks[10] = withCode(chain.blocks[10] as (typeof chain.blocks)[number], 1, 1);
    chain.add([]);
    const statements = open(chain);
    await statements.ticks(500);
    expect(statements.index.height).toBe(10);
    expect(statements.index.failure).toContain('transaction 1 of block 11 has code 1, and the ledger gives 0');
  });
});

describe('the log of the file', () => {
  const BLOCKS = 20;
  /** Turns in which a quiet chain is looked at. */
  const QUIET_TURNS = 10;

  it('is brought into the file on a quiet chain, later where a reader was in the way', async () => {
    const chain = randomChain(1, BLOCKS);
    const statements = open(chain);
    await statements.upTo(BLOCKS);
    const sql = new Database(statements.path);
    const waiting = async (): Promise<number> => {
      await statements.ticks(QUIET_TURNS);
      const [pages] = sql.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
      return (pages?.log ?? 0) - (pages?.checkpointed ?? 0);
    };
    const reader = new Database(statements.path, { readonly: true });
    try {
      expect(await waiting()).toBe(0);
      reader.exec('BEGIN; SELECT height FROM progress');
      const random = new Random(2);
      for (let block = 0; block < BLOCKS; block++) chain.addRandom((below) => random.below(below), 5);
      await statements.upTo(2 * BLOCKS);
      expect(await waiting()).toBeGreaterThan(0);
      reader.exec('COMMIT');
      expect(await waiting()).toBe(0);
    } finally {
      reader.close();
      sql.close();
    }
  });
});
