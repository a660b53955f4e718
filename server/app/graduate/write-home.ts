/**
 * Makes a home from the blocks: both databases in one pass, which verifies every hash, parent and signature; then the small files.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  blockRows,
  blockStoreRow,
  type ConsensusParamsJson,
  createLevelDatabase,
  encodeResponse,
  endOfHeight,
  type LevelRow,
  ledgerSettings,
  setToml,
  settingsText,
  StateRows,
} from '../../engine/cometbft/home/index.ts';
import {
  type ChainStore,
  consensusParamsJson,
  formatSignState,
  GenesisText,
  Replay,
  resultsOf,
} from '../../engine/embedded/index.ts';
import { decodeBlock } from '../../engine/encoding/index.ts';
import { formatNodeKey, type ValidatorKey } from '../../engine/validator-key.ts';
import { type GenesisDocument, SEED_BYTES } from '../../ledger/index.ts';
import type { RandomSource } from '../../engine/ports.ts';
import { syncPath } from '../../platform/disk-file.ts';
import { createSecretFile } from '../secret-file.ts';
import { GraduateError } from './graduate-error.ts';
import { clearStaging, type HomePlaces } from './home.ts';

/** Blocks that are written in one batch: some megabytes at most, because a full block of an embedded chain has 1 MiB. */
const BLOCKS_A_BATCH = 50;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

export interface HomeSource {
  readonly genesis: GenesisDocument;
  readonly store: ChainStore;
  readonly key: ValidatorKey;
  readonly random: RandomSource;
  readonly onProgress: (done: number, all: number) => void;
}

/** Writes the home; durable when it returns. Files that an interrupted run has left are made again. */
export async function writeHome(places: HomePlaces, source: HomeSource): Promise<void> {
  clearStaging(places);
  const { staged } = places;
  await writeDatabases(staged.data, source);
  const last = source.store.lastSigned();
  const height = source.store.height();
  const block = source.store.block(height);
  if (last === undefined || block === undefined)
    throw new GraduateError('The chain has no block yet: give its genesis and key to a node instead.');
  createSecretFile(path.join(staged.data, 'priv_validator_state.json'), formatSignState(last));
  const wal = path.join(staged.data, 'cs.wal');
  mkdirSync(wal, { mode: 0o700 });
  createSecretFile(path.join(wal, 'wal'), endOfHeight(height, block.timeNs));
  createSecretFile(path.join(staged.config, 'genesis.json'), genesisText(source.genesis));
  createSecretFile(
    path.join(staged.config, 'node_key.json'),
    existing(places, 'node_key.json') ?? formatNodeKey(source.random.bytes(SEED_BYTES)),
  );
  createSecretFile(path.join(staged.config, 'config.toml'), configText(existing(places, 'config.toml')));
  for (const folder of [...Object.values(staged), places.staging]) syncPath(folder);
}

/** Writes blocks and state, from the first block to the last. */
async function writeDatabases(folder: string, { genesis, store, key, onProgress }: HomeSource): Promise<void> {
  const blocks = await createLevelDatabase(path.join(folder, 'blockstore.db'));
  const states = await createLevelDatabase(path.join(folder, 'state.db'));
  const power = genesis.validators[0]?.power ?? 0;
  const rows = new StateRows({
    chainId: genesis.chainId,
    validator: { publicKey: key.publicKey, address: key.address, power },
    params: consensusParamsJson(genesis) as ConsensusParamsJson,
  });
  const height = store.height();
  let blockBatch: LevelRow[] = [];
  let stateBatch: LevelRow[] = rows.genesis();
  let bytes = 0;
  for (const { height: at } of new Replay({ genesis, store, hashesFrom: 1 }).blocks()) {
    const { stored, block, commit, executed } = blockAt(store, at);
    const response = encodeResponse({
      height: at,
      appHash: executed.appHash,
      results: resultsOf(block.transactions, executed.failures),
    });
    blockBatch.push(...blockRows({ id: stored.id, bytes: stored.bytes, block, commit }));
    stateBatch.push(...rows.block({ height: at, response }));
    bytes += stored.bytes.length + response.length;
    const isLast = at === height;
    if (isLast) {
      blockBatch.push(blockStoreRow(height));
      stateBatch.push(
        ...rows.last({
          height,
          id: stored.id,
          timeNs: stored.timeNs,
          appHash: executed.appHash,
          resultsHash: executed.resultsHash,
          response,
        }),
      );
    }
    if (!isLast && at % BLOCKS_A_BATCH !== 0 && bytes < BATCH_BYTES_MAX) continue;
    await blocks.put(blockBatch, isLast);
    await states.put(stateBatch, isLast);
    blockBatch = [];
    stateBatch = [];
    bytes = 0;
    onProgress(at, height);
  }
  await blocks.close();
  await states.close();
  for (const name of ['blockstore.db', 'state.db']) syncPath(path.join(folder, name));
}

function blockAt(store: ChainStore, height: number) {
  const stored = store.block(height);
  const commit = store.commit(height);
  const executed = store.executed(height);
  // The pass that verifies has just read all three.
  if (stored === undefined || commit === undefined || executed === undefined)
    throw new GraduateError(`chain.db is damaged: block ${height} is not whole.`);
  return { stored, block: decodeBlock(stored.bytes), commit, executed };
}

function existing({ inConfig }: HomePlaces, name: string): string | undefined {
  return existsSync(inConfig(name)) ? readFileSync(inConfig(name), 'utf8') : undefined;
}

/**
 * Returns the genesis file unchanged, because its hash names the chain. Only a file without evidence parameters, which our rules leave at
 * their default, is written by GenesisText: a node refuses it otherwise.
 */
function genesisText(genesis: GenesisDocument): string {
  const text = Buffer.from(genesis.bytes).toString('utf8');
  const { consensus_params: params } = JSON.parse(text) as { consensus_params?: { evidence?: unknown } };
  return params?.evidence === undefined ? new GenesisText(genesis).text() : text;
}

function configText(found: string | undefined): string {
  if (found === undefined) return settingsText();
  try {
    return setToml(found, ledgerSettings());
  } catch (error) {
    throw new GraduateError(
      `The config.toml of the home cannot be changed: ${(error as Error).message}. Let cometbft v0.38.26 write it (\`cometbft init\`), or take it out of the home.`,
    );
  }
}
