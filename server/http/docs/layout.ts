/** The frame around every page. `root` is the way back to the base URL, so that pages work behind a path prefix. */
import { escape } from './html.ts';
import { STYLE } from './style.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230f5f6b'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.4'/%3E%3C/svg%3E";

export interface PageParts {
  title: string;
  description: string;
  /** Contents of the side column; without it the page is a single narrow column. */
  side?: string;
  main: string;
}

export function page({ title, description, side, main }: PageParts): Buffer {
  const body =
    side === undefined
      ? `<main class="plain" id="main">${main}</main>`
      : `<div class="frame"><nav class="side" aria-label="Contents">${side}</nav><main id="main">${main}</main></div>`;
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<meta name="description" content="${escape(description)}">
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`);
}

export interface SideGroup {
  title: string;
  links: readonly (readonly [href: string, text: string])[];
}

export function sideColumn(name: string, root: string, groups: readonly SideGroup[]): string {
  const lists = groups.map(({ title, links }) => {
    const items = links.map(([href, text]) => `<li><a href="${escape(href)}">${escape(text)}</a></li>`);
    return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`;
  });
  return `<a class="name" href="${root}">${escape(name)}</a>${lists.join('')}`;
}
