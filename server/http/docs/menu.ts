/** The menu of the documentation: every page, and the sections of the shown page below it. */
import { escape } from './html.ts';
import { relative } from './links.ts';
import type { Heading } from './markdown.ts';
import type { Page, Site } from './site.ts';

/** Documents for tools that repeat the content of other pages, so they come last. */
const FOR_TOOLS = ['/openapi.json', '/openapi.yaml', '/openapi.client.json'];

export function menuOf(site: Site, current: Page, headings: readonly Heading[]): string {
  const item = (page: Page): string => {
    const isCurrent = page.path === current.path;
    const link = `<a href="${escape(relative(current.path, page.path))}"${isCurrent ? ' aria-current="page"' : ''}>${escape(page.title)}</a>`;
    return `<li>${link}${isCurrent ? sections(headings) : ''}</li>`;
  };
  const groups = site.groups.map(({ title, pages }) => `<h2>${escape(title)}</h2><ul>${pages.map(item).join('')}</ul>`);
  const files = FOR_TOOLS.map((path) => `<li><a href="${relative(current.path, path)}">${path.slice(1)}</a></li>`);
  return `${groups.join('')}<h2>Index</h2><ul>${item(site.overview)}${files.join('')}</ul>`;
}

function sections(headings: readonly Heading[]): string {
  const items = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`);
  return items.length === 0 ? '' : `<ul class="sections">${items.join('')}</ul>`;
}
