/** /docs/headers: every header of the contract, in requests and in answers, once. */
import { resolve } from '../contract/bundle.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor } from './html.ts';
import { code, line, text } from './markdown.ts';
import { operationObject, parametersOf } from './operations.ts';
import type { ResponseObject } from './operations.ts';
import type { Reference } from './reference.ts';
import { exampleOf, rulesOf, typeOf } from './schemas.ts';
import type { Schema } from './schemas.ts';

interface HeaderUse {
  readonly description: string;
  readonly facts: string;
  readonly by: Set<string>;
}

interface HeaderObject {
  description?: string;
  example?: unknown;
  schema?: Schema;
}

export function headersMarkdown(reference: Reference, operations: readonly OperationSpec[]): string {
  const { document } = reference;
  const sent = new Map<string, HeaderUse>();
  const answered = new Map<string, HeaderUse>();
  const note = (uses: Map<string, HeaderUse>, name: string, header: HeaderObject, by: string): void => {
    const use = uses.get(name) ?? {
      description: line(header.description),
      facts: factsOf(reference, header),
      by: new Set(),
    };
    use.by.add(by);
    uses.set(name, use);
  };
  const listen = (by: string, operation: ReturnType<typeof operationObject>): void => {
    for (const parameter of parametersOf(document, operation))
      if (parameter.in === 'header') note(sent, parameter.name, parameter, by);
    for (const response of Object.values(operation.responses ?? {})) {
      const { headers = {} } = resolve(document, response) as ResponseObject;
      for (const [name, header] of Object.entries(headers))
        note(answered, name, resolve(document, header) as HeaderObject, by);
    }
  };
  for (const operation of operations) listen(operation.id, operationObject(document, operation));
  for (const { id, operation } of reference.tags.flatMap((tag) => tag.messages)) listen(id, operation);
  const total = operations.length;
  const names = [...new Set([...sent.keys(), ...answered.keys()])].toSorted((a, b) => a.localeCompare(b, 'en'));
  const sections = names.map((name) => {
    const parts = [
      useMarkdown(reference, 'In requests', sent.get(name), total),
      useMarkdown(reference, 'In answers', answered.get(name), total),
    ];
    return `## ${text(name)} {#header-${anchor(name)}}\n\n${parts.join('')}`;
  });
  return `# Headers

What the headers of requests and answers mean. \`Authorization\` carries the token, as \`Bearer TOKEN\`; bodies are
\`Content-Type: application/json\`.

${sections.join('\n')}`;
}

function useMarkdown(reference: Reference, title: string, use: HeaderUse | undefined, total: number): string {
  if (use === undefined) return '';
  const ids = [...use.by];
  // A list of half of all operations or more is too long to read.
  const few = ids.length * 2 < total;
  const by = few
    ? ids.map((id) => `[${text(id)}](${reference.operations.get(id) ?? '/docs'})`).join(', ')
    : 'most operations';
  return `**${title}.** ${use.description}\n\n${use.facts === '' ? '' : `${use.facts}\n\n`}With: ${by}.\n\n`;
}

function factsOf({ document }: Reference, { schema = {}, example }: HeaderObject): string {
  const resolved = resolve(document, schema) as Schema;
  const shown = example === undefined ? exampleOf(resolved) : `for example ${code(String(example))}`;
  return [`Type: ${typeOf(schema)}`, rulesOf(resolved), shown].filter((fact) => fact !== '').join(' · ');
}
