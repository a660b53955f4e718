/**
 * The parser of text/event-stream, as the HTML standard has it (section 9.2.6, "Interpreting an event stream"). Not the platform's
 * EventSource: it sends no Authorization, exposes no status, and Node 20 has none.
 */
import { EVENT_CHARS_MAX } from '../limits.ts';

export type StreamItem =
  | { readonly kind: 'event'; readonly id: string; readonly type: string; readonly data: string }
  /** A heartbeat: the text after the colon. */
  | { readonly kind: 'comment'; readonly text: string }
  /** The pause before connecting again. */
  | { readonly kind: 'retry'; readonly ms: number };

export class EventStreamParser {
  // It drops one byte order mark at the beginning, as the standard requires, and joins characters that are split between chunks.
  readonly #decoder = new TextDecoder();
  #line = '';
  #afterReturn = false;
  #id = '';
  #type = '';
  #data = '';

  /** The events that the next bytes complete. An event that is not complete when the stream ends is dropped. */
  push(bytes: Uint8Array): StreamItem[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (!text) return [];
    // A CR ends its line at once, or the event would wait for the next chunk; an LF that follows belongs to it.
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1);
    this.#afterReturn = text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.#line + lines[0];
    this.#line = lines.pop() as string;
    const items = lines.flatMap((line) => this.#read(line) ?? []);
    if (this.#line.length + this.#data.length > EVENT_CHARS_MAX) throw new RangeError('an event is too long');
    return items;
  }

  #read(line: string): StreamItem | undefined {
    if (!line) return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return { kind: 'comment', text: line.slice(1) };
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#type = value;
    if (name === 'data') this.#data += `${value}\n`;
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    if (name === 'retry' && /^\d+$/.test(value)) return { kind: 'retry', ms: Number(value) };
    return undefined;
  }

  #dispatch(): StreamItem | undefined {
    const [type, data] = [this.#type || 'message', this.#data];
    this.#type = this.#data = '';
    return data ? { kind: 'event', id: this.#id, type, data: data.slice(0, -1) } : undefined;
  }
}
