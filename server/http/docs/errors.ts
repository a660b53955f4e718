/** /docs/errors: the problem catalogue. The `type` of every problem document is an anchor on this page. */
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor } from './html.ts';
import { code, text } from './markdown.ts';
import { schemaNames } from './reference.ts';
import type { Reference } from './reference.ts';
import type { Schema } from './schemas.ts';

export function errorsMarkdown(
  reference: Reference,
  catalogue: ProblemCatalogue,
  operations: readonly OperationSpec[],
): string {
  const forms = formsByCode(reference);
  const entries = [...catalogue].map(([name, entry]) => {
    const by = operations.filter((operation) => operation.codes.has(name));
    const links = by.map(({ id }) => `[${text(id)}](${reference.operations.get(id) ?? '/docs'})`);
    const where =
      by.length === 0
        ? 'answered outside every operation'
        : by.length === operations.length
          ? 'any operation'
          : links.join(', ');
    const anchors = [anchor(name), ...(forms.get(name) ?? []).map((form) => `schema-${anchor(form)}`)];
    return `## ${code(name)} {#${anchors.join(' ')}}

**${entry.status}** · ${text(entry.title)} · ${entry.retriable ? 'the same request may succeed later' : 'the same request will not succeed'}

**Why.** ${entry.cause}

**What to do.** ${entry.resolution}

From: ${where}.
`;
  });
  return `# Errors

Every error is a problem document (RFC 9457, schema [Problem](/docs/schemas#schema-Problem)) with one of these codes.

Programs act on \`code\`, which never changes its meaning, its status or its title. \`detail\` is for people and may be reworded.
\`requestId\` is what to name when asking for help, and \`retriable\` tells whether sending the same request again can help by itself.
Sending a transfer again is always safe: the same payment is never made twice.

${entries.join('\n')}`;
}

/** The schemas that close the problem to one code, by that code. */
function formsByCode({ document }: Reference): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const name of schemaNames(document).problems) {
    const schema = document.components['schemas']?.[name] as Schema;
    const codes = (schema.allOf ?? []).flatMap((part) =>
      typeof part.properties?.['code'] === 'object' ? (part.properties['code'].enum ?? []) : [],
    );
    const [first = ''] = codes.map(String);
    forms.set(first, [...(forms.get(first) ?? []), name]);
  }
  return forms;
}
