/**
 * Makes the data folder of an embedded chain with many blocks, a transfer in each, and says how long graduating it takes.
 *
 *   node test/graduate/many-blocks.ts [--blocks 100000] [--keep FOLDER]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  createEmbeddedEngine,
  sqliteChainStore,
  formatValidatorKey,
  validatorKeyFromSeed,
} from '../../server/engine/embedded/index.ts';
import { txledger } from '../e2e/support/server.ts';
import { openChainFile } from '../engine/support/chain-file.ts';
import { VirtualClock } from '../engine/support/virtual-clock.ts';
import { signedTransfer, testGenesis, validatorSeed } from '../ledger/support.ts';

const BLOCK_MS = 1000;

const { values } = parseArgs({ options: { blocks: { type: 'string', default: '100000' }, keep: { type: 'string' } } });
const blocks = Number(values.blocks);
const folder = values.keep ?? mkdtempSync(path.join(tmpdir(), 'txledger-many-'));
const startedMs = performance.now();
const seconds = (): string => ((performance.now() - startedMs) / 1000).toFixed(1);

try {
  const genesis = testGenesis({ genesisTime: '2026-01-01T00:00:00Z' });
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:01Z'));
  const { database, settle, close } = openChainFile(folder);
  // It is thrown away when the machine dies.
  database.sql.pragma('synchronous = OFF');
  const addEvents = database.sql.prepare(
    'INSERT INTO events (height, idx, seq) SELECT height, position, seq FROM transfers WHERE seq = (SELECT max(seq) FROM transfers) AND height = ?',
  );
  const addTime = database.sql.prepare(
    'UPDATE transfers SET block_time_ms = ? WHERE seq = (SELECT max(seq) FROM transfers) AND height = ?',
  );
  const logger = {
    debug() {},
    info() {},
    warn() {},
    error: (fields: object, message: string) => console.error(message, fields),
  };
  const engine = await createEmbeddedEngine({
    genesis,
    dataDir: folder,
    chain: sqliteChainStore(database),
    settle: (block) => {
      settle(block);
      addTime.run(Number(block.stored.timeNs / 1_000_000n), block.stored.height);
      addEvents.run(block.stored.height);
    },
    validatorKey: validatorKeyFromSeed(validatorSeed(0)),
    blockIntervalMs: BLOCK_MS,
    idleBlockMs: 10 * BLOCK_MS,
    clock,
    logger,
  });
  await clock.advance(0);
  for (let nonce = 0, height = 0; height < blocks; nonce += 1) {
    await engine.broadcast([{ raw: signedTransfer({ from: 0, nonce }).raw }]);
    await clock.advance(BLOCK_MS);
    ({ height } = await engine.status());
  }
  await engine.close();
  close();
  writeFileSync(path.join(folder, 'genesis.json'), genesis.bytes, { mode: 0o600 });
  writeFileSync(path.join(folder, 'priv_validator_key.json'), formatValidatorKey(validatorSeed(0)), { mode: 0o600 });
  console.log(`${blocks} blocks made in ${seconds()} s`);
  const beforeMs = performance.now();
  const { code, stdout, stderr } = await txledger([
    'graduate',
    '--data-dir',
    folder,
    '--home',
    path.join(folder, '..', `${path.basename(folder)}-home`),
  ]);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  console.log(`graduated in ${((performance.now() - beforeMs) / 1000).toFixed(1)} s`);
} finally {
  if (values.keep === undefined)
    for (const each of [folder, `${folder}-home`]) rmSync(each, { recursive: true, force: true });
}
