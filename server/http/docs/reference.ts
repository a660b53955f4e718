/** Sources of the pages of the reference: the contract's operations by tag, its schemas and headers, and the page of each. */
import { resolve } from '../contract/bundle.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { anchor } from './html.ts';

/** Operations on one entry: a single one, or a method of the RPC by GET and by POST. */
export type Topic = readonly [OperationSpec, ...OperationSpec[]];

/** Messages that the service sends, under `webhooks:` of the contract. */
export interface Message {
  readonly id: string;
  readonly operation: MessageObject;
}

export interface MessageObject {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: Record<string, unknown>;
}

export interface TagPage {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly topics: readonly Topic[];
  readonly messages: readonly Message[];
}

export interface Reference {
  readonly document: OpenapiDocument;
  readonly tags: readonly TagPage[];
  /** References by operationId, with the fragment. */
  readonly operations: ReadonlyMap<string, string>;
}

/** The page for messages without a page of their own. */
const MESSAGES_TAG = 'Webhooks';

export function readReference(document: OpenapiDocument, operations: readonly OperationSpec[]): Reference {
  const messages = readMessages(document);
  const named = (document.tags ?? []).map(({ name }) => name);
  const tagged = (message: Message): string =>
    message.operation.tags?.find((tag) => named.includes(tag)) ?? MESSAGES_TAG;
  const all = [
    ...(document.tags ?? []),
    ...(named.includes(MESSAGES_TAG)
      ? []
      : [{ name: MESSAGES_TAG, description: 'What this service sends to your endpoints.' }]),
  ];
  const tags = all
    .map(({ name, description = '' }) => ({
      name,
      description,
      path: tagPath(name),
      topics: topicsOf(operations.filter((operation) => operation.tag === name)),
      messages: messages.filter((message) => tagged(message) === name),
    }))
    .filter((tag) => tag.topics.length + tag.messages.length > 0);
  const places = tags.flatMap((tag) =>
    [...tag.topics.flat(), ...tag.messages].map(({ id }) => [id, `${tag.path}#${anchor(id)}`] as const),
  );
  return { document, tags, operations: new Map(places) };
}

function topicsOf(operations: readonly OperationSpec[]): Topic[] {
  const topics = new Map<string, [OperationSpec, ...OperationSpec[]]>();
  for (const operation of operations) {
    const key = operation.rpcMethod === undefined ? operation.id : operation.path;
    const topic = topics.get(key);
    if (topic === undefined) topics.set(key, [operation]);
    else topic.push(operation);
  }
  return [...topics.values()];
}

function readMessages(document: OpenapiDocument): Message[] {
  const webhooks = (document['webhooks'] ?? {}) as Record<string, unknown>;
  return Object.entries(webhooks).flatMap(([name, item]) => {
    const operation = resolve(document, item)['post'] as MessageObject | undefined;
    return operation === undefined ? [] : [{ id: operation.operationId ?? name, operation }];
  });
}

/** The page of a tag. */
export const tagPath = (name: string): string => `/docs/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
export const isRpcTag = (name: string): boolean => name.startsWith('RPC');
const isRpcSchema = (name: string): boolean => name.startsWith('Rpc');
/** True for the schema of one problem code; the page of errors explains them. */
const isProblemForm = (name: string): boolean => name.endsWith('Problem') && name !== 'Problem';

export const SCHEMAS_PATH = '/docs/schemas';
export const RPC_SCHEMAS_PATH = '/docs/rpc-schemas';
export const HEADERS_PATH = '/docs/headers';
export const ERRORS_PATH = '/docs/errors';

export function schemaNames(document: OpenapiDocument): { api: string[]; rpc: string[]; problems: string[] } {
  const names = Object.keys(document.components['schemas'] ?? {}).toSorted((a, b) => a.localeCompare(b, 'en'));
  const problems = names.filter(isProblemForm);
  const rpc = names.filter((name) => isRpcSchema(name) && !isProblemForm(name));
  return { api: names.filter((name) => !isRpcSchema(name) && !isProblemForm(name)), rpc, problems };
}

export function schemaPlace(name: string): string {
  if (isProblemForm(name)) return `${ERRORS_PATH}#schema-${anchor(name)}`;
  return `${isRpcSchema(name) ? RPC_SCHEMAS_PATH : SCHEMAS_PATH}#schema-${anchor(name)}`;
}

export const headerPlace = (name: string): string => `${HEADERS_PATH}#header-${anchor(name)}`;
