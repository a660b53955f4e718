/**
 * What statements cost by themselves: transfers a second, bytes written and kept for each, the longest turn, and what a page takes.
 *
 *   node test/bench/statements.ts [--transfers 1000000] [--accounts 100000] [--block 1000]
 *
 * The blocks are made while it runs and hold transfers without a real signature: none is verified here.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClock } from '../../server/app/environment.ts';
import { sha256 } from '../../server/engine/encoding/index.ts';
import { StatementIndex, type StatementBlock, StatementReader } from '../../server/engine/statements/index.ts';
import { encodeAddress, encodeTransaction } from '../../server/ledger/index.ts';
import { Random } from '../gateway/support/random.ts';
import { TEST_CHAIN_ID, testGenesis } from '../ledger/support.ts';

const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '100000' },
    block: { type: 'string', default: '1000' },
  },
});
const [transfers, accountCount, perBlock] = [Number(values.transfers), Number(values.accounts), Number(values.block)];
const random = new Random(1);
const addresses = Array.from({ length: accountCount }, (_, i) =>
  encodeAddress(sha256(Buffer.from(`account ${i}`)), 'txlt'),
);
/** One account has a part in every other transfer, as a shop has. */
const SHOP = 0;
const genesis = testGenesis({
  accounts: addresses.slice(0, Math.ceil(accountCount / 2)).map((address) => ({ address, balance: 10n ** 15n })),
});
const nonces = new Uint32Array(accountCount);
const folder = mkdtempSync(join(tmpdir(), 'txledger-statements-'));
const path = join(folder, 'statements.db');

function makeBlock(height: number): StatementBlock {
  const transactions = Array.from({ length: perBlock }, (_, position) => {
    const sender = random.below(genesis.accounts.length);
    const to = addresses[position % 2 === 0 ? SHOP : random.below(accountCount)] as string;
    return encodeTransaction({
      kind: 'transfer',
      chainId: TEST_CHAIN_ID,
      from: addresses[sender] as string,
      to,
      amount: 1n,
      nonce: (nonces[sender] as number)++,
      signature: '0'.repeat(128),
    });
  });
  return {
    height,
    hash: sha256(Buffer.from(String(height))),
    timeNs: BigInt(Date.parse('2026-11-22T10:00:00Z') + height * 1000) * 1_000_000n,
    transactions,
    codes: transactions.map(() => 0),
  };
}

const blocks = Math.ceil(transfers / perBlock);
let made = 0;
let makingMs = 0;
const writtenBytes = (): number => Number(/write_bytes: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
const clock = createClock();
let longestMs = 0;
const turns = {
  ...clock,
  setTimer: (fn: () => void, delayMs: number) =>
    clock.setTimer(() => {
      // Processor time of this thread: on a busy machine a turn is interrupted.
      const [before, makingBefore] = [process.threadCpuUsage(), makingMs];
      fn();
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, (user + system) / 1000 - (makingMs - makingBefore));
    }, delayMs),
};
const source = {
  isCertain: true,
  height: () => blocks,
  block: (height: number) => {
    const startMs = performance.now();
    const block = makeBlock(height);
    makingMs += performance.now() - startMs;
    made += 1;
    return block;
  },
};
const lines = {
  debug() {},
  info: (fields: object, message: string) => console.log(message, JSON.stringify(fields)),
  warn() {},
  error: (fields: object, message: string) => console.log(message, JSON.stringify(fields)),
};
const [writtenBefore, startMs, startCpu] = [writtenBytes(), performance.now(), process.cpuUsage()];
const index = new StatementIndex({ path, genesis, source, clock: turns, logger: lines });
while (index.height < blocks && index.failure === '') await new Promise((resolve) => setTimeout(resolve, 50));
const [elapsedMs, cpu] = [performance.now() - startMs - makingMs, process.cpuUsage(startCpu)];
const reader = new StatementReader(path);
const count = made * perBlock;
console.log(
  `${count} transfers, ${accountCount} accounts: ${Math.round((count / elapsedMs) * 1000)} transfers/s, ${((cpu.user + cpu.system) / count - (makingMs * 1000) / count).toFixed(1)} us of processor time each`,
);
console.log(
  `${Math.round((writtenBytes() - writtenBefore) / count)} bytes written, ${Math.round((statSync(path).size + statSync(`${path}-wal`).size) / count)} kept a transfer, log ${statSync(`${path}-wal`).size} B; longest turn ${longestMs.toFixed(1)} ms of processor time; ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
);
const timed = (name: string, work: (i: number) => unknown, times = 200): void => {
  work(0);
  const beganMs = performance.now();
  for (let i = 0; i < times; i++) work(i);
  console.log(`${name}: ${(((performance.now() - beganMs) * 1000) / times).toFixed(0)} us`);
};
timed('page of 10, an account among many', (i) =>
  reader.entries({ address: addresses[1 + ((i * 7919) % (accountCount - 1))] as string, order: 'desc', limit: 10 }),
);
timed('page of 10, newest, of the shop', () =>
  reader.entries({ address: addresses[SHOP] as string, order: 'desc', limit: 10 }),
);
timed('page of 10, oldest, of the shop', () =>
  reader.entries({ address: addresses[SHOP] as string, order: 'asc', limit: 10 }),
);
timed(
  'page of 1,000 of the shop',
  () => reader.entries({ address: addresses[SHOP] as string, order: 'desc', limit: 1000 }),
  20,
);
timed('account at a height', (i) =>
  reader.accountAt(addresses[(i * 7919) % accountCount] as string, (i * 31) % blocks),
);
reader.close();
index.close();
rmSync(folder, { recursive: true, force: true });
