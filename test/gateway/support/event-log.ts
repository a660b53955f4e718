/** The event log as a gateway answers it, page by page, and as the blocks and the list of transfers say that it has to be. */
import type { ChainEvent, EventPage, EventQuery, Gateway, TransactionRecord } from '../../../server/gateway/index.ts';
import { placeText } from '../../../server/gateway/event-place.ts';
import { decodeTransaction, isExecuted, txHash } from '../../../server/ledger/index.ts';
import type { TestEngine } from './test-engine.ts';

/** What a test compares: everything of an event that blocks and rows decide. */
export interface ExpectedEvent {
  id: string;
  type: string;
  blockTimeMs: number;
  txHash: string;
  /** Absent when nobody here knew the transfer. */
  record?: TransactionRecord;
}

/** By the blocks alone, and by the rows where they have to say which transfer a block settled. */
export function expectedEvents(
  committed: TestEngine['committed'],
  listed: readonly TransactionRecord[],
  nonceOf: (record: TransactionRecord) => number | undefined,
): ExpectedEvent[] {
  const settled = listed.filter(({ status }) => status !== 'pending');
  const bySlot = Map.groupBy(settled, (record) => `${record.height}/${record.from}/${nonceOf(record)}`);
  return committed.flatMap(({ height, timeMs, transactions, codes }) => {
    const first: ExpectedEvent[] = [];
    const behind: ExpectedEvent[] = [];
    const eventOf = (index: number, record: TransactionRecord): ExpectedEvent => ({
      id: `${height}-${index}`,
      type: `transaction.${record.status}`,
      blockTimeMs: timeMs,
      txHash: record.txHash,
      record,
    });
    for (const [position, raw] of transactions.entries()) {
      const decoded = decodeTransaction(raw);
      if (!decoded.ok || decoded.tx.kind === 'governance' || !isExecuted(codes[position] ?? Number.NaN)) continue;
      const { tx } = decoded;
      const hash = txHash(raw);
      const rows = bySlot.get(`${height}/${tx.from}/${tx.nonce}`) ?? [];
      if (tx.kind === 'transfer') {
        const own = rows.filter(
          (record) => (record.executedAs ?? record.txHash) === hash && record.reason?.code !== 'nonce_superseded',
        );
        first.push(...own.map((record) => eventOf(position, record)));
        behind.push(
          ...rows
            .filter((record) => !own.includes(record))
            .map((record) => eventOf(transactions.length + position, record)),
        );
      } else if (rows.length > 0) first.push(...rows.map((record) => eventOf(position, record)));
      else
        first.push({
          id: `${height}-${position}`,
          type: 'transaction.cancelled',
          blockTimeMs: timeMs,
          txHash: tx.txHash,
        });
    }
    return [...first, ...behind];
  });
}

/** The log of a gateway as `expectedEvents` tells it. */
export function shown(
  events: readonly ChainEvent[],
  recordOf: (txHash: string) => TransactionRecord | undefined,
): ExpectedEvent[] {
  return events.map((event) => {
    const { transaction, type, blockTimeMs } = event;
    const record = transaction.to === undefined ? undefined : recordOf(transaction.txHash);
    return { id: placeText(event), type, blockTimeMs, txHash: transaction.txHash, ...(record && { record }) };
  });
}

export type LogQuery = Omit<EventQuery, 'limit' | 'cursor'>;

/** All pages of a log, joined. `limit` is asked for each; `between` runs after each page that has another behind it. */
export async function readLog(
  gateway: Gateway,
  query: LogQuery,
  limit: () => number,
  between: (page: EventPage) => Promise<void> = async () => {},
): Promise<{ events: ChainEvent[]; last: EventPage }> {
  const events: ChainEvent[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await gateway.events({ ...query, limit: limit(), cursor });
    if (!page.ok) throw new Error(page.detail);
    events.push(...page.events);
    if (page.nextCursor === undefined) return { events, last: page };
    cursor = page.nextCursor;
    await between(page);
  }
}
