/** Text into HTML. All text from outside this folder passes through `escape`. */

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A fragment identifier: the names of the contract are letters, digits and underscores already. */
export function anchor(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
}

export function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}
