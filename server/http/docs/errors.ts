/** /docs/errors: the problem catalogue. The `type` of every problem document is an anchor on this page. */
import type { OpenapiDocument } from '../contract/bundle.ts';
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor, code, escape } from './html.ts';
import { page, sideColumn } from './layout.ts';
import { inlineMarkdown } from './markdown.ts';

export function errorsPage(document: OpenapiDocument, catalogue: ProblemCatalogue, operations: readonly OperationSpec[]): Buffer {
  const statuses = [...new Set([...catalogue.values()].map((entry) => entry.status))].toSorted((a, b) => a - b);
  const groups = statuses.map((status) => ({
    title: String(status),
    links: [...catalogue].filter(([, entry]) => entry.status === status).map(([name]) => [`#${anchor(name)}`, name] as const),
  }));
  const cards = [...catalogue].map(([name, entry]) => {
    const by = operations.filter((operation) => operation.codes.has(name));
    const where =
      by.length === 0
        ? 'answered outside every operation'
        : by.length === operations.length
          ? 'any operation'
          : by.map((operation) => `<a href="../docs#${anchor(operation.id)}">${escape(operation.id)}</a>`).join(', ');
    return `<section class="card" id="${anchor(name)}" aria-labelledby="${anchor(name)}-title">
<h3 id="${anchor(name)}-title"><code>${escape(name)}</code></h3>
<p><strong>${entry.status}</strong> · ${escape(entry.title)} · <span class="soft">${entry.retriable ? 'the same request may succeed later' : 'the same request will not succeed'}</span></p>
<h4>Why</h4><p>${inlineMarkdown(entry.cause)}</p>
<h4>What to do</h4><p>${inlineMarkdown(entry.resolution)}</p>
<p class="rule">From: ${where}.</p></section>`;
  });
  const main = `<h1>Errors</h1>
<p class="lead">Every error is a problem document (RFC 9457) with one of these codes.</p>
<p>Programs act on ${code('code')}, which never changes its meaning, its status or its title. ${code('detail')} is for people and may be reworded.
${code('requestId')} is what to name when asking for help, and ${code('retriable')} tells whether sending the same request again can help by itself.
Sending a transfer again is always safe: the same payment is never made twice.</p>
${cards.join('\n')}`;
  const { title } = document.info;
  const side = sideColumn(title, '../', [{ title: 'Start', links: [['../docs', 'Reference']] }, ...groups]);
  return page({ title: `Errors · ${title}`, description: 'Every error code with cause and resolution.', side, main });
}
