/** A file of statements that turns out to be damaged costs its readers time, and no answer: the thread that makes it is told, and they wait for the new one. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '../../server/app/environment.ts';
import { statementReads } from '../../server/app/threads/statement-reads.ts';
import { damagedMarker } from '../../server/engine/statements/index.ts';
import type { Statements } from '../../server/gateway/statements.ts';
import { OpenStatements, StatementChain } from '../engine/support/statement-chain.ts';
import { devAddress, testGenesis } from '../ledger/support.ts';

const BLOCKS = 40;
const genesis = testGenesis({ accounts: [{ address: devAddress(0), balance: 1_000n }] });
const QUERY = {
  address: devAddress(0),
  limit: 10,
  order: 'desc',
  cursor: undefined,
  fromMs: undefined,
  toMs: undefined,
  heightMax: undefined,
} as const;

let folder: string;
let chain: StatementChain;
let statements: OpenStatements;
let reads: Statements;
let told: unknown[];

function openReads(): Statements {
  const log = (fields: object): void => void told.push(fields);
  const logger = { debug() {}, info: log, warn: log, error: log };
  return statementReads({
    file: statements.path,
    chainId: genesis.chainId,
    height: () => BLOCKS,
    clock: createClock(),
    logger,
  });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-statement-reads-'));
  chain = new StatementChain(genesis, [devAddress(0), devAddress(1)]);
  for (let block = 0; block < BLOCKS; block++) chain.addTransfers(2, devAddress(0), devAddress(1));
  statements = new OpenStatements(folder, chain, genesis);
  await statements.upTo(BLOCKS);
  statements.index.close();
  told = [];
  reads = openReads();
});
afterEach(() => {
  reads.close();
  statements.index.close();
  rmSync(folder, { recursive: true, force: true });
});

it('waits for the file that is made again, and says once in the log why', async () => {
  const before = await reads.entries(QUERY);
  expect(before).toMatchObject({ ok: true });
  reads.close();
  reads = openReads();
  truncateSync(statements.path, Math.floor(statSync(statements.path).size / 2));
  const answers = [
    reads.entries(QUERY),
    reads.accountAt(devAddress(0), BLOCKS),
    reads.entries({ ...QUERY, order: 'asc' }),
  ] as const;
  // The reads have begun by the time that these run, and the file is not touched before.
  await new Promise(setImmediate);
  expect(existsSync(damagedMarker(statements.path))).toBe(true);
  statements = new OpenStatements(folder, chain, genesis);
  await statements.upTo(BLOCKS);
  expect(await answers[0]).toEqual(before);
  expect(await answers[1]).toMatchObject({
    ok: true,
    balance: String(1_000 - 2 * BLOCKS),
    nonce: 2 * BLOCKS,
    height: BLOCKS,
  });
  expect(await answers[2]).toMatchObject({ ok: true });
  expect(told).toEqual([{ err: expect.objectContaining({ code: expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB)/) }) }]);
});

it('is refused at once where that thread cannot be told', async () => {
  symlinkSync(join(folder, 'nowhere', 'else'), damagedMarker(statements.path));
  truncateSync(statements.path, Math.floor(statSync(statements.path).size / 2));
  expect(await reads.entries(QUERY)).toMatchObject({ ok: false, code: 'store_unavailable' });
});
