/** One operation of the contract: what to send, what comes back, and a command to try it. */
import { resolve } from '../contract/bundle.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor, code, escape } from './html.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { rulesOf, typeOf } from './schema-view.ts';
import type { Schema } from './schema-view.ts';

interface MediaType {
  schema?: Schema;
  examples?: Record<string, unknown>;
}

interface ResponseObject {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

interface OperationObject {
  summary?: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

export function operationView(document: OpenapiDocument, spec: OperationSpec): string {
  const operation = document.paths[spec.path]?.[spec.method.toLowerCase()] as OperationObject;
  const verb = spec.method.toLowerCase();
  const needs = spec.scopes === undefined ? 'No token' : `Token with ${spec.scopes.map(code).join(' and ')}`;
  return `<section class="card" id="${anchor(spec.id)}" aria-labelledby="${anchor(spec.id)}-title">
<h3 id="${anchor(spec.id)}-title">${escape(operation.summary ?? spec.id)}</h3>
<div class="route"><span class="verb ${verb}">${spec.method}</span>${escape(spec.path)}</div>
<p class="soft">${code(spec.id)} · ${needs}</p>
${markdown(operation.description)}
${parametersView(document, operation)}${bodyView(document, operation)}
<h4>Try it</h4><pre><code>${escape(command(document, spec, operation))}</code></pre>
<h4>Answers</h4>${responsesView(document, operation)}
</section>`;
}

function parametersView(document: OpenapiDocument, operation: OperationObject): string {
  const rows = (operation.parameters ?? []).map((reference) => {
    const parameter = resolve(document, reference) as { name: string; in: string; required?: boolean; description?: string; schema: Schema };
    const schema = resolve(document, parameter.schema) as Schema;
    const need = parameter.required === true ? '' : ' <span class="tag">optional</span>';
    return `<tr><td>${code(parameter.name)}${need}</td><td>${escape(parameter.in)}</td><td>${typeOf(parameter.schema)}</td><td class="wrap">${inlineMarkdown(parameter.description)}${parameter.in === 'header' ? '' : rulesOf(schema)}</td></tr>`;
  });
  if (rows.length === 0) return '';
  return `<h4>Parameters</h4><div class="table"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function bodyView(document: OpenapiDocument, operation: OperationObject): string {
  if (operation.requestBody === undefined) return '';
  const body = resolve(document, operation.requestBody) as { description?: string; content: Record<string, MediaType> };
  const parts = Object.entries(body.content).map(([mediaType, media]) => {
    return `<p>${code(mediaType)}: ${typeOf(media.schema ?? {})}. ${inlineMarkdown(body.description)}</p>${examplesView(document, media)}`;
  });
  return `<h4>Body</h4>${parts.join('')}`;
}

function responsesView(document: OpenapiDocument, operation: OperationObject): string {
  const rows = Object.entries(operation.responses).map(([status, reference]) => {
    const response = resolve(document, reference) as ResponseObject;
    const media = Object.values(response.content ?? {});
    const types = media.map((one) => codesOrType(document, one.schema ?? {})).join(' or ');
    const headers = Object.keys(response.headers ?? {}).filter((name) => !COMMON_HEADERS.has(name));
    const extra = headers.length === 0 ? '' : `<div class="rule">with ${headers.map(code).join(' ')}</div>`;
    const examples = Number(status) < 400 ? media.map((one) => examplesView(document, one)).join('') : '';
    return `<tr><td><strong>${escape(status)}</strong></td><td class="wrap">${inlineMarkdown(response.description)}${extra}${examples}</td><td class="wrap">${types}</td></tr>`;
  });
  return `<div class="table"><table><thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Body</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** Headers that nearly every answer has are said once, in the introduction. */
const COMMON_HEADERS = new Set(['X-Request-Id', 'Contract-Version', 'Cache-Control', 'RateLimit', 'RateLimit-Policy']);

/** Problems are best told by their codes, each a link to its explanation. */
function codesOrType(document: OpenapiDocument, schema: Schema): string {
  const branches = schema.oneOf ?? [schema];
  return branches
    .map((branch) => {
      // The member beside the base narrows the code; the base itself is a reference.
      const codes = (resolve(document, branch) as Schema).allOf?.map((part) => part.properties?.code).find((named) => typeof named === 'object')?.enum;
      return codes === undefined ? typeOf(branch) : codes.map((one) => `<a href="docs/errors#${escape(String(one))}">${escape(String(one))}</a>`).join('<br>');
    })
    .join('<br>');
}

function examplesView(document: OpenapiDocument, media: MediaType): string {
  const views = Object.entries(media.examples ?? {}).map(([name, reference]) => {
    const example = resolve(document, reference) as { summary?: string; value: unknown };
    const text = typeof example.value === 'string' ? example.value : JSON.stringify(example.value, null, 2);
    return `<details><summary>${escape(example.summary ?? name)}</summary><pre><code>${escape(text)}</code></pre></details>`;
  });
  return views.join('');
}

function command(document: OpenapiDocument, spec: OperationSpec, operation: OperationObject): string {
  const parameters = (operation.parameters ?? []).map((reference) => resolve(document, reference) as { name: string; in: string; example?: unknown });
  const path = spec.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => String(parameters.find((one) => one.name === name)?.example ?? name));
  const lines = [`curl -sS${spec.method === 'GET' ? '' : ` -X ${spec.method}`} "$URL${path}"`];
  if (spec.scopes !== undefined) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (operation.requestBody !== undefined) {
    const body = resolve(document, operation.requestBody) as { content: Record<string, MediaType> };
    const [first] = Object.values(body.content['application/json']?.examples ?? {});
    const value = first === undefined ? {} : (resolve(document, first) as { value: unknown }).value;
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(value)}'`);
  }
  return lines.join(' \\\n  ');
}
