/** Turns paths of this service into relative references, which are right behind a path prefix too. */
import { linesOf } from './lines.ts';

/** `from` and `to` are absolute paths of this service; `to` may have a fragment. */
export function relative(from: string, to: string): string {
  const [path = '', fragment] = to.split('#');
  const hash = fragment === undefined ? '' : `#${fragment}`;
  if (path === from && hash !== '') return hash;
  const [here, there] = [from.split('/').slice(1, -1), path.split('/').slice(1)];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  const way = [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
  return `${way === '' ? './' : way}${hash}`;
}

/** A path of this service or an http(s) URL; undefined for anything else, such as `javascript:`. */
export function safeTarget(from: string, href: string): string | undefined {
  if (/^https?:\/\//i.test(href) || /^#[\w-]*$/.test(href)) return href;
  return /^\/(?!\/)[\w./#?=&%-]*$/.test(href) ? relative(from, href) : undefined;
}

/** Path of the Markdown twin of a page. */
export const twinOf = (path: string): string => `${path}.md`;

const LINK = /\[((?:[^[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * Gives each link of a Markdown text another target, or replaces it with its text (undefined). Code is not changed: fences are skipped, and
 * the pattern excludes code spans.
 */
export function mapLinks(markdown: string, map: (href: string) => string | undefined): string {
  const lines = [...linesOf(markdown)].map(({ text, isCode }) => {
    if (isCode) return text;
    return text.replaceAll(LINK, (_whole, label: string, href: string) => {
      const target = map(href);
      return target === undefined ? label : `[${label}](${target})`;
    });
  });
  return lines.join('\n');
}
