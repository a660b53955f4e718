/**
 * `txledger store copy`: copies everything that a stopped service keeps beside its chain into an empty database that gateways share.
 *
 * The rows are written in one transaction (PostgreSQL) or under another file name (SQLite): an interrupted copy leaves nothing, and is run
 * again. At its end the target is read again, and every table is compared by the number and the hash of its rows.
 *
 * @module
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { decodeBlock } from '../../engine/encoding/index.ts';
import { sqliteChainStore } from '../../engine/embedded/index.ts';
import { decodeTransaction } from '../../ledger/index.ts';
import { factsOfGateway } from '../../store/backup/gateway-file.ts';
import { BACKUP_TABLES, type BackupTable, type GatewayFacts } from '../../store/backup/gateway-tables.ts';
import { CHAIN_MIGRATIONS, ChainAsGateway } from '../../store/copy/chain-as-gateway.ts';
import { rowsIntoGatewayFile } from '../../store/copy/rows-into-gateway-file.ts';
import { fileMigrations, fileRows, hasTable, lineOf, sameLine, TableSums } from '../../store/copy/row-lines.ts';
import { StoreDamagedError } from '../../store/errors.ts';
import { onFile } from '../../store/backup/chain-facts.ts';
import { SHARDS_SHARED, shardsAfter } from '../../store/shards.ts';
import { attachLog } from '../../store/embedded/chain-log.ts';
import { openReadOnly, type SqliteConnection } from '../../store/sqlite/library.ts';
import { syncPath } from '../../platform/disk-file.ts';
import { kindOf } from '../backup/source.ts';
import { DatabaseUnreachableError } from '../database-error.ts';
import { openDataDir } from '../data-dir.ts';
import { withoutPassword } from '../engine-config.ts';
import { ExplainedError } from '../explained-error.ts';
import { readSeal } from '../graduate/seal.ts';
import { missingInOtherForm } from '../schema-versions.ts';

export class CopyError extends ExplainedError {
  override readonly name = 'CopyError';
}

export interface CopyOptions {
  /** The data folder, absolute. */
  readonly from: string;
  /** postgres://..., or the absolute path of a file. */
  readonly to: string;
  readonly onProgress: (what: string, done: number, all: number) => void;
}

export interface Copied {
  readonly target: string;
  readonly facts: Pick<GatewayFacts, 'chainId' | 'height' | 'counts'>;
  /** An earlier run had copied everything: this run only compared chain ID and height. */
  readonly wasThere: boolean;
}

/** Rows, and the migrations that made their tables. */
interface Source {
  readonly chainId: string;
  readonly genesisHash: string;
  readonly height: number;
  readonly rows: number;
  readonly migrations: readonly string[];
  lines(table: BackupTable): Iterable<string>;
  close(): void;
}

export const isPostgres = (to: string): boolean => /^postgres(ql)?:\/\//.test(to);

export async function copyStore(options: CopyOptions): Promise<Copied> {
  const { from } = options;
  if (!existsSync(from)) throw new CopyError(`${from} is not there.`);
  const folder = openDataDir(from);
  try {
    const source = openSource(folder.files, options.to);
    try {
      return isPostgres(options.to) ? await intoPostgres(source, options) : await intoFile(source, options);
    } finally {
      source.close();
    }
  } catch (error) {
    if (error instanceof StoreDamagedError) throw new CopyError(`${error.message}.`);
    throw missingInOtherForm(error, folder.files) ?? error;
  } finally {
    folder.release();
  }
}

function openSource(files: ReturnType<typeof openDataDir>['files'], to: string): Source {
  const kind = kindOf(files);
  if (kind === 'chain') return openChain(files);
  if (kind === 'gateway') return openGateway(files.gateway, isPostgres(to));
  throw new CopyError(`${path.dirname(files.lock)} holds no database of a service (chain.db or gateway.db).`);
}

/** Only of a chain that continues elsewhere: transfers that an embedded chain accepts after the copy would be missing in it. */
function openChain(files: ReturnType<typeof openDataDir>['files']): Source {
  if (readSeal(files)?.isComplete !== true)
    throw new CopyError(
      `The chain of ${path.dirname(files.chain)} goes on there. Run \`txledger graduate\` first: what is accepted after a copy would be missing in it.`,
    );
  const sql = openReadOnly(files.chain);
  attachLog(sql, files.chain);
  const old = hasTable(sql, 'webhooks') || !existsSync(files.webhooks) ? undefined : openReadOnly(files.webhooks);
  const chain = new ChainAsGateway({ sql, webhooks: old ?? sql, signatureAt: signaturesIn(sql) });
  const { chainId, genesisHash, height } = sql
    .prepare(
      'SELECT chain_id AS chainId, genesis_hash AS genesisHash, (SELECT max(height) FROM blocks) AS height FROM chain',
    )
    .get() as Pick<Source, 'chainId' | 'genesisHash' | 'height'>;
  return {
    chainId,
    genesisHash,
    height,
    rows: chain.transfers,
    migrations: CHAIN_MIGRATIONS,
    lines: (table) => chain.lines(table),
    close: () => {
      sql.close();
      old?.close();
    },
  };
}

/** @param forMany true if the target is a database that gateways share. */
function openGateway(file: string, forMany: boolean): Source {
  const sql = openReadOnly(file);
  const facts = factsOfGateway(sql);
  if (facts === undefined) throw new CopyError(`${file} has followed no chain yet: there is nothing to copy.`);
  return {
    chainId: facts.chainId,
    genesisHash: facts.genesisHash,
    height: facts.height,
    rows: facts.counts.transfers,
    migrations: fileMigrations(sql),
    lines: (table) => (table === 'shards' && forMany ? sharedShards(sql) : fileRows(sql, table)),
    close: () => void sql.close(),
  };
}

