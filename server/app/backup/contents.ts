/**
 * The databases of a backup, each copied as of one moment, and the facts that they hold about the chain.
 *
 * log.db is copied before chain.db, which then holds every entry that was dropped from the log. webhooks.db exists only in a folder that an
 * earlier version wrote and this one has not opened yet. It is copied before chain.db too; otherwise its places could be ahead of the chain
 * that it is restored with.
 *
 * @module
 */
import { createWriteStream, existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { nsToMs, upperHex } from '../../engine/encoding/index.ts';
import { factsOfApp } from '../../engine/cometbft/app/sqlite-app-reader.ts';
import { factsOfChain, onChain, onFile } from '../../store/backup/chain-facts.ts';
import { verifiedHead } from '../../store/embedded/chain-log.ts';
import { copyDatabase } from '../../store/backup/copy-database.ts';
import { factsOfGateway } from '../../store/backup/gateway-file.ts';
import { BACKUP_TABLES, type GatewayFacts, rowsFile } from '../../store/backup/gateway-tables.ts';
import { DATA_DIR_FILES, type DataDirFile } from '../data-dir-files.ts';
import { BackupError } from './backup-error.ts';
import { BACKUP_FILE_MODE } from './files.ts';
import type { ChainFacts, Manifest } from './manifest.ts';
import type { BackupSource } from './source.ts';

export interface Contents extends Pick<Manifest, 'chainId' | 'state' | 'heads' | 'counts' | 'madeAgain'> {
  genesisHash: string | undefined;
  migrations: readonly string[] | undefined;
  /** Names of the files that were written. */
  names: string[];
}

/** The databases, in the order in which they are copied. */
const DATABASES: Readonly<Record<BackupSource['kind'], readonly DataDirFile[]>> = {
  chain: ['webhooks', 'log', 'chain'],
  gateway: ['gateway'],
  application: ['app', 'snapshots'],
};

const MADE_AGAIN: Readonly<Record<BackupSource['kind'], readonly DataDirFile[]>> = {
  chain: ['search', 'statements'],
  gateway: [],
  application: [],
};

const NO_CHAIN = 'holds no chain yet: start the service once, then back it up';

const time = (ms: number): string => new Date(ms).toISOString();

export async function copySqlite(
  source: Extract<BackupSource, { database: 'sqlite' }>,
  folder: string,
  options: { logBytesMax: (file: string) => number; onProgress: (done: number, all: number) => void },
): Promise<Contents> {
  const names: string[] = [];
  for (const name of DATABASES[source.kind]) {
    const from = source.files[name];
    if (!existsSync(from)) continue;
    await copyDatabase({
      from,
      to: path.join(folder, DATA_DIR_FILES[name]),
      logBytesMax: options.logBytesMax(from),
      onProgress: options.onProgress,
    });
    names.push(DATA_DIR_FILES[name]);
  }
  return {
    ...factsIn(source.kind, folder),
    names,
    migrations: undefined,
    madeAgain: MADE_AGAIN[source.kind].map((name) => DATA_DIR_FILES[name]),
  };
}

/** Reads the facts about the chain from the databases of a folder. Throws StoreDamagedError. */
export function factsIn(
  kind: BackupSource['kind'],
  folder: string,
): Pick<Contents, 'chainId' | 'genesisHash' | 'state' | 'heads' | 'counts'> {
  const file = (name: DataDirFile): string => path.join(folder, DATA_DIR_FILES[name]);
  if (kind === 'gateway') {
    const facts = onFile(file('gateway'), factsOfGateway);
    if (facts === undefined) throw new BackupError(`${file('gateway')} ${NO_CHAIN}.`);
    return {
      chainId: facts.chainId,
      genesisHash: facts.genesisHash,
      state: stateOfGateway(facts),
      counts: facts.counts,
    };
  }
  if (kind === 'application') {
    const facts = factsOfApp(file('app'));
    if (facts === undefined) throw new BackupError(`${file('app')} ${NO_CHAIN}.`);
    const { chain, height, appHash, supply, accounts } = facts;
    return {
      chainId: chain.chainId,
      genesisHash: undefined,
      state: { height, appHash: upperHex(appHash), supply: `${supply}` },
      counts: { accounts },
    };
  }
  const facts = onChain(file('chain'), factsOfChain);
  if (facts === undefined) throw new BackupError(`${file('chain')} ${NO_CHAIN}.`);
  const { chainId, genesisHash, tip, lastSigned, supply, audit } = facts;
  // Each entry is verified: no entry of a later version, and no other damage, gets into a backup or out of one.
  const log = verifiedHead(file('chain'), { chainId, genesisHash });
  const state: ChainFacts = {
    height: facts.height,
    ...(tip === undefined
      ? {}
      : { blockTime: time(nsToMs(tip.timeNs)), blockHash: upperHex(tip.blockHash), appHash: upperHex(tip.appHash) }),
    supply: `${supply}`,
    ...(lastSigned === undefined ? {} : { lastSigned }),
  };
  return {
    chainId,
    genesisHash,
    state,
    ...(audit && { heads: { ...(log && { log: { seq: log.seq, hash: upperHex(log.hash) } }), audit } }),
    counts: facts.counts,
  };
}

const stateOfGateway = ({ height, blockHash, blockTimeMs, supply }: GatewayFacts): ChainFacts => ({
  height,
  ...(height === 0 ? {} : { blockTime: time(blockTimeMs), blockHash }),
  supply: `${supply}`,
});

export async function copyPostgres(
  url: string,
  folder: string,
  onProgress: (done: number, all: number) => void,
): Promise<Contents> {
  const { readRows } = await import('../../store/backup/postgres-rows.ts');
  const files = new Map(
    BACKUP_TABLES.map(
      (table) =>
        [
          table,
          createWriteStream(path.join(folder, rowsFile(table)), { mode: BACKUP_FILE_MODE, flags: 'wx' }),
        ] as const,
    ),
  );
  const read = await readRows(
    url,
    async (table, lines) => {
      const file = files.get(table);
      if (file !== undefined && lines.length > 0 && !file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
    },
    onProgress,
  );
  for (const file of files.values()) {
    file.end();
    await once(file, 'close');
  }
  if (read === undefined) throw new BackupError(`The database of DATABASE_URL ${NO_CHAIN}.`);
  const { facts, migrations } = read;
  return {
    chainId: facts.chainId,
    genesisHash: facts.genesisHash,
    state: stateOfGateway(facts),
    counts: facts.counts,
    migrations,
    names: BACKUP_TABLES.map(rowsFile),
    madeAgain: [],
  };
}
