/** Verifies a chain.db: every block from genesis, the resulting state, and every row against both. @module */
import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { compareState, Replay, sqliteChainStore } from '../../engine/embedded/index.ts';
import { ChainRows } from '../../store/backup/chain-rows.ts';
import { countOf } from '../../store/backup/chain-facts.ts';
import { StoreDamagedError } from '../../store/errors.ts';
import { auditHead, hasAuditChain } from '../../store/embedded/audit-chain.ts';
import { verifiedTail } from '../../store/embedded/chain-log.ts';
import { openReadOnly, type SqliteConnection } from '../../store/sqlite/library.ts';
import { counted } from '../counted.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import { BackupError } from './backup-error.ts';
import { readGenesisFile } from './genesis-file.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import { TransactionsAhead } from '../threads/transactions-ahead.ts';
import type { Verifier } from './verifier.ts';

/** Blocks between two turns of the event loop, so that the progress bar moves and Ctrl-C is received. */
const BLOCKS_A_TURN = 50;
/**
 * Snapshots that are tried: while it makes two blocks, a service may drop entries between the snapshot of chain.db and the read of the log;
 * then both are taken again.
 */
const SNAPSHOTS_MAX = 5;
/** Share of the free disk space that the log of a running service may take meanwhile. */
const LOG_SHARE = 0.25;

export const verifyChain: Verifier = async ({ files, genesisFile, manifest, isQuick, from, onProgress }) => {
  const genesis = readGenesisFile(genesisFile);
  chooseSignatureLibrary();
  const sql = openReadOnly(files.chain);
  let ahead: TransactionsAhead | undefined;
  try {
    // Everything is read as of one moment, also while the service runs and its log grows.
    const tail = beginOn(sql, files.chain, genesis);
    const store = sqliteChainStore({
      sql,
      writing: () => {
        throw new Error('verification writes nothing');
      },
    });
    const logIsShort = manifest === undefined ? watchLog(files.chain) : () => undefined;
    const height = store.height();
    const first = isQuick ? from : 1;
    if (first > height + 1)
      throw new BackupError(`The chain ends at height ${height}: nothing is to be verified from ${first} on.`);
    if (!isQuick)
      ahead = new TransactionsAhead({ chain: genesis, read: (at) => store.block(at)?.bytes, from: first, to: height });
    const replay = new Replay({
      genesis,
      store,
      isVerified: (at, index) => ahead?.isVerified(at, index) === true,
      ...(isQuick && { hashesFrom: first }),
    });
    const rows = isQuick ? undefined : new ChainRows(sql, genesis);
    let done = 0;
    let transactions = 0;
    const blocks = replay.blocks();
    for (;;) {
      await ahead?.ready(first + done);
      const { value: block, done: isEnd } = blocks.next();
      if (isEnd === true) break;
      rows?.checkBlock(block);
      transactions += block.transactions.length;
      done += 1;
      if (done % BLOCKS_A_TURN !== 0) continue;
      logIsShort();
      onProgress('blocks', done, height - first + 1);
      await new Promise(setImmediate);
    }
    if (rows === undefined)
      return [`${counted(done, 'block')} from height ${first}: hashes, parents and signatures; nothing was executed`];
    compareState(replay.state, store);
    const supply = genesis.accounts.reduce((sum, { balance }) => sum + balance, 0n);
    if (replay.state.supply() !== supply)
      throw new StoreDamagedError(`the balances add up to ${replay.state.supply()}, and genesis gives ${supply}`);
    rows.finish((address) => replay.state.account(address)?.nonce, tail.groups);
    checkPages(sql);
    return [
      `${counted(done, 'block')} executed from genesis`,
      counted(transactions, 'transaction'),
      `${counted([...replay.state.leaves()].length, 'balance')}, whose sum is the supply of genesis`,
      'every transfer, event and index against the blocks',
      'tokens, bindings and the audit trail',
      ...(hasAuditChain(sql) ? [`the hash of each line of the audit trail (${auditHead(sql).id})`] : []),
      ...(tail.entries === 0 ? [] : [`the hash of each entry of the log (${tail.entries})`]),
    ];
  } finally {
    await ahead?.close();
    sql.close();
  }
};

/** Begins a snapshot, and reads the log entries behind it: from then on the log of a running service is left alone. */
function beginOn(
  sql: SqliteConnection,
  file: string,
  { chainId, hash }: Pick<GenesisDocument, 'chainId' | 'hash'>,
): { groups: string[]; entries: number } {
  for (let attempt = 1; attempt <= SNAPSHOTS_MAX; attempt += 1) {
    sql.exec('BEGIN');
    const tail = verifiedTail(file, sql, { chainId, genesisHash: hash });
    if (tail !== undefined) return tail;
    sql.exec('COMMIT');
  }
  throw new StoreDamagedError(
    'log.db does not have what comes behind the last block of chain.db: chain.db is an older copy. Put back the files that belong together (txledger restore)',
  );
}

/** Checks SQLite's own structure, which the queries above may not have read. */
function checkPages(sql: SqliteConnection): void {
  const found = sql.prepare('PRAGMA integrity_check(1)').pluck().get();
  if (found !== 'ok') throw new StoreDamagedError(`chain.db is damaged: ${String(found)}`);
  if (countOf(sql, 'SELECT count(*) FROM pragma_foreign_key_check') > 0)
    throw new StoreDamagedError('chain.db is damaged: a row refers to one that is not there');
}

function watchLog(file: string): () => void {
  const bytes = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = statfsSync(path.dirname(file));
  const max = bytes() + bavail * bsize * LOG_SHARE;
  return () => {
    if (bytes() > max)
      throw new BackupError(
        'The verification was given up: the log of the running service has grown too long meanwhile. Take a backup, and verify that.',
      );
  };
}
