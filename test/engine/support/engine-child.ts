/**
 * A process for kill tests: an embedded engine on real files, under load that it makes itself, at the shortest interval.
 *
 * Arguments: data directory, genesis file. The signature of every block is appended to signatures.log as soon as the block is there for
 * others to see. Prints a line for every block; runs until it is killed.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BLOCK_INTERVAL_MS_MIN,
  createEmbeddedEngine,
  sqliteChainStore,
  validatorKeyFromSeed,
} from '../../../server/engine/embedded/index.ts';
import { decodeTransaction, parseGenesis } from '../../../server/ledger/index.ts';
import { devAddress, signedTransfer, validatorSeed } from '../../ledger/support.ts';
import { openChainFile } from './chain-file.ts';
import { committedBlocks } from './committed-blocks.ts';
import { realClock } from './real-clock.ts';

const SENDERS = 10;
const BURST = 20;

const [dataDir = '', genesisPath = ''] = process.argv.slice(2);
const parsed = parseGenesis(readFileSync(genesisPath));
if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
const { genesis } = parsed;
const { database, settle } = openChainFile(dataDir);
const store = sqliteChainStore(database);

const engine = await createEmbeddedEngine({
  genesis,
  dataDir,
  validatorKey: validatorKeyFromSeed(validatorSeed(0)),
  chain: store,
  settle,
  applied: ({ stored: { height } }) => {
    const signature = Buffer.from(store.lastSigned()?.signature ?? []).toString('hex');
    appendFileSync(join(dataDir, 'signatures.log'), `${height} ${signature}\n`);
  },
  blockIntervalMs: BLOCK_INTERVAL_MS_MIN,
  clock: realClock,
  logger: { debug() {}, info() {}, warn() {}, error: (fields, message) => console.error(message, fields) },
  onFatal: () => process.exit(1),
});

/** The nonces after everything committed so far. */
async function readNonces(): Promise<number[]> {
  const nonces = new Map<string, number>();
  for (let height = 1; ; height++) {
    const [block] = committedBlocks(store, height, 1);
    if (block === undefined) break;
    for (const raw of block.transactions) {
      const decoded = decodeTransaction(raw);
      if (decoded.ok && decoded.tx.kind === 'transfer') nonces.set(decoded.tx.from, decoded.tx.nonce + 1);
    }
  }
  return Array.from({ length: SENDERS }, (_, i) => nonces.get(devAddress(i)) ?? 0);
}

async function printHeights(): Promise<never> {
  for (let height = (await engine.status()).height; ; height++) console.log(await engine.waitForHeight(height, 60_000));
}

const nonces = await readNonces();
void printHeights();
for (;;) {
  for (const [from, next] of nonces.entries()) {
    const items = Array.from({ length: BURST }, (_, i) => ({
      raw: signedTransfer({ from, to: (from + 1) % SENDERS, nonce: next + i }).raw,
      signatureVerified: true,
    }));
    const results = await engine.broadcast(items);
    nonces[from] = next + results.filter(({ code }) => code === 0).length;
    await new Promise<void>((resolve) => {
      realClock.setTimer(resolve, 1);
    });
  }
}
