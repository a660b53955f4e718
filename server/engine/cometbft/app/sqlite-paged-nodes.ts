/**
 * The nodes of the account tree in the application's SQLite file.
 *
 * A tile is a subtree of TILE_LEAVES leaves with all nodes between them and its root, in one row that fits one page of SQLite: a changed
 * leaf costs one page, at any height of the tree. Tiles are read into a bounded cache. The roots of the tiles and everything above
 * them stay in memory, one byte for each account; on disk there are only the roots, packed into rows, and the nodes above are computed at
 * start.
 */
import type { Database } from 'better-sqlite3';
import { HeapNodes, levelSize, type NodeLevel, type TreeNodes, VectorTree } from '../../../ledger/index.ts';
import { GenerationCache } from '../../generation-cache.ts';

const HASH_BYTES = 32;
export const TILE_HEIGHT = 6;
export const TILE_LEAVES = 2 ** TILE_HEIGHT;
/** All but the root: 4,032 bytes, where a page of 4,096 takes 4,061 without an overflow. */
const TILE_NODES = 2 * TILE_LEAVES - 2;
const TILE_BYTES = TILE_NODES * HASH_BYTES;
/** Three such rows fit a page, so that a changed root costs little beside its tile. */
export const ROOTS_PER_ROW = 32;
const ROOTS_ROW_BYTES = ROOTS_PER_ROW * HASH_BYTES;

/** Memory for recently used tiles: those of half a million accounts. */
export const TILE_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Memory of the objects around the bytes of a tile. */
const TILE_OVERHEAD_BYTES = 200;

export const NODE_TABLES_SQL = `
  CREATE TABLE tree_tiles (tile INTEGER PRIMARY KEY, nodes BLOB NOT NULL) STRICT;
  CREATE TABLE tree_roots (id INTEGER PRIMARY KEY, nodes BLOB NOT NULL) STRICT;
`;

/** Offset of the first node of a height in a tile: the leaves come first. */
function firstNode(height: number): number {
  return 2 * TILE_LEAVES - 2 ** (TILE_HEIGHT + 1 - height);
}

/** One node of a tile. */
export function tileNode(tile: Buffer, height: number, index: number): Buffer {
  const at = (firstNode(height) + index) * HASH_BYTES;
  return tile.subarray(at, at + HASH_BYTES);
}

/** The root of a tile in its row of roots. */
export function rootIn(row: Buffer | undefined, tile: number): Buffer | undefined {
  const at = (tile % ROOTS_PER_ROW) * HASH_BYTES;
  return row?.subarray(at, at + HASH_BYTES);
}

/** The nodes of one height below the roots of the tiles; an index is below 2^32. */
class TileLevel implements NodeLevel {
  readonly #first: number;
  /** An index is that of the tile, followed by so many bits of the position within the tile. */
  readonly #bits: number;
  readonly #mask: number;
  readonly #tile: (tile: number, change: boolean) => Buffer;

  constructor(height: number, tile: (tile: number, change: boolean) => Buffer) {
    this.#bits = TILE_HEIGHT - height;
    this.#mask = 2 ** this.#bits - 1;
    this.#first = firstNode(height);
    this.#tile = tile;
  }

  read(index: number): Buffer {
    const at = this.#offset(index);
    return this.#tile(index >>> this.#bits, false).subarray(at, at + HASH_BYTES);
  }

  copy(index: number, count: 1 | 2, target: Buffer, at: number): void {
    const start = this.#offset(index);
    this.#tile(index >>> this.#bits, false).copy(target, at, start, start + count * HASH_BYTES);
  }

  write(index: number, node: Uint8Array): void {
    this.#tile(index >>> this.#bits, true).set(node, this.#offset(index));
  }

  #offset(index: number): number {
    return (this.#first + (index & this.#mask)) * HASH_BYTES;
  }
}

export class PagedNodes implements TreeNodes {
  readonly #tileLevels: readonly NodeLevel[];
  /** The nodes above the tiles; its height 0 is the roots of the tiles. */
  readonly #above = new HeapNodes();
  readonly #rootLevel: NodeLevel;
  readonly #cache: GenerationCache<number, Buffer>;
  #unsavedTiles = new Map<number, Buffer>();
  /** Rows of tree_roots that hold a changed root. */
  #unsavedRoots = new Set<number>();
  readonly #selectTile;
  readonly #upsertTile;
  readonly #upsertRoots;
  /** Tiles that are in the file. */
  #tiles: number;

