/** An event log in memory behind the stub gateway: blocks are made when a test says so, and pages follow the rules of the real ones. */
import { comparePlaces, placeText, parsePlace } from '../../../server/gateway/event-place.ts';
import { END_OF_BLOCK } from '../../../server/gateway/event-types.ts';
import type { ChainEvent, EventPage, EventPlace, EventQuery, SettledStatus } from '../../../server/gateway/types.ts';
import type { StubGateway } from './stub-gateway.ts';

/** The stub checks no checksum. */
export const ACCOUNTS = [...'qpzry9'].map((letter) => `txlt1${letter.repeat(58)}`);
const STATUSES: readonly SettledStatus[] = ['committed', 'failed', 'cancelled', 'expired'];

export type EventPart = Partial<Pick<ChainEvent, 'owner'>> & Partial<ChainEvent['transaction']>;

export class EventLog {
  readonly events: ChainEvent[] = [];
  height: number;
  /** Pages that were read, and rows that one may look at. */
  reads: EventQuery[] = [];
  rowsMax = 500;
  /** Runs when a page has been read, before it is given. */
  beforeAnswer: (query: EventQuery) => Promise<void> = async () => {};
  #wake: { height: number; answer: () => void }[] = [];

  static behind(gateway: StubGateway, height = 0): EventLog {
    const log = new EventLog(height);
    gateway.onWaitForHeight = (wanted, timeoutMs) => log.waitForHeight(wanted, timeoutMs);
    gateway.onEvents = (query) => log.page(query);
    return log;
  }

  constructor(height: number) {
    this.height = height;
  }

  /** Long polls that are waiting. */
  get waits(): number {
    return this.#wake.length;
  }

  make(...parts: EventPart[]): ChainEvent[] {
    this.height += 1;
    const made = parts.map((part, index) => eventOf(this.height, index, part));
    this.events.push(...made);
    const woken = this.#wake.filter(({ height }) => height <= this.height);
    this.#wake = this.#wake.filter(({ height }) => height > this.height);
    for (const { answer } of woken) answer();
    return made;
  }

  /** Long polls of now are answered, and nobody asks this log any more. */
  close(): void {
    for (const { answer } of this.#wake.splice(0)) answer();
  }

  async waitForHeight(height: number, timeoutMs: number): Promise<number> {
    if (this.height < height && timeoutMs > 0) await new Promise<void>((answer) => this.#wake.push({ height, answer }));
    return this.height;
  }

  async page(query: EventQuery): Promise<EventPage> {
    this.reads.push(query);
    const page = this.#read(query);
    await this.beforeAnswer(query);
    return page;
  }

  #read(query: EventQuery): EventPage {
    const { height } = this;
    const from =
      query.cursor === undefined
        ? (query.after ?? { height: 0, index: END_OF_BLOCK })
        : (parsePlace(query.cursor) as EventPlace);
    const behind = this.events.filter((event) => comparePlaces(event, from) > 0);
    const found: ChainEvent[] = [];
    let place = from;
    let scanned = 0;
    for (const event of behind) {
      if (found.length === query.limit || scanned === this.rowsMax)
        return { ok: true, events: found, height, place, scanned, nextCursor: placeText(place) };
      scanned += 1;
      place = { height: event.height, index: event.index };
      if (isWanted(event, query)) found.push(event);
    }
    return { ok: true, events: found, height, place: { height, index: END_OF_BLOCK }, scanned };
  }
}

/** The rule of the pages, written once more. */
export function isWanted(
  { transaction, type, owner }: ChainEvent,
  asked: Pick<EventQuery, 'account' | 'owner' | 'type' | 'reference' | 'status'>,
): boolean {
  return (
    (asked.account === undefined || [transaction.from, transaction.to].includes(asked.account)) &&
    [
      [asked.owner, owner],
      [asked.type, type],
      [asked.reference, transaction.reference],
      [asked.status, transaction.status],
    ].every(([wanted, is]) => wanted === undefined || wanted === is)
  );
}

function eventOf(height: number, index: number, { owner, ...transaction }: EventPart): ChainEvent {
  const status = transaction.status ?? 'committed';
  return {
    height,
    index,
    blockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 1) + height * 1000,
    type: `transaction.${status}`,
    ...(owner === undefined ? {} : { owner }),
    transaction: {
      txHash: (height * 10_000 + index).toString(16).toUpperCase().padStart(64, '0'),
      from: ACCOUNTS[0] as string,
      to: ACCOUNTS[1] as string,
      amount: '5',
      nonce: index,
      ...transaction,
      status,
    },
  };
}

/** Parts of an event, chosen by `random`. */
export function randomPart(random: (below: number) => number): EventPart {
  return {
    from: ACCOUNTS[random(ACCOUNTS.length)] as string,
    to: ACCOUNTS[random(ACCOUNTS.length)] as string,
    status: STATUSES[random(STATUSES.length)] as SettledStatus,
    ...(random(2) === 0 ? {} : { reference: `order ${random(3)}` }),
    ...(random(2) === 0 ? {} : { owner: random(2) === 0 ? 'dev' : 'other' }),
  };
}
