/**
 * /docs: the reference, made from the contract that is enforced, so that it cannot say anything else.
 *
 * It takes a tenth of a second, too long for a start and for one turn of the event loop: it is made in many turns.
 */
import { setImmediate as turn } from 'node:timers/promises';

import type { OpenapiDocument } from '../contract/bundle.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor, escape } from './html.ts';
import { page, sideColumn } from './layout.ts';
import type { SideGroup } from './layout.ts';
import { markdown } from './markdown.ts';
import { operationView } from './operation-view.ts';
import { exampleOf, rulesOf, schemaHref, schemaTable, typeOf } from './schema-view.ts';
import type { Schema } from './schema-view.ts';

export async function referencePage(document: OpenapiDocument, operations: readonly OperationSpec[]): Promise<Buffer> {
  const tags = (document.tags ?? []).filter((tag) => operations.some((operation) => operation.tag === tag.name));
  const schemas = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  // Each problem code closes the Problem schema in one of its own; the page of errors explains them.
  const shown = schemas.filter(([name]) => !name.endsWith('Problem') || name === 'Problem').toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const groups: SideGroup[] = [
    { title: 'Start', links: [['#introduction', 'Introduction'], ['docs/errors', 'Errors'], ['openapi.json', 'openapi.json'], ['openapi.yaml', 'openapi.yaml'], ['openapi.client.json', 'openapi.client.json']] },
    ...tags.map((tag) => ({
      title: tag.name,
      links: operations.filter((operation) => operation.tag === tag.name).map((operation) => [`#${anchor(operation.id)}`, operation.id] as const),
    })),
    { title: 'Schemas', links: shown.map(([name]) => [schemaHref(name), name] as const) },
  ];
  const sections: string[] = [];
  for (const tag of tags) {
    sections.push(`<h2 id="tag-${anchor(tag.name)}">${escape(tag.name)}</h2>${markdown(tag.description)}`);
    for (const operation of operations.filter((candidate) => candidate.tag === tag.name)) {
      await turn();
      sections.push(operationView(document, operation));
    }
  }
  const schemaViews: string[] = [];
  for (const [name, schema] of shown) {
    await turn();
    schemaViews.push(schemaView(document, name, schema));
  }
  const { title, version, summary, description } = document.info;
  const main = `<h1 id="introduction">${escape(title)}</h1>
<p class="lead">${escape(summary ?? '')} <span class="tag">version ${escape(version)}</span></p>
${markdown(description)}
<p>The commands below expect the base URL in <code>$URL</code> and a token in <code>$TOKEN</code>.</p>
${sections.join('')}
<h2 id="schemas">Schemas</h2>
<p>A schema named Problem is explained code by code under <a href="docs/errors">errors</a>.</p>
${schemaViews.join('\n')}
${schemas.filter(([name]) => name.endsWith('Problem') && name !== 'Problem').map(([name]) => `<span id="schema-${anchor(name)}"></span>`).join('')}
<footer>Made from the contract of this server. Nothing on this page comes from elsewhere.</footer>`;
  return page({ title: `${title} ${version}`, description: summary ?? title, side: sideColumn(title, './', groups), main });
}

function schemaView(document: OpenapiDocument, name: string, schema: Schema): string {
  const table = schemaTable(document, schema);
  const scalar = table === '' ? `<p>${typeOf(schema)}</p>${rulesOf(schema)}${exampleOf(schema)}` : table;
  return `<section class="card" id="schema-${anchor(name)}" aria-labelledby="schema-${anchor(name)}-title"><h3 id="schema-${anchor(name)}-title">${escape(name)}</h3>${markdown(schema.description)}${scalar}</section>`;
}