  /** Opens a tree with `leaves` leaves, all of whose nodes are in the file. */
  constructor(sql: Database, leaves: number, cacheBytesMax = TILE_CACHE_BYTES_MAX) {
    this.#cache = new GenerationCache(cacheBytesMax / (TILE_BYTES + TILE_OVERHEAD_BYTES) / 2);
    this.#selectTile = sql.prepare('SELECT nodes FROM tree_tiles WHERE tile = ?').pluck();
    this.#upsertTile = sql.prepare(
      'INSERT INTO tree_tiles (tile, nodes) VALUES (?, ?) ON CONFLICT (tile) DO UPDATE SET nodes = excluded.nodes',
    );
    this.#upsertRoots = sql.prepare(
      'INSERT INTO tree_roots (id, nodes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET nodes = excluded.nodes',
    );
    const tile = (index: number, change: boolean): Buffer => this.#tile(index, change);
    this.#tileLevels = Array.from({ length: TILE_HEIGHT }, (_, height) => new TileLevel(height, tile));
    const roots = this.#above.level(0);
    this.#rootLevel = {
      read: (index) => roots.read(index),
      copy: (index, count, target, at) => roots.copy(index, count, target, at),
      write: (index, node) => {
        roots.write(index, node);
        this.#unsavedRoots.add(Math.floor(index / ROOTS_PER_ROW));
      },
    };
    this.#tiles = levelSize(leaves, TILE_HEIGHT);
    this.#load(sql);
  }

  level(height: number): NodeLevel {
    return (
      this.#tileLevels[height] ?? (height === TILE_HEIGHT ? this.#rootLevel : this.#above.level(height - TILE_HEIGHT))
    );
  }

  /** Number of tiles not saved yet. */
  get unsaved(): number {
    return this.#unsavedTiles.size;
  }

  /** Writes changed tiles, inside the transaction of the block. They stay in memory until `saved`. */
  save(): void {
    for (const [tile, nodes] of this.#unsavedTiles) this.#upsertTile.run(tile, nodes);
    const roots = this.#above.level(0);
    for (const id of this.#unsavedRoots) {
      const row = Buffer.alloc(ROOTS_ROW_BYTES);
      // A tree of so few leaves that its root is within the first tile has no root of a tile yet.
      for (let i = 0; i < ROOTS_PER_ROW && id * ROOTS_PER_ROW + i < this.#tiles; i++)
        roots.copy(id * ROOTS_PER_ROW + i, 1, row, i * HASH_BYTES);
      this.#upsertRoots.run(id, row);
    }
  }

  /** Called when the changed tiles are in the file. */
  saved(): void {
    for (const [tile, nodes] of this.#unsavedTiles) this.#cache.set(tile, nodes);
    this.#unsavedTiles = new Map();
    this.#unsavedRoots = new Set();
  }

  #tile(index: number, change: boolean): Buffer {
    const unsaved = this.#unsavedTiles.get(index);
    if (unsaved !== undefined) return unsaved;
    const nodes = this.#cache.get(index) ?? this.#read(index, change);
    if (change) this.#unsavedTiles.set(index, nodes);
    return nodes;
  }

  #read(index: number, change: boolean): Buffer {
    if (index === this.#tiles && change) {
      this.#tiles += 1;
      return Buffer.alloc(TILE_BYTES);
    }
    const nodes = this.#selectTile.get(index) as Buffer | undefined;
    if (nodes?.length !== TILE_BYTES) throw new Error(`app.db is damaged: it has no tile ${index} of the tree`);
    this.#cache.set(index, nodes);
    return nodes;
  }

  /** Loads the roots of the tiles, and computes all nodes above them. */
  #load(sql: Database): void {
    const tree = new VectorTree(this.#above);
    for (const { id, nodes } of sql.prepare('SELECT id, nodes FROM tree_roots ORDER BY id').iterate() as Iterable<{
      id: number;
      nodes: Buffer;
    }>) {
      const end = Math.min((id + 1) * ROOTS_PER_ROW, this.#tiles);
      for (let tile = id * ROOTS_PER_ROW; tile < end; tile++) tree.set(tile, rootIn(nodes, tile) as Buffer);
    }
    tree.root();
  }
}
