/**
 * Markdown into HTML, by `marked` (decision 0079). Every page of /docs is Markdown first, so that its twin at `.md` has the same text.
 *
 * Rules that `marked` leaves open are set here: raw HTML is shown as text, a link leads to this service or to an http(s) URL, images are
 * not supported, and a heading can name its own anchors, as in `## Submit {#submitTransaction}`.
 */
import { setImmediate as turn } from 'node:timers/promises';

import { Marked } from 'marked';
import type { Tokens, TokensList } from 'marked';

import { escape } from './html.ts';
import { sectionsOf } from './lines.ts';

export interface Heading {
  readonly id: string;
  readonly depth: number;
  /** Plain text. */
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Returns the target of a link on the page that shows it; undefined: only its text is shown. */
export type LinkResolver = (href: string) => string | undefined;

/** Anchors in braces, at the end of a heading or anywhere in a line: `{#one two}`. */
const ANCHORS = /^\{#([\w -]*)\}/;
const ANCHORS_AT_END = /\s*\{#([\w -]*)\}$/;
/** A request, such as `GET /chain`, is shown with its method coloured. */
const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/;
/** Options in the info string of a fence, after its language: a summary to fold it under, or the name of the file. */
const FOLDED = / fold: (.+)$/;
const NAMED = / (file|save)=(\S+)/;

/** Text, but not code, may hold character references. */
const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Renders one section in each turn of the event loop, because a long page would delay every other request. */
export async function renderPage(source: string, resolve: LinkResolver): Promise<Rendered> {
  const slugs = new Slugs();
  const parts: Rendered[] = [];
  for (const section of sectionsOf(source)) {
    parts.push(renderMarkdown(section, resolve, slugs));
    await turn();
  }
  return { html: parts.map(({ html }) => html).join(''), headings: parts.flatMap(({ headings }) => headings) };
}

export function renderMarkdown(source: string, resolve: LinkResolver = outsideOnly, slugs = new Slugs()): Rendered {
  const headings: Heading[] = [];
  const engine = new Marked({
    gfm: true,
    extensions: [
      {
        name: 'anchors',
        level: 'inline',
        start: (text) => text.indexOf('{#'),
        tokenizer: (text) => {
          const [raw, ids = ''] = ANCHORS.exec(text) ?? [];
          return raw === undefined ? undefined : { type: 'anchors', raw, ids };
        },
        renderer: (token) => places(String((token as unknown as { ids: string }).ids).split(' ')),
      },
    ],
    renderer: {
      html: ({ text }) => (/^<br ?\/?>\s*$/.test(text) ? '<br>' : escape(text)),
      heading(token) {
        const { depth } = token;
        const html = this.parser.parseInline(token.tokens.filter(({ type }) => type !== 'anchors')).trimEnd();
        const {
          ids: [id = '', ...others],
          text,
        } = readHeading(token, slugs);
        if (id === '') return `<h${depth}>${html}</h${depth}>\n`;
        headings.push({ id, depth, text });
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to ${escape(text)}">#</a>`;
        return `<h${depth} id="${id}">${places(others)}${html}${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = resolve(href);
        return target === undefined ? html : `<a href="${escape(target)}">${html}</a>`;
      },
      image: ({ text }) => escape(text),
      // A checkbox that cannot be used would only be an obstacle for the keyboard.
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code({ text, lang = '' }) {
        // The element scrolls, so the keyboard must reach it.
        const pre = `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`;
        const folded = FOLDED.exec(lang)?.[1];
        if (folded !== undefined) return `<details><summary>${escape(folded)}</summary>${pre}</details>\n`;
        const [, kind, file] = NAMED.exec(lang) ?? [];
        if (file === undefined) return pre;
        const name = escape(file.split('/').at(-1) ?? '');
        // docs/examples is served below the same path.
        const target = kind === 'file' && file.startsWith('docs/examples/') ? resolve(`/${file}`) : undefined;
        return `<div class="file"><p class="filename">${target === undefined ? name : `<a href="${escape(target)}">${name}</a>`}</p>${pre}</div>\n`;
      },
      codespan({ text }) {
        const [, method, path] = REQUEST.exec(text) ?? [];
        if (method === undefined || path === undefined) return false;
        return `<code><span class="verb ${method.toLowerCase()}">${method}</span> ${escape(path)}</code>`;
      },
      table({ header, rows }) {
        const cell = (tag: string, { tokens }: Tokens.TableCell, more = ''): string =>
          `<${tag}${more}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`;
        const head = header.map((one) => (one.text === '' ? '<td></td>' : cell('th', one, ' scope="col"'))).join('');
        const body = rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('\n');
        return `<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body}</tbody></table></div>\n`;
      },
    },
  });
  return { html: engine.parse(source, { async: false }), headings };
}

/** Returns the blocks of a text, for code that reads it without showing it. */
export function lexMarkdown(source: string): TokensList {
  return new Marked({ gfm: true }).lexer(source);
}

/** Returns the anchors of a heading, its own or those of its text, and its visible text. */
export function readHeading(
  { tokens, raw }: Tokens.Heading | Tokens.Generic,
  slugs: Slugs,
): { ids: readonly string[]; text: string } {
  const own = ANCHORS_AT_END.exec(raw.trimEnd())?.[1]?.split(' ');
  const text = plainText(tokens ?? [])
    .replace(ANCHORS_AT_END, '')
    .trim();
  return { ids: own ?? [slugs.of(text)], text };
}

/** The visible text of inline tokens. */
export function plainText(tokens: readonly { type: string; text?: string; tokens?: unknown }[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'anchors' || token.type === 'br') return ' ';
      if (Array.isArray(token.tokens) && token.type !== 'codespan') return plainText(token.tokens as typeof tokens);
      return token.type === 'codespan' ? (token.text ?? '') : decode(token.text ?? '');
    })
    .join('');
}

/** Makes anchors of headings as GitHub does, so that links between documents work in both places. */
export class Slugs {
  readonly #used = new Map<string, number>();

  of(title: string): string {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    const before = this.#used.get(slug) ?? 0;
    this.#used.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  }
}

/** Targets of old links: empty elements. */
function places(ids: readonly string[]): string {
  return ids
    .filter((id) => id !== '')
    .map((id) => `<span id="${id}"></span>`)
    .join('');
}

function outsideOnly(href: string): string | undefined {
  return /^(?:https?:\/\/|#)/i.test(href) ? href : undefined;
}

// Code, text and other Markdown that is made from the contract.

/** Plain text, shown as it is. */
export function text(plain: string): string {
  return plain.replaceAll(/[\\`*_{}[\]<>#|~!&]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}

export function code(plain: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...plain.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1);
  const pad = /^[` ]|[` ]$/.test(plain) ? ' ' : '';
  return `${fence}${pad}${plain}${pad}${fence}`;
}

export function fenced(content: string, info: string): string {
  const fence = '`'.repeat(Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1);
  return `${fence}${info}\n${content}\n${fence}\n`;
}

/** Joins Markdown into one line, for a cell or an item. */
export function line(markdown: string | undefined): string {
  return (markdown ?? '').trim().replaceAll(/\s+/g, ' ');
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => line(cell).replaceAll(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`;
  return [row(header), `|${'---|'.repeat(header.length)}`, ...rows.map(row), ''].join('\n');
}