/** A single writer has a single shard of senders. Gateways that share the copy would all wait for each other on that one shard. */
function* sharedShards(sql: SqliteConnection): Generator<string> {
  if (!hasTable(sql, 'shards')) return;
  const { lastSeq, pending } = sql
    .prepare('SELECT max(last_seq) AS lastSeq, sum(pending) AS pending FROM shards')
    .get() as { lastSeq: number; pending: number };
  for (const shard of shardsAfter(lastSeq, pending, SHARDS_SHARED))
    yield lineOf({ id: shard.id, last_seq: shard.lastSeq, pending: shard.pending });
}

/** Signatures by place. Transfers are read in about the order of their blocks, so the last block is kept. */
function signaturesIn(sql: SqliteConnection): (height: number, position: number) => string {
  const store = sqliteChainStore({ sql, writing: (work) => work() });
  let last: { height: number; transactions: readonly Uint8Array[] } | undefined;
  return (height, position) => {
    if (last?.height !== height)
      last = { height, transactions: decodeBlock(store.block(height)?.bytes ?? new Uint8Array()).transactions };
    const raw = last.transactions[position];
    const decoded = raw === undefined ? undefined : decodeTransaction(raw);
    if (decoded?.ok !== true || decoded.tx.kind !== 'transfer')
      throw new StoreDamagedError(
        `chain.db says that block ${height} executed a transfer at place ${position}, which is missing`,
      );
    return decoded.tx.signature;
  };
}

/** The lines of a source, counted and hashed as they pass. */
async function* counted(source: Source, table: BackupTable, sums: TableSums): AsyncGenerator<string> {
  for (const line of source.lines(table)) {
    sums.add(table, line);
    yield line;
  }
}

async function intoPostgres(source: Source, { to, onProgress }: CopyOptions): Promise<Copied> {
  const { readRows, RowsRefusedError, writeRows } = await import('../../store/backup/postgres-rows.ts');
  const target = withoutPassword(to);
  const sent = new TableSums();
  try {
    await writeRows(to, { migrations: source.migrations, rows: (table) => counted(source, table, sent) }, (rows) =>
      onProgress('writing rows', Math.min(rows, source.rows), source.rows),
    );
  } catch (error) {
    if ((error as Error).name === 'StoreUnavailableError')
      throw new DatabaseUnreachableError(`The database ${target} cannot be used: ${(error as Error).message}.`, {
        cause: error,
      });
    if (!(error instanceof RowsRefusedError)) throw error;
    const there = (
      await readRows(
        to,
        async () => undefined,
        () => undefined,
      )
    )?.facts;
    return { target, facts: sameChain(source, there, `${target} cannot be filled: ${error.message}.`), wasThere: true };
  }
  const found = new TableSums();
  const read = await readRows(
    to,
    async (table, lines) => {
      for (const line of lines) found.add(table, sameLine(line));
    },
    (rows, all) => onProgress('comparing rows', rows, all),
  );
  compare(sent, found, target);
  return {
    target,
    facts: sameChain(source, read?.facts, `${target} does not hold what was written.`),
    wasThere: false,
  };
}

async function intoFile(source: Source, { to, onProgress }: CopyOptions): Promise<Copied> {
  if (existsSync(to)) {
    const there = onFile(to, factsOfGateway);
    return {
      target: to,
      facts: sameChain(source, there, `${to} exists, and holds something else. Name a file that does not exist.`),
      wasThere: true,
    };
  }
  const partial = `${to}.partial`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${partial}${suffix}`, { force: true });
  const sent = new TableSums();
  let rows = 0;
  const lines = async function* (table: BackupTable): AsyncGenerator<string> {
    for await (const line of counted(source, table, sent)) {
      if (table === 'transfers') onProgress('writing rows', (rows += 1), source.rows);
      yield line;
    }
  };
  await rowsIntoGatewayFile(partial, source.migrations, lines);
  const found = new TableSums();
  onFile(partial, (sql) => {
    for (const table of BACKUP_TABLES) for (const line of fileRows(sql, table)) found.add(table, line);
  });
  compare(sent, found, to);
  const facts = sameChain(source, onFile(partial, factsOfGateway), `${to} does not hold what was written.`);
  syncPath(partial);
  renameSync(partial, to);
  syncPath(path.dirname(to));
  return { target: to, facts, wasThere: false };
}

function compare(sent: TableSums, found: TableSums, target: string): void {
  const written = found.end();
  for (const [table, { rows, sha256 }] of sent.end()) {
    const there = written.get(table);
    if (there?.rows !== rows || there.sha256 !== sha256)
      throw new CopyError(
        `The copy is not what it should be: table ${table} of ${target} has ${there?.rows ?? 0} rows, and ${rows} were written; their hashes differ. Drop that database, and run the copy again.`,
      );
  }
}

/** @throws CopyError with `otherwise` unless the target follows the same chain, at this height or later. */
function sameChain(source: Source, there: GatewayFacts | undefined, otherwise: string): Copied['facts'] {
  if (
    there === undefined ||
    there.chainId !== source.chainId ||
    there.genesisHash !== source.genesisHash ||
    there.height < source.height
  )
    throw new CopyError(otherwise);
  return there;
}
