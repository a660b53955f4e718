/**
 * /docs: all content on one page. Every operation and schema has the same anchor here as when the whole reference was one page. The script
 * of the pages redirects from such an anchor to the page that explains it; without a script its line is a link to that page.
 */
import { anchor } from './html.ts';
import { code, line, text } from './markdown.ts';
import { operationObject } from './operations.ts';
import { isRpcTag, schemaNames, schemaPlace } from './reference.ts';
import type { Reference, TagPage, Topic } from './reference.ts';

export interface Listed {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

export function overviewMarkdown(reference: Reference, pages: readonly Listed[]): string {
  const { info } = reference.document;
  const { api, rpc, problems } = schemaNames(reference.document);
  const schemas = (names: readonly string[]): string =>
    names.map((name) => `- [${text(name)}](${schemaPlace(name)}) {#schema-${anchor(name)}}`).join('\n');
  return `# ${text(info.title)} {#introduction}

${text(info.summary ?? '')} Version ${text(info.version)} of the contract.

**New here?** [Sign a transfer](/docs/signing) has all that is needed to make the first payment; [For partners](/docs/partners) says what to do
with the answers. The commands of the reference expect the base URL in \`$URL\` and a token in \`$TOKEN\`.

## Pages

${pages.map(({ path, title, description }) => `- [${text(title)}](${path}): ${text(description)}`).join('\n')}

For tools: [openapi.json](/openapi.json), [openapi.yaml](/openapi.yaml), [openapi.client.json](/openapi.client.json) (without the RPC, for generators of
clients), [changelog.atom](/changelog.atom), [workflows](/workflows), [llms.txt](/llms.txt). Every page is Markdown too, at its address with \`.md\`.

## Operations

${reference.tags
  .filter(({ name }) => !isRpcTag(name))
  .map((tag) => tagMarkdown(reference, tag))
  .join('\n')}

## RPC

${reference.tags
  .filter(({ name }) => isRpcTag(name))
  .map((tag) => tagMarkdown(reference, tag))
  .join('\n')}

## Schemas {#schemas}

${schemas(api)}

### Schemas of problems {#problem-schemas}

${schemas(problems)}

### Schemas of the RPC {#rpc-schemas}

${schemas(rpc)}
`;
}

function tagMarkdown(reference: Reference, { name, path, topics, messages }: TagPage): string {
  const item = (ids: readonly string[], requests: string, summary: string): string => {
    const [first = ''] = ids;
    return `- [${text(first)}](${reference.operations.get(first) ?? path}) {#${ids.map(anchor).join(' ')}}: ${requests}: ${text(line(summary))}`;
  };
  const operations = topics.map((topic: Topic) => {
    const requests = topic.map((operation) => code(`${operation.method} ${operation.path}`)).join(' or ');
    return item(
      topic.map(({ id }) => id),
      requests,
      operationObject(reference.document, topic[0]).summary ?? '',
    );
  });
  const sent = messages.map(({ id, operation }) => item([id], 'sent to you', operation.summary ?? ''));
  return `### [${text(name)}](${path}) {#tag-${anchor(name)}}\n\n${[...operations, ...sent].join('\n')}\n`;
}
