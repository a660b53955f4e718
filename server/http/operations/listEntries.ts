/** GET /accounts/{address}/entries: a page of an account's statement, or the whole of it as CSV. */
import type { AccountEntry, EntryPage, EntryQuery, Gateway, Refusal } from '../../gateway/types.ts';
import { timestamp } from '../timestamp.ts';
import { handler, resource } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { CSV_HEADER, csvLine } from './entry-csv.ts';
import type { HandlerParts } from './parts.ts';

/** The contract's default: the validator inserts it, and this is used if it ever does not. */
const LIMIT_DEFAULT = 10;
/** Entries of one piece of CSV: a turn of this thread, about a millisecond. */
const CSV_PIECE_ENTRIES = 100;

export function listEntries({ gateway }: HandlerParts): Handler<'listEntries'> {
  return handler('listEntries', async ({ path, query, mediaType }) => {
    const fromMs = query.from === undefined ? undefined : millisecondFrom(query.from);
    const toMs = query.to === undefined ? undefined : millisecondFrom(query.to);
    for (const [name, value] of [
      ['from', fromMs],
      ['to', toMs],
    ] as const) {
      if (Number.isNaN(value))
        return {
          problem: {
            code: 'invalid_request',
            detail: `The parameter ${name} is no moment that exists. Check its date.`,
            errors: [{ pointer: `#/query/${name}`, message: 'It is no moment that exists.' }],
          },
        };
    }
    const asked: EntryQuery = {
      address: path.address,
      limit: query.limit ?? LIMIT_DEFAULT,
      order: query.order ?? 'desc',
      fromMs,
      toMs,
      cursor: query.cursor,
    };
    if (mediaType === 'text/csv') {
      if (query.cursor !== undefined) {
        return {
          problem: {
            code: 'invalid_request',
            detail: 'CSV is the whole range in one answer. Leave cursor out, or ask for JSON.',
            errors: [{ pointer: '#/query/cursor', message: 'CSV has no pages.' }],
          },
        };
      }
      const first = await gateway.entries({ ...asked, limit: CSV_PIECE_ENTRIES });
      if (!first.ok) return { refusal: first };
      return {
        status: 200,
        mediaType: 'text/csv',
        ledgerHeight: first.height,
        body: { stream: csvOf(gateway, asked, first) },
      };
    }
    const page = await gateway.entries(asked);
    if (!page.ok) return { refusal: page };
    const { height, nextCursor } = page;
    return {
      status: 200,
      ledgerHeight: height,
      body: { entries: page.entries.map(entryResource), height, ...(nextCursor === undefined ? {} : { nextCursor }) },
    };
  });
}

function entryResource({ blockTimeMs, ...entry }: AccountEntry) {
  return resource('Entry', { ...entry, blockTime: timestamp(blockTimeMs) });
}

/** Reads page after page up to the block that was the last one at the beginning, so that it ends while the chain grows. */
async function* csvOf(gateway: Gateway, asked: EntryQuery, first: EntryPage): AsyncGenerator<string> {
  let header = CSV_HEADER;
  for (let page: EntryPage | Refusal = first; ;) {
    yield header + page.entries.map((entry) => csvLine(entryResource(entry))).join('');
    header = '';
    if (page.nextCursor === undefined) return;
    page = await gateway.entries({
      ...asked,
      limit: CSV_PIECE_ENTRIES,
      cursor: page.nextCursor,
      heightMax: first.height,
    });
    if (!page.ok) throw new Error(`a statement was cut off: ${page.detail}`);
  }
}

/** Seconds, fraction and offset of a moment, in the form that the contract's pattern admits. */
const MOMENT = /^(.{19})(?:\.([0-9]+))?(Z|[+-].{5})$/;

/** The first whole millisecond at or after a moment: times of blocks are in milliseconds. NaN for a day that does not exist. */
function millisecondFrom(text: string): number {
  const [, seconds = '', fraction = '', offset = ''] = MOMENT.exec(text) ?? [];
  const wholeMs = Date.parse(`${seconds}Z`);
  // JavaScript reads 31 February as a day in March.
  if (Number.isNaN(wholeMs) || !new Date(wholeMs).toISOString().startsWith(seconds)) return Number.NaN;
  return Date.parse(`${seconds}${offset}`) + Math.ceil(Number(fraction.padEnd(9, '0')) / 1_000_000);
}
