/**
 * Verifies the database of a gateway in front of CometBFT nodes: its rows against each other, every signature, and with COMETBFT_RPC_URL
 * also the blocks of a node.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkGatewayRows } from '../../store/backup/gateway-rows.ts';
import { executedIn, type ExecutedRow } from '../../store/backup/executed-rows.ts';
import { rowsFile } from '../../store/backup/gateway-tables.ts';
import { onFile } from '../../store/backup/chain-facts.ts';
import { copyDatabase } from '../../store/backup/copy-database.ts';
import { bringUpToDate, isUpToDate, rowsIntoFile } from '../../store/backup/rows-into-file.ts';
import { openReadOnly, type SqliteConnection } from '../../store/sqlite/library.ts';
import { StoreDamagedError } from '../../store/errors.ts';
import { counted } from '../counted.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import { DATA_DIR_FILES } from '../data-dir-files.ts';
import { BackupError } from './backup-error.ts';
import { compareFacts } from './compare-facts.ts';
import { readGenesisFile } from './genesis-file.ts';
import { linesOf } from './restore-rows.ts';
import type { Verifier } from './verifier.ts';

/** Rows between two updates of the progress bar. */
const ROWS_A_DRAW = 1000;
/** A node that does not answer a request in this time is taken as unreachable. */
const NODE_MS_MAX = 10_000;

export const verifyGateway: Verifier = async ({ files, genesisFile, manifest, isQuick, nodeUrl, onProgress }) => {
  const isRows = manifest?.database === 'postgres';
  if (isQuick) {
    if (manifest === undefined)
      throw new BackupError('--quick looks at the hashes of a backup, and of blocks; this folder has neither.');
    return ['nothing but hashes'];
  }
  const genesis = readGenesisFile(genesisFile);
  chooseSignatureLibrary();
  // Data that an earlier version wrote is checked as a start would migrate it, and is not changed.
  const scratch =
    isRows || !onFile(files.gateway, isUpToDate) ? mkdtempSync(path.join(tmpdir(), 'txledger-verify-')) : undefined;
  try {
    const file = scratch === undefined ? files.gateway : path.join(scratch, DATA_DIR_FILES.gateway);
    if (scratch !== undefined && !isRows) {
      await copyDatabase({ from: files.gateway, to: file, logBytesMax: Number.MAX_SAFE_INTEGER });
      await bringUpToDate(file);
    }
    if (scratch !== undefined && isRows)
      await intoFile(file, manifest?.migrations ?? [], (table) =>
        linesOf(path.join(path.dirname(files.genesis), rowsFile(table))),
      );
    if (scratch !== undefined && isRows && manifest !== undefined) compareFacts(manifest, scratch);
    const sql = openReadOnly(file);
    try {
      sql.exec('BEGIN');
      const transfers = checkGatewayRows(sql, genesis, (done) => {
        if (done % ROWS_A_DRAW === 0) onProgress('transfers', done, manifest?.counts['transfers'] ?? done);
      });
      const checked = [
        `${counted(transfers, 'transfer')}: hashes, signatures and events`,
        'balances, whose sum is the supply of genesis',
        'tokens, bindings and the audit trail',
      ];
      return nodeUrl === undefined
        ? [...checked, 'no block: COMETBFT_RPC_URL names no node']
        : [...checked, await compareWithNode(sql, nodeUrl, onProgress)];
    } finally {
      sql.close();
    }
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true });
  }
};

/** Rows that the tables refuse (a number twice, a missing column) are reported as a difference, not as a defect of this program. */
async function intoFile(
  file: string,
  made: readonly string[],
  rows: Parameters<typeof rowsIntoFile>[2],
): Promise<void> {
  try {
    await rowsIntoFile(file, made, rows);
  } catch (error) {
    if (error instanceof SyntaxError) throw new StoreDamagedError(`a line is no JSON: ${error.message}`);
    throw error;
  }
}

interface NodeBlock {
  result?: { block_id: { hash: string }; block: { data: { txs: string[] | null } } };
}

/** Checks that every executed transfer is in the block that the database names, according to one node. */
async function compareWithNode(
  sql: SqliteConnection,
  nodeUrl: string,
  onProgress: (what: string, done: number, all: number) => void,
): Promise<string> {
  const { hash } = await import('node:crypto');
  const { tip, blocks, all } = executedIn(sql);
  const ask = async (height: number): Promise<NonNullable<NodeBlock['result']>> => {
    const answer = await fetch(new URL(`block?height=${height}`, nodeUrl.endsWith('/') ? nodeUrl : `${nodeUrl}/`), {
      signal: AbortSignal.timeout(NODE_MS_MAX),
    }).then(
      (response) => response.json() as Promise<NodeBlock>,
      () => undefined,
    );
    if (answer?.result === undefined)
      throw new BackupError(
        `The node ${new URL(nodeUrl).host} does not answer with block ${height}: name one that has the whole chain.`,
      );
    return answer.result;
  };
  if (tip.height > 0) {
    const { block_id: id } = await ask(tip.height);
    if (id.hash !== tip.hash)
      throw new StoreDamagedError(
        `block ${tip.height} has the hash ${tip.hash} in the database, and ${id.hash} at the node`,
      );
  }
  let done = 0;
  for (const [height, rows] of blocks as Iterable<readonly [number, ExecutedRow[]]>) {
    const { block } = await ask(height);
    const hashes = new Set(
      (block.data.txs ?? []).map((tx) => hash('sha256', Buffer.from(tx, 'base64'), 'hex').toUpperCase()),
    );
    const missing = rows.find((row) => !hashes.has(row.executedAs ?? row.hash));
    if (missing !== undefined)
      throw new StoreDamagedError(
        `block ${height}: the transfer ${missing.hash} is settled by it in the database, and is not in it at the node`,
      );
    done += 1;
    onProgress('blocks', done, all);
  }
  return `${counted(done, 'block')} of the node ${new URL(nodeUrl).host}`;
}
