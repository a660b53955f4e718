/**
 * What things take on disk, for docs/SIZING.md: makes each of them many times on a chain of its own, in virtual time, and divides what the
 * files have grown.
 *
 *   node test/bench/sizing.ts [--scale 1]
 *
 * A run takes about a minute. `--scale` makes so many times as much of everything: larger tables have deeper trees, so a transfer of a
 * larger history takes some percent more.
 */
import { parseArgs } from 'node:util';
import { FILES, LedgerFolder, type Bytes } from './sizing/ledger-folder.ts';
import { auditBytes, deliveryBytes } from './sizing/other-logs.ts';
import { SEGMENT_TRANSACTIONS } from '../../server/engine/search/search-index.ts';
import { DEV_ACCOUNTS, devAddress } from '../ledger/support.ts';

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
const scale = Number(values.scale);
if (!(scale > 0)) throw new Error('--scale is a number above 0');
const times = (count: number): number => Math.max(1, Math.round(count * scale));

/** The search index is written in segments of so many transactions: each step has whole ones. */
const SEGMENT = SEGMENT_TRANSACTIONS;
/** Transfers of one block. */
const PER_BLOCK = 512;
const REFERENCE_CHARACTERS = 20;
const DAY_S = 86_400;
const DAYS = 365;
const BYTES_PER_GB = 1e9;

interface Row {
  what: string;
  bytes: Bytes;
}

const rows: Row[] = [];
const folder = new LedgerFolder();
const nonces = Array.from({ length: DEV_ACCOUNTS }, () => 0);
const nonceOf = (from: number): number => (nonces[from] = (nonces[from] ?? 0) + 1) - 1;
const each = (count: number, bytes: Bytes): Bytes =>
  Object.fromEntries(FILES.map((name) => [name, bytes[name] / count])) as Bytes;
/** Not below 0: a step that fills no segment of the search index writes nothing to its file. */
const without = (bytes: Bytes, other: Bytes, count: number): Bytes =>
  Object.fromEntries(FILES.map((name) => [name, Math.max(0, bytes[name] - other[name] * count)])) as Bytes;
const sum = (bytes: Bytes): number => FILES.reduce((total, name) => total + bytes[name], 0);

/** Blocks of transfers; `to` says whom the i-th pays. */
async function transfers(
  count: number,
  perBlock: number,
  to: (i: number) => number | string,
  reference?: (i: number) => string,
): Promise<{ bytes: Bytes; blocks: number }> {
  return await folder.grows(async () => {
    for (let at = 0; at < count; at += perBlock) {
      const block = Array.from({ length: Math.min(perBlock, count - at) }, (_, i) => {
        const from = (at + i) % (DEV_ACCOUNTS - 1);
        return {
          from,
          to: to(at + i),
          amount: 1n,
          nonce: nonceOf(from),
          ...(reference && { reference: reference(at + i) }),
        };
      });
      await folder.pay(block);
    }
  });
}

const RECEIVER = DEV_ACCOUNTS - 1;
try {
  // What every chain has once.
  await folder.grows(() => folder.idle(2));

  const idleBlocks = times(3000);
  const idle = await folder.grows(() => folder.idle(idleBlocks));
  const idleBlock = each(idle.blocks, idle.bytes);
  rows.push({ what: 'an idle block', bytes: idleBlock });

  const known = times(2 * SEGMENT);
  const plain = await transfers(known, PER_BLOCK, () => RECEIVER);
  const transfer = each(known, without(plain.bytes, idleBlock, plain.blocks));
  rows.push({ what: 'a transfer between known accounts, in a full block', bytes: transfer });

  const singles = times(1000);
  const single = await transfers(singles, 1, () => RECEIVER);
  rows.push({
    what: `the blocks of a transfer that has them to itself (${(single.blocks / singles).toFixed(1)})`,
    bytes: each(singles, without(single.bytes, transfer, singles)),
  });

  const referenced = times(SEGMENT);
  const named = await transfers(
    referenced,
    PER_BLOCK,
    () => RECEIVER,
    (i) => `INV-${i}`.padEnd(REFERENCE_CHARACTERS, '0'),
  );
  rows.push({
    what: `a reference of ${REFERENCE_CHARACTERS} characters, beside its transfer`,
    bytes: each(referenced, without(without(named.bytes, idleBlock, named.blocks), transfer, referenced)),
  });

  const opened = times(SEGMENT);
  const fresh = await transfers(opened, PER_BLOCK, (i) => devAddress(DEV_ACCOUNTS + i));
  rows.push({
    what: 'a new account, beside its first transfer',
    bytes: each(opened, without(without(fresh.bytes, idleBlock, fresh.blocks), transfer, opened)),
  });

  rows.push({
    what: 'an entry of the audit trail',
    bytes: { 'chain.db': auditBytes(folder.file('chain.db'), times(5000)), 'search.db': 0, 'statements.db': 0 },
  });
  print(deliveryBytes(folder.file('chain.db'), times(1000)), {
    idleBlock,
    transfer,
    blocksOfOne: single.blocks / singles,
  });
} finally {
  folder.remove();
}

function print(
  delivery: number,
  { idleBlock, transfer, blocksOfOne }: { idleBlock: Bytes; transfer: Bytes; blocksOfOne: number },
): void {
  const round = (bytes: number): string => String(Math.round(bytes));
  const table = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
  console.log('Bytes on disk of one, pages in use:\n');
  table(['What', ...FILES, 'all']);
  table(['---', ...FILES.map(() => '---:'), '---:']);
  for (const { what, bytes } of rows) table([what, ...FILES.map((name) => round(bytes[name])), round(sum(bytes))]);
  console.log(
    `\nAn entry of a webhook's log, of which 1,000 are kept for each webhook: ${round(delivery)} bytes in chain.db.\n`,
  );
  console.log('A chain that is idle for a year, GB:\n');
  table(['IDLE_BLOCK_INTERVAL_S', 'blocks', 'GB']);
  table(['---:', '---:', '---:']);
  for (const interval of [10, 60, 600, 3600]) {
    const blocks = (DAYS * DAY_S) / interval;
    table([String(interval), round(blocks), ((blocks * sum(idleBlock)) / BYTES_PER_GB).toFixed(2)]);
  }
  console.log('\nA year of transfers between known accounts, with a block every second while there are any, GB:\n');
  table(['Transfers a second', 'transfers', 'blocks', 'of all', 'GB']);
  table(['---:', '---:', '---:', '---:', '---:']);
  for (const perSecond of [0.01, 0.1, 1, 10, 100, 1000]) {
    const count = perSecond * DAY_S * DAYS;
    // Below one a second each has its blocks to itself, as measured.
    const blocks = Math.min(DAY_S * DAYS, count * blocksOfOne);
    const [ofTransfers, ofBlocks] = [count * sum(transfer), blocks * sum(idleBlock)];
    table([
      String(perSecond),
      count.toExponential(1),
      blocks.toExponential(1),
      `${((100 * ofBlocks) / (ofTransfers + ofBlocks)).toFixed(0)} % blocks`,
      ((ofTransfers + ofBlocks) / BYTES_PER_GB).toFixed(1),
    ]);
  }
}
