/**
 * The second rendition of the contract, for generators that find their way through the bundle with difficulty: the operations
 * outside /rpc, whose clients exist already, with the bodies and the responses written out where they are used. Parameters, headers,
 * schemas and examples stay components; what nothing refers to any more is left out. generate.ts gives it the bundle with one schema for
 * every error (one-problem.ts).
 *
 * It says the same as the bundle about every operation that it has, but for other forms than JSON of an answer that has JSON. Nothing depends on anything but the bundle, and what remains
 * keeps its order, so the same bundle gives the same document.
 */

type Node = Record<string, unknown>;

const RPC = /^\/rpc(\/|$)/;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** @param bundle an OpenAPI document in one piece; it is not changed. */
export function clientRendition(bundle: object): object {
  // Messages to webhooks are requests to another's server: a client of this service sends none of them.
  const { webhooks: _, ...document } = structuredClone(bundle) as Node;
  const paths = Object.fromEntries(Object.entries(document['paths'] as Node).filter(([path]) => !RPC.test(path)));
  const operations = Object.values(paths)
    .flatMap((item) => METHODS.map((method) => (item as Node)[method] as Node | undefined))
    .filter((operation) => operation !== undefined);
  for (const operation of operations) {
    if (operation['requestBody'] !== undefined) operation['requestBody'] = inlined(document, operation['requestBody']);
    for (const [status, response] of Object.entries(operation['responses'] as Node)) {
      (operation['responses'] as Node)[status] = inOneForm(inlined(document, response) as Node);
    }
  }
  const tags = new Set(operations.flatMap(({ tags }) => tags as string[]));
  return {
    ...document,
    tags: (document['tags'] as { name: string }[]).filter(({ name }) => tags.has(name)),
    paths,
    components: usedComponents(
      document,
      paths,
      new Set(
        operations.flatMap(({ security }) =>
          ((security ?? []) as Node[]).flatMap((requirement) => Object.keys(requirement)),
        ),
      ),
    ),
  };
}

/** Of an answer that has several forms only JSON, or else the first: most generators make a client that reads one, and not always that one. */
function inOneForm(response: Node): Node {
  const content = (response['content'] ?? {}) as Node;
  const mediaType = 'application/json' in content ? 'application/json' : Object.keys(content)[0];
  return mediaType === undefined ? response : { ...response, content: { [mediaType]: content[mediaType] } };
}

function inlined(document: Node, node: unknown): unknown {
  const reference = (node as Node)['$ref'];
  return typeof reference === 'string' ? structuredClone(found(document, reference)) : node;
}

/** Components that the paths refer to, directly or through each other; security schemes are referred to by name. */
function usedComponents(document: Node, paths: Node, schemes: ReadonlySet<string>): Node {
  const components = document['components'] as Record<string, Node>;
  const used = new Set<string>();
  const pending: unknown[] = [paths];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node === 'string') {
      // A `$ref`, or a value of a discriminator's mapping: both are written as the reference itself.
      if (!node.startsWith('#/components/') || used.has(node)) continue;
      used.add(node);
      pending.push(found(document, node));
    } else if (typeof node === 'object' && node !== null) {
      pending.push(...Object.values(node).filter((value) => value !== undefined));
    }
  }
  const kept = Object.entries(components).map(([kind, named]) => [
    kind,
    Object.fromEntries(
      Object.entries(named).filter(([name]) =>
        kind === 'securitySchemes' ? schemes.has(name) : used.has(`#/components/${kind}/${name}`),
      ),
    ),
  ]);
  return Object.fromEntries(kept.filter(([, named]) => Object.keys(named as Node).length > 0)) as Node;
}

/** What a reference within the document refers to. @throws when there is nothing. */
function found(document: Node, reference: string): unknown {
  const keys = reference.slice('#/'.length).split('/');
  const node = keys.reduce<unknown>(
    (parent, key) => (parent as Node | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  if (node === undefined) throw new Error(`The contract refers to nothing by ${reference}`);
  return node;
}
