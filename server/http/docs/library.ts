/**
 * Everything served below /docs: pages and their twins, files, style, script and search index. Each is made at its first request and kept
 * compressed.
 */
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { storeDocument } from '../stored.ts';
import type { StoredDocument } from '../stored.ts';
import { readRepositoryFile } from './guides.ts';
import { escape } from './html.ts';
import { page as frame, SCRIPT_PATH, SEARCH_INDEX_PATH, STYLE_PATH } from './layout.ts';
import { mapLinks, relative, safeTarget, twinOf } from './links.ts';
import { renderPage } from './markdown.ts';
import { menuOf } from './menu.ts';
import { searchEntries } from './search-index.ts';
import { createSite } from './site.ts';
import type { Page, Site } from './site.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

export class Library {
  readonly #site: Site;
  readonly #stored = new Map<string, Promise<StoredDocument>>();

  constructor(document: OpenapiDocument, catalogue: ProblemCatalogue, operations: readonly OperationSpec[]) {
    this.#site = createSite(document, catalogue, operations);
  }

  /** Every path that is answered. */
  get paths(): readonly string[] {
    const pages = [...this.#site.pages.keys()];
    return [...pages, ...pages.map(twinOf), ...this.#site.files.keys(), STYLE_PATH, SCRIPT_PATH, SEARCH_INDEX_PATH];
  }

  /** True if Accept selects the rendition of the path. */
  isPage(path: string): boolean {
    return this.#site.pages.has(path);
  }

  /** Returns a document; requests that arrive while it is being made wait for the same one. Undefined for an unknown path. */
  find(path: string): Promise<StoredDocument> | undefined {
    const kept = this.#stored.get(path);
    if (kept !== undefined) return kept;
    const made = this.#make(path);
    if (made === undefined) return undefined;
    this.#stored.set(path, made);
    // A file that cannot be read now may be readable later.
    made.catch(() => this.#stored.delete(path));
    return made;
  }

  #make(path: string): Promise<StoredDocument> | undefined {
    const page = this.#site.pages.get(path);
    if (page !== undefined) return make(HTML, () => htmlOf(this.#site, page));
    const twin = path.endsWith('.md') ? this.#site.pages.get(path.slice(0, -'.md'.length)) : undefined;
    if (twin !== undefined) return make(MARKDOWN, () => Buffer.from(twinMarkdown(this.#site, twin)));
    const file = this.#site.files.get(path);
    if (file !== undefined) return make(file.mediaType, () => readRepositoryFile(file.file));
    if (path === STYLE_PATH) return make('text/css; charset=utf-8', () => asset('docs.css'));
    if (path === SCRIPT_PATH) return make('text/javascript; charset=utf-8', () => asset('docs.js'));
    return path === SEARCH_INDEX_PATH ? searchIndex(this.#site) : undefined;
  }
}

async function make(mediaType: string, body: () => Buffer | Promise<Buffer>): Promise<StoredDocument> {
  return storeDocument(mediaType, await body());
}

const asset = (name: string): Buffer => readFileSync(new URL(`assets/${name}`, import.meta.url));

async function htmlOf(site: Site, page: Page): Promise<Buffer> {
  const { html, headings } = await renderPage(page.markdown(), (href) => safeTarget(page.path, href));
  const all = [...site.pages.values()];
  const at = site.groups.flatMap(({ pages }) => pages).indexOf(page);
  const [before, after] = at < 0 ? [undefined, site.groups[0]?.pages[0]] : [all[at], all[at + 2]];
  const step = (to: Page | undefined, label: string): string =>
    to === undefined
      ? ''
      : `<a href="${escape(relative(page.path, to.path))}"><span>${label}</span> ${escape(to.title)}</a>`;
  const twin = twinOf(page.path);
  const main = `${html}<nav class="steps" aria-label="Pages">${step(before, 'Before:')}${step(after, 'Next:')}</nav>
<footer>Served by this service, from its own contract and documents. <a href="${escape(relative(page.path, twin))}">This page as Markdown</a></footer>`;
  return frame({
    path: page.path,
    title: `${page.title} · ${site.title}`,
    description: page.description,
    main,
    documentation: { menu: menuOf(site, page, headings), twin },
  });
}

/** Its links lead to other twins, so that a program can follow them. The anchors of headings stay: they are the fragments of links. */
function twinMarkdown(site: Site, page: Page): string {
  const twin = twinOf(page.path);
  const linked = mapLinks(page.markdown(), (href) => {
    const [path = '', fragment] = href.split('#');
    const target = site.pages.has(path) ? `${twinOf(path)}${fragment === undefined ? '' : `#${fragment}`}` : href;
    return safeTarget(twin, target);
  });
  return `${linked.replaceAll(/^([-|].*?) ?\{#[\w -]+\}/gm, '$1').trim()}\n`;
}

/** Made in many turns of the event loop: all pages together take longer than one turn may. */
async function searchIndex(site: Site): Promise<StoredDocument> {
  const entries = [];
  for (const page of site.pages.values()) {
    if (page === site.overview) continue;
    entries.push(...searchEntries(page));
    await turn();
  }
  return storeDocument('application/json', Buffer.from(JSON.stringify(entries)));
}
