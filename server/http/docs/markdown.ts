/**
 * The part of CommonMark that the contract's descriptions use: paragraphs, `code`, **bold**, links, lists and fenced
 * code. Everything else is shown as the text it is; raw HTML is escaped and never passed on.
 */
import { escape } from './html.ts';

export function markdown(source: string | undefined): string {
  if (source === undefined) return '';
  const blocks = source.replaceAll('\r\n', '\n').trim().split(/\n{2,}/);
  return blocks.map(block).join('');
}

/** Without the paragraph around it, for cells of tables. */
export function inlineMarkdown(source: string | undefined): string {
  return source === undefined ? '' : inline(source.trim().replaceAll(/\s+/g, ' '));
}

function block(text: string): string {
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text);
  if (fence !== null) return `<pre>${escape(fence[1] ?? '')}</pre>`;
  const lines = text.split('\n');
  if (lines.every((line) => /^(?:[-*] |\s{2,})/.test(line))) {
    const items = text.split(/^[-*] /m).slice(1);
    return `<ul>${items.map((item) => `<li>${inlineMarkdown(item)}</li>`).join('')}</ul>`;
  }
  return `<p>${inlineMarkdown(text)}</p>`;
}

/** Code first, so that nothing inside it is read as markup. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (part.startsWith('`') && part.length > 2) return `<code>${escape(part.slice(1, -1))}</code>`;
      return escape(part)
        .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
        .replaceAll(/\[([^\]]+)\]\(((?:https?:\/\/|#|\.{0,2}\/)[^)\s]*)\)/g, '<a href="$2">$1</a>');
    })
    .join('');
}
