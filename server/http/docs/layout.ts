/** The frame around every page. References are relative to the page, so that pages work behind a path prefix. */
import { escape } from './html.ts';
import { relative } from './links.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230f5f6b'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.4'/%3E%3C/svg%3E";

/** The same name as in the explorer. */
const NAME = 'Transaction Ledger';

export const STYLE_PATH = '/docs/docs.css';
export const SCRIPT_PATH = '/docs/docs.js';
export const SEARCH_INDEX_PATH = '/docs/search.json';

/**
 * Style and script are files of this origin, and the script may fetch the search index; nothing else is loaded, run, framed or posted. The
 * icon is a data URL.
 */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface PageParts {
  /** Absolute path of the page on this service. */
  path: string;
  title: string;
  description: string;
  main: string;
  /** Content of the frame beside the page; without it the page is a single narrow column. */
  documentation?: { menu: string; twin: string };
}

export function page({ path, title, description, main, documentation }: PageParts): Buffer {
  const to = (target: string): string => escape(relative(path, target));
  const head =
    documentation === undefined
      ? ''
      : `<link rel="alternate" type="text/markdown" href="${to(documentation.twin)}">\n<script type="module" src="${to(SCRIPT_PATH)}"></script>\n`;
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<meta name="description" content="${escape(description)}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${to(STYLE_PATH)}">
${head}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${documentation === undefined ? `<main class="plain" id="main">${main}</main>` : framed(to, main, documentation)}
</body>
</html>
`);
}

/** On a narrow screen the menu is a popover, which needs no script; on a wide one it is a column (docs.css). The search needs the script, which shows it. */
function framed(to: (target: string) => string, main: string, { menu }: { menu: string }): string {
  return `<header class="top"><a class="brand" href="${to('/')}"><svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true"><rect width="16" height="16" rx="4"/><path d="M4 5h8M4 8h8M4 11h5"/></svg><span>${NAME}</span></a><a class="name" href="${to('/docs')}">Docs</a>
<form class="search" role="search" data-index="${to(SEARCH_INDEX_PATH)}" data-base="${to('/docs')}" hidden><input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="100" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd>
<div class="found" hidden><p role="status"></p><ul></ul></div></form>
<button class="open-menu" type="button" popovertarget="menu">Menu</button></header>
<div class="frame"><nav class="side" id="menu" popover aria-label="Documentation">${menu}</nav><main id="main" tabindex="-1">${main}</main></div>`;
}
