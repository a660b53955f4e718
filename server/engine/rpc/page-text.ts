/**
 * A page of a search, made item by item and ended where it would grow too long: 100 full blocks are 140 MiB of text.
 *
 * A page that ended early has in `next` the parameters for the remaining items. CometBFT's answers have no such member, and its clients
 * ignore it. A page can only begin at a multiple of its size, so `page` and `per_page` of `next` name a size with which a page begins
 * after the last item.
 */
import { goJson } from './go-json.ts';
import { PAGE_BYTES_MAX } from './pages.ts';

/** A result that is already text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface PagePlace {
  /** Items of the list before this page. */
  skip: number;
  /** Items that the page should hold. */
  take: number;
  /** Total of all pages. */
  total: number;
}

export class PageText {
  readonly #place: PagePlace;
  readonly #items: string[] = [];
  #bytes = 0;

  constructor(place: PagePlace) {
    this.#place = place;
  }

  /** Adds an item. False when the page would be too long with it. The first one is always added, so that each can be read. */
  add(item: unknown): boolean {
    const text = goJson(item);
    const bytes = Buffer.byteLength(text) + 1;
    if (this.#items.length > 0 && this.#bytes + bytes > PAGE_BYTES_MAX) return false;
    this.#items.push(text);
    this.#bytes += bytes;
    return true;
  }

  /** The result, with the items under this name. */
  result(name: 'blocks' | 'txs'): JsonText {
    const { take, total } = this.#place;
    const next = this.#items.length < take ? `,"next":${goJson(this.#next())}` : '';
    return new JsonText(`{"${name}":[${this.#items.join(',')}],"total_count":"${total}"${next}}`);
  }

  /** The largest page that begins after the last item, and is not larger than the requested one. */
  #next(): { page: string; per_page: string } {
    const { skip, take } = this.#place;
    const before = skip + this.#items.length;
    let perPage = take;
    while (before % perPage !== 0) perPage -= 1;
    return { page: String(before / perPage + 1), per_page: String(perPage) };
  }
}
