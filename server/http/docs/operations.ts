/** An operation of the contract as Markdown: the request, the answers, and a command to try it. */
import { resolve } from '../contract/bundle.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import { deprecationNote } from '../contract/deprecations.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor } from './html.ts';
import { code, fenced, line, table, text } from './markdown.ts';
import { ERRORS_PATH, headerPlace } from './reference.ts';
import type { Message, MessageObject, Topic } from './reference.ts';
import { meaning, rulesOf, typeOf } from './schemas.ts';
import type { Schema } from './schemas.ts';

interface MediaType {
  schema?: Schema;
  examples?: Record<string, unknown>;
}

export interface ResponseObject {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface ParameterObject {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

/** The answers that an operation does not list. */
const DEFAULT = 'default';

/** Headers that nearly every request or answer can have: the page of headers describes them once. */
const COMMON_HEADERS = new Set(['X-Request-Id', 'Contract-Version', 'Cache-Control', 'RateLimit', 'RateLimit-Policy']);

export function operationObject(document: OpenapiDocument, { path, method }: OperationSpec): MessageObject {
  return document.paths[path]?.[method.toLowerCase()] as MessageObject;
}

export function topicMarkdown(document: OpenapiDocument, topic: Topic): string {
  const [first] = topic;
  const operations = topic.map((spec) => operationObject(document, spec));
  const [operation = {}] = operations;
  const body = operations.find(({ requestBody }) => requestBody !== undefined)?.requestBody;
  const responses = Object.assign({}, ...operations.map((one) => one.responses).toReversed()) as Record<
    string,
    unknown
  >;
  return [
    `## ${text(titleOf(first, operation))} {#${topic.map(({ id }) => anchor(id)).join(' ')}}`,
    `${topic.map(({ method, path }) => code(`${method} ${path}`)).join(' or ')}  \n${topic.map(({ id }) => code(id)).join(', ')} · ${needOf(first)}`,
    deprecationNote(operation),
    operation.description ?? '',
    parametersMarkdown(document, operation, `${first.id}-parameters`),
    bodyMarkdown(document, body, `${first.id}-body`, topic.length === 1 ? 'Body' : 'Body of POST'),
    `### Try it {#${first.id}-try}`,
    fenced(topic.map((spec) => command(document, spec)).join('\n'), 'sh'),
    answersMarkdown(document, responses, `${first.id}-answers`, unlistedCodes(topic)),
  ].join('\n\n');
}

/** Codes that the operations leave to `default`. */
function unlistedCodes(topic: Topic): string[] {
  const listed = new Set(topic.flatMap(({ listedCodes }) => [...listedCodes]));
  return [...new Set(topic.flatMap(({ codes }) => [...codes]))].filter((one) => !listed.has(one));
}

function needOf({ scopes, schemes }: OperationSpec): string {
  if (scopes !== undefined) return `token with ${scopes.map(code).join(' and ')}`;
  return schemes.length === 0 ? 'no token' : 'no token, unless the operator asks for one';
}

/** Titles of RPC methods are their names. */
function titleOf({ id, rpcMethod }: OperationSpec, { summary = id }: MessageObject): string {
  return rpcMethod === undefined ? summary : `${rpcMethod}: ${summary}`;
}

/** A message that the service sends: the roles of client and server are reversed. */
export function messageMarkdown(document: OpenapiDocument, { id, operation }: Message): string {
  return [
    `## ${text(`${id}: ${operation.summary ?? ''}`)} {#${anchor(id)}}`,
    `Sent to your endpoint as ${code('POST')} · ${code(id)}`,
    operation.description ?? '',
    parametersMarkdown(document, operation, `${id}-parameters`),
    bodyMarkdown(document, operation.requestBody, `${id}-body`),
    answersMarkdown(document, operation.responses ?? {}, `${id}-answers`),
  ].join('\n\n');
}

export function parametersOf(document: OpenapiDocument, operation: MessageObject): ParameterObject[] {
  return (operation.parameters ?? []).map((reference) => resolve(document, reference) as unknown as ParameterObject);
}

function parametersMarkdown(document: OpenapiDocument, operation: MessageObject, id: string): string {
  const rows = parametersOf(document, operation)
    .filter(({ name }) => !COMMON_HEADERS.has(name))
    .map((parameter) => {
      const name =
        parameter.in === 'header' ? `[${code(parameter.name)}](${headerPlace(parameter.name)})` : code(parameter.name);
      const rules = parameter.in === 'header' ? '' : rulesOf(resolve(document, parameter.schema) as Schema);
      return [
        `${name}${parameter.required === true ? '' : ' *optional*'}`,
        parameter.in,
        typeOf(parameter.schema),
        meaning(parameter.description, deprecationNote(parameter), rules),
      ];
    });
  return rows.length === 0
    ? ''
    : `### Parameters {#${anchor(id)}}\n\n${table(['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

function bodyMarkdown(document: OpenapiDocument, reference: unknown, id: string, title = 'Body'): string {
  if (reference === undefined) return '';
  const body = resolve(document, reference) as { description?: string; content: Record<string, MediaType> };
  const parts = Object.entries(body.content).map(([mediaType, media]) => {
    return `${code(mediaType)}: ${typeOf(media.schema ?? {})}. ${line(body.description)}\n\n${examplesMarkdown(document, media)}`;
  });
  return `### ${title} {#${anchor(id)}}\n\n${parts.join('\n')}`;
}

/** @param unlisted the codes of answers that are not listed. */
function answersMarkdown(
  document: OpenapiDocument,
  responses: Record<string, unknown>,
  id: string,
  unlisted: readonly string[] = [],
): string {
  const entries = Object.entries(responses).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const rows = entries.map(([status, reference]) => {
    const response = resolve(document, reference) as ResponseObject;
    const types =
      status === DEFAULT
        ? [unlisted.map(codeLink).join('<br>')]
        : Object.values(response.content ?? {}).map((one) => codesOrType(document, one.schema ?? {}));
    const headers = Object.keys(response.headers ?? {}).filter((name) => !COMMON_HEADERS.has(name));
    const extra =
      headers.length === 0 ? '' : `with ${headers.map((name) => `[${code(name)}](${headerPlace(name)})`).join(', ')}`;
    return [`**${text(status)}**`, meaning(response.description, extra), types.join(' or ')];
  });
  const examples = entries
    .filter(([status]) => !/^[45]/.test(status) && status !== DEFAULT)
    .flatMap(([status, reference]) =>
      Object.values((resolve(document, reference) as ResponseObject).content ?? {}).map((media) =>
        examplesMarkdown(document, media, `${status}: `),
      ),
    );
  return `### Answers {#${anchor(id)}}\n\n${table(['Status', 'When', 'Body'], rows)}\n${examples.join('\n')}`;
}

const codeLink = (one: unknown): string => `[${text(String(one))}](${ERRORS_PATH}#${anchor(String(one))})`;

/** Lists problems by their codes, each a link to its explanation. The last kind of several covers codes of later versions. */
function codesOrType(document: OpenapiDocument, schema: Schema): string {
  const branches = schema.anyOf?.slice(0, -1) ?? [schema];
  return branches
    .map((branch) => {
      // The member beside the base narrows the code; the base itself is a reference.
      const codes = (resolve(document, branch) as Schema).allOf
        ?.map((part) => part.properties?.['code'])
        .find((named) => typeof named === 'object')?.enum;
      return codes === undefined ? typeOf(branch) : codes.map(codeLink).join('<br>');
    })
    .join('<br>');
}

function examplesMarkdown(document: OpenapiDocument, media: MediaType, before = ''): string {
  const views = Object.entries(media.examples ?? {}).map(([name, reference]) => {
    const example = resolve(document, reference) as { summary?: string; value: unknown };
    const isText = typeof example.value === 'string';
    return fenced(
      isText ? String(example.value) : JSON.stringify(example.value, null, 2),
      `${isText ? 'text' : 'json'} fold: ${before}${line(example.summary ?? name)}`,
    );
  });
  return views.join('\n');
}

function command(document: OpenapiDocument, spec: OperationSpec): string {
  const operation = operationObject(document, spec);
  const parameters = parametersOf(document, operation);
  const path = spec.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    String(parameters.find((one) => one.name === name)?.example ?? name),
  );
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
