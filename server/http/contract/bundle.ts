/**
 * The contract in the server: the generated bundle, parsed once for routing, validation and pages; its exact bytes for /openapi.json and
 * /openapi.yaml, so that the published contract is the enforced one; and the bytes of the rendition for client generators, which `npm run
 * generate` makes from the bundle.
 */
import { readFileSync } from 'node:fs';

/** The part of OpenAPI 3.1 that this server reads; the contract itself is checked by its own lint. */
export interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; summary?: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  [member: string]: unknown;
}

export interface ContractBundle {
  document: OpenapiDocument;
  json: Buffer;
  yaml: Buffer;
  clientJson: Buffer;
  /** /changelog.atom and /llms.txt, which are generated with the bundle. */
  changelogFeed: Buffer;
  llmsTxt: Buffer;
}

const GENERATED = new URL('../../../generated/', import.meta.url);

export function loadContract(folder: URL = GENERATED): ContractBundle {
  const json = readFileSync(new URL('openapi.json', folder));
  const yaml = readFileSync(new URL('openapi.yaml', folder));
  const clientJson = readFileSync(new URL('openapi.client.json', folder));
  const changelogFeed = readFileSync(new URL('changelog.atom', folder));
  const llmsTxt = readFileSync(new URL('llms.txt', folder));
  return {
    document: JSON.parse(json.toString('utf8')) as OpenapiDocument,
    json,
    yaml,
    clientJson,
    changelogFeed,
    llmsTxt,
  };
}

type Node = Record<string, unknown>;

/** Follows `$ref` within the document; a bundle has no other references. */
export function resolve(document: OpenapiDocument, node: unknown): Node {
  let current = node as Node;
  for (let hops = 0; typeof current.$ref === 'string'; hops += 1) {
    const path = current.$ref;
    if (!path.startsWith('#/') || hops > 8)
      throw new Error(`The contract has a reference that cannot be followed: ${path}`);
    const found = path
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Node | undefined)?.[unescape(key)], document);
    if (found === undefined) throw new Error(`The contract has a reference to nothing: ${path}`);
    current = found as Node;
  }
  return current;
}

/** One token of a JSON pointer in a URI fragment (RFC 6901 section 6). */
function unescape(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}
