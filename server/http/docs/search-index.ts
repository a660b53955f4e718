/** /docs/search.json: every section of every page with its words, for the search in the browser (docs.js). */
import type { Token, Tokens } from 'marked';

import { relative } from './links.ts';
import { lexMarkdown, plainText, readHeading, Slugs } from './markdown.ts';
import { OVERVIEW_PATH } from './site.ts';
import type { Page } from './site.ts';

/** Member names are short, because the index has a thousand entries. */
export interface SearchEntry {
  /** Heading of the section. */
  readonly t: string;
  /** Title of the page. */
  readonly p: string;
  /** Reference of the section, relative to /docs. */
  readonly u: string;
  /** Words of the section, without code and examples. */
  readonly x: string;
}

/**
 * Characters of a section that are indexed: enough for all but the tables of limits and errors, whose rows are indexed in other
 * sections.
 */
const SECTION_CHARACTERS_MAX = 1_000;

export function searchEntries(page: Page): SearchEntry[] {
  const slugs = new Slugs();
  const entries: { t: string; p: string; u: string; x: string }[] = [];
  let isSkipped = false;
  for (const token of lexMarkdown(page.markdown())) {
    const heading = token.type === 'heading' ? readHeading(token, slugs) : undefined;
    const [id] = heading?.ids ?? [];
    // Statuses and codes are nearly the same for each operation: indexed, every operation would match every code.
    if (heading !== undefined) isSkipped = id?.endsWith('-answers') === true;
    if (heading !== undefined && (token as Tokens.Heading).depth <= 2) {
      const place = (token as Tokens.Heading).depth === 1 || id === undefined ? page.path : `${page.path}#${id}`;
      entries.push({ t: heading.text, p: page.title, u: relative(OVERVIEW_PATH, place), x: '' });
    } else {
      const entry = entries.at(-1);
      if (entry !== undefined && !isSkipped)
        entry.x = `${entry.x} ${wordsOf(token)}`.replaceAll(/\s+/g, ' ').slice(0, SECTION_CHARACTERS_MAX);
    }
  }
  return entries;
}

function wordsOf(token: Token): string {
  if (token.type === 'code' || token.type === 'space') return '';
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => tokens.map(wordsOf).join(' ')).join(' ');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => plainText(tokens))
      .join(' ');
  }
  return plainText('tokens' in token && token.tokens !== undefined ? token.tokens : [token]).replaceAll(
    /\{#[\w -]*\}/g,
    '',
  );
}
