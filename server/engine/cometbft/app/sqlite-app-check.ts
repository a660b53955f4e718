/** Verifies a whole app.db, one page of accounts after another. */
import Database from 'better-sqlite3';
import { HeapNodes, leafHashOf, levelSize, type AccountRow, StateRoot, VectorTree } from '../../../ledger/index.ts';
import { upperHex } from '../../encoding/index.ts';
import { EngineStartError } from '../../start-error.ts';
import { openReader } from './sqlite-app-reader.ts';
import { rootIn, ROOTS_PER_ROW, TILE_HEIGHT, TILE_LEAVES, tileNode } from './sqlite-paged-nodes.ts';

/** Accounts read at a time: whole tiles. */
const PAGE_ACCOUNTS = 100 * TILE_LEAVES;

/**
 * Verifies that the accounts of an app.db give the application hash that was recorded with them, and that the stored tree is theirs. Throws
 * EngineStartError where they do not.
 */
export function checkAppState(path: string): { height: number; accounts: number } {
  const reader = openReader(path);
  if (reader === undefined) throw new EngineStartError(`${path} holds no state`);
  const sql = new Database(path, { readonly: true });
  try {
    const { height, appHash, governance } = reader;
    const tree = storedTree(sql);
    const root = new StateRoot();
    for (let page = reader.page(0, PAGE_ACCOUNTS); page.length > 0; page = reader.page(root.leaves, PAGE_ACCOUNTS)) {
      for (const { leaf, address, account } of page) {
        // A missing or doubled leaf means a damaged store, and another app hash.
        if (leaf !== root.leaves)
          throw new EngineStartError(`${path} is damaged: the stored accounts are damaged at leaf ${root.leaves}`);
        root.add(address, account);
      }
      for (let at = 0; at < page.length; at += TILE_LEAVES) checkTile(path, page.slice(at, at + TILE_LEAVES), tree);
    }
    const found = root.appHash(governance);
    if (Buffer.compare(found, appHash) !== 0) {
      throw new EngineStartError(
        `the accounts of ${path} give the application hash ${upperHex(found)} at height ${height}, where ${upperHex(appHash)} was recorded`,
      );
    }
    const doubled = sql
      .prepare('SELECT address FROM accounts GROUP BY address HAVING count(*) > 1 LIMIT 1')
      .pluck()
      .get();
    if (doubled !== undefined)
      throw new EngineStartError(`${path} is damaged: it has the account ${String(doubled)} twice`);
    return { height, accounts: root.leaves };
  } finally {
    sql.close();
    reader.close();
  }
}

interface StoredTree {
  readonly tile: (tile: number) => Buffer | undefined;
  readonly root: (tile: number) => Buffer | undefined;
}

/** Returns undefined for a file of a version that kept the tree in memory. */
function storedTree(sql: Database.Database): StoredTree | undefined {
  const isThere = sql.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tree_tiles'").pluck().get() === 1;
  if (!isThere) return undefined;
  const selectTile = sql.prepare('SELECT nodes FROM tree_tiles WHERE tile = ?').pluck();
  const selectRoots = sql.prepare('SELECT nodes FROM tree_roots WHERE id = ?').pluck();
  return {
    tile: (tile) => selectTile.get(tile) as Buffer | undefined,
    root: (tile) => rootIn(selectRoots.get(Math.floor(tile / ROOTS_PER_ROW)) as Buffer | undefined, tile),
  };
}

/** Compares the accounts of one tile, or those of the last one that exist, with its nodes. */
function checkTile(path: string, rows: readonly AccountRow[], stored: StoredTree | undefined): void {
  const [first] = rows;
  if (stored === undefined || first === undefined) return;
  const tile = first.leaf / TILE_LEAVES;
  const nodes = new HeapNodes();
  const tree = new VectorTree(nodes);
  for (const [i, row] of rows.entries()) tree.set(i, leafHashOf(row));
  const root = tree.root();
  const found = stored.tile(tile);
  // A node without a sibling is written higher up only when the tree has grown so far.
  for (let height = 0; height < TILE_HEIGHT && (height === 0 || levelSize(rows.length, height - 1) > 1); height++) {
    for (let i = 0; i < levelSize(rows.length, height); i++) {
      if (found !== undefined && Buffer.compare(tileNode(found, height, i), nodes.level(height).read(i)) === 0)
        continue;
      throw new EngineStartError(`${path} is damaged: tile ${tile} of the tree is not that of its accounts`);
    }
  }
  // The root of so small a tree is within the tile.
  if (tile === 0 && rows.length <= TILE_LEAVES / 2) return;
  const rootFound = stored.root(tile);
  if (rootFound !== undefined && Buffer.compare(rootFound, root) === 0) return;
  throw new EngineStartError(`${path} is damaged: the root of tile ${tile} of the tree is not that of its accounts`);
}
