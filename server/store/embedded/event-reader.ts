/**
 * Reads of the event log in chain.db. A block and its events are one transaction, so a snapshot has all events of every block that it has.
 *
 * No filter has an index, because it would cost every transfer an entry at a random place. A list with filters reads a bounded stretch
 * of the log instead, and returns the place up to which it read.
 */
import { LIMIT_GIVEN } from '../../platform/limit-given.ts';
import type { EventPlace } from '../../gateway/types.ts';
import { statusCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import { type EventList, type EventListQuery, hasFilters, type StoredEvent } from '../event-types.ts';
import { statementFailure } from '../sqlite/failure.ts';
import type { ChainConnection } from './connection.ts';
import { StoredNames } from './names.ts';
import { Snapshots } from './snapshots.ts';
import { LISTED_COLUMNS, listedOfRow, type ListedRow, NO_CANCEL } from './transfer-rows.ts';

type EventColumns = [height: number, index: number, seq: number | null, submitterId: number | null];
type Row = [...EventColumns, ...ListedRow];
type VoidRow = [hash: string, fromId: number, nonce: number, blockTimeMs: number];
type Range = [afterHeight: number, afterIndex: number, beforeHeight: number, beforeIndex: number];

/** Before the first place and after the last. */
const START: EventPlace = { height: 0, index: 0 };
const END: EventPlace = { height: Number.MAX_SAFE_INTEGER, index: 0 };

const IN_RANGE = '(e.height, e.idx) > (?, ?) AND (e.height, e.idx) < (?, ?)';

export class EventReader {
  readonly #snapshots: Snapshots;
  readonly #names: StoredNames;
  readonly #statements: ReturnType<typeof prepare>;

  /** `snapshots`: those of the connection, where several readers share it. */
  constructor(sql: ChainConnection, snapshots = new Snapshots(sql)) {
    this.#snapshots = snapshots;
    this.#names = new StoredNames(sql);
    this.#statements = prepare(sql);
  }

  /** With the height of the last block. Throws StoreUnavailableError when SQLite does not answer. */
  list(query: EventListQuery): EventList & { height: number } {
    try {
      return this.#snapshots.read(() => ({ ...this.#list(query), height: this.#statements.height.get() ?? 0 }));
    } catch (error) {
      throw statementFailure(error);
    }
  }

  #list(query: EventListQuery): EventList {
    const { limit, order, after = START, before = END, scanMax } = query;
    const filter = this.#filterOf(query);
    if (filter === undefined) return { events: [], scanned: 0 };
    const range: Range = [after.height, after.index, before.height, before.index];
    const scans = hasFilters(query);
    const [bound, next] = scans ? this.#statements.places(order).all(...range, scanMax - 1) : [];
    const rows = this.#statements
      .rows(order, filter.condition)
      .all(...within(range, order, bound), ...filter.values, limit + 1);
    const events = rows.slice(0, limit).map((row) => this.#eventOf(row));
    const last = events.at(-1);
    if (rows.length > limit && last !== undefined) {
      const reached: [number, number] = [last.height, last.index];
      return {
        events,
        reached: placeOf(reached),
        scanned: scans ? (this.#statements.count.get(...within(range, order, reached)) ?? 0) : events.length,
      };
    }
    if (bound === undefined || next === undefined) return { events, scanned: events.length };
    return { events, reached: placeOf(bound), scanned: scanMax };
  }

  /** Undefined where nothing can match. */
  #filterOf({
    account,
    owner,
    status,
    reference,
  }: EventListQuery): { condition: string; values: (number | string)[] } | undefined {
    const conditions: string[] = [];
    const values: (number | string)[] = [];
    if (account !== undefined) {
      const id = this.#statements.accountId.get(account);
      if (id === undefined) return undefined;
      conditions.push(
        '(t.from_id = ? OR t.to_id = ? OR e.seq IS NULL AND (SELECT v.from_id FROM unknown_voids v WHERE v.height = e.height AND v.idx = e.idx) = ?)',
      );
      values.push(id, id, id);
    }
    if (owner !== undefined) {
      if (this.#statements.isOwner.get(owner) === undefined) return undefined;
      conditions.push('t.submitter_id IN (SELECT id FROM submitters WHERE owner = ?)');
      values.push(owner);
    }
    if (status !== undefined) {
      conditions.push(status === 'cancelled' ? '(t.status = ? OR e.seq IS NULL)' : 't.status = ?');
      values.push(statusCode(status));
    }
    if (reference !== undefined) {
      conditions.push('(SELECT m.reference FROM payment_members m WHERE m.seq = e.seq) = ?');
      values.push(reference);
    }
    return { condition: conditions.map((condition) => ` AND ${condition}`).join(''), values };
  }

  #eventOf([height, index, seq, submitterId, ...row]: Row): StoredEvent {
    if (seq === null) return this.#voidAt(height, index);
    // The join has no row.
    if (typeof row[0] !== 'number') throw damaged(height, index);
    const transfer = listedOfRow(row, this.#names, NO_CANCEL);
    const owner = submitterId === null ? undefined : this.#names.submitter(submitterId).owner;
    return { height, index, blockTimeMs: transfer.blockTimeMs ?? 0, transfer: { ...transfer, owner } };
  }

  #voidAt(height: number, index: number): StoredEvent {
    const row = this.#statements.voided.get(height, index);
    if (row === undefined) throw damaged(height, index);
    const [hash, fromId, nonce, blockTimeMs] = row;
    return { height, index, blockTimeMs, voided: { hash, from: this.#names.address(fromId), nonce } };
  }
}

/** The part of the range up to a row and with it. */
function within(
  [afterHeight, afterIndex, beforeHeight, beforeIndex]: Range,
  order: 'asc' | 'desc',
  last: [height: number, index: number] | undefined,
): Range {
  if (last === undefined) return [afterHeight, afterIndex, beforeHeight, beforeIndex];
  const [height, index] = last;
  return order === 'asc'
    ? [afterHeight, afterIndex, height, index + 1]
    : [height, index - 1, beforeHeight, beforeIndex];
}

const placeOf = ([height, index]: [number, number]): EventPlace => ({ height, index });

const damaged = (height: number, index: number): StoreDamagedError =>
  new StoreDamagedError(
    `the event ${height}-${index} names neither a transfer nor a voided nonce; restore the database from a backup`,
  );

function prepare(sql: ChainConnection) {
  const ordered = (order: 'asc' | 'desc'): string => `ORDER BY e.height ${order}, e.idx ${order}`;
  return {
    height: sql.prepare<[], number>('SELECT max(height) FROM blocks').pluck(),
    accountId: sql.prepare<[string], number>('SELECT id FROM accounts WHERE address = ?').pluck(),
    isOwner: sql.prepare<[string], number>('SELECT 1 FROM submitters WHERE owner = ?').pluck(),
    count: sql.prepare<Range, number>(`SELECT count(*) FROM events e WHERE ${IN_RANGE}`).pluck(),
    voided: sql
      .prepare<[number, number], VoidRow>(
        'SELECT hex(hash), from_id, nonce, block_time_ms FROM unknown_voids WHERE height = ? AND idx = ?',
      )
      .raw(),
    /** Two rows, the first of which is this many after the beginning. */
    places: remembered((order: 'asc' | 'desc') =>
      sql
        .prepare<[...Range, offset: number], [number, number]>(
          `SELECT e.height, e.idx FROM events e WHERE ${IN_RANGE} ${ordered(order)} LIMIT 2 OFFSET ?`,
        )
        .raw(),
    ),
    /** One for each order and set of filters. */
    rows: remembered((order: 'asc' | 'desc', condition: string) =>
      sql
        .prepare<(number | string)[], Row>(
          `SELECT e.height, e.idx, e.seq, t.submitter_id, ${LISTED_COLUMNS} FROM events e LEFT JOIN transfers t ON t.seq = e.seq
           WHERE ${IN_RANGE}${condition} ${ordered(order)} ${LIMIT_GIVEN}`,
        )
        .raw(),
    ),
  };
}

function remembered<Key extends string[], T>(make: (...key: Key) => T): (...key: Key) => T {
  const made = new Map<string, T>();
  return (...key) => {
    const name = key.join('\n');
    const known = made.get(name) ?? make(...key);
    made.set(name, known);
    return known;
  };
}
