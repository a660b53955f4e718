/**
 * The second rendition of the contract, for generators that have problems with the bundle, and for languages without unions. It has the
 * operations outside /rpc (for /rpc there are clients already), with bodies and responses inline where they are used, every error as the
 * `default` response with one schema (one-problem.ts), and every schema flat (flat-schemas.ts). No two components have the same name;
 * components without a reference to them are left out, and so are the examples of bodies, which are in the bundle.
 *
 * Every answer that is valid by the bundle is valid by this document. It depends on the bundle only, and keeps its order, so the same
 * bundle gives the same document.
 */
import { flatten, found, openAnswers, walk } from './flat-schemas.ts';
import { PROBLEM_TYPE, withOneProblem } from './one-problem.ts';

type Node = Record<string, unknown>;

const RPC = /^\/rpc(\/|$)/;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** A header that only some errors have: the time for a client to wait. */
const RETRY_AFTER = 'Retry-After';
/** Headers that only some errors have. Clients have their token before the first request and do not need a challenge. */
const OF_SOME: ReadonlySet<string> = new Set([RETRY_AFTER, 'WWW-Authenticate']);

/** @param bundle an OpenAPI document in one piece; it is not changed. */
export function clientRendition(bundle: object): object {
  // Messages to webhooks are requests to the servers of others: a client of this service sends none of them.
  const { webhooks: _, ...document } = withOneProblem(bundle) as Node;
  const paths = Object.fromEntries(Object.entries(document['paths'] as Node).filter(([path]) => !RPC.test(path)));
  document['paths'] = paths;
  const operations = Object.values(paths)
    .flatMap((item) => METHODS.map((method) => (item as Node)[method] as Node | undefined))
    .filter((operation) => operation !== undefined);
  for (const operation of operations) {
    if (operation['requestBody'] !== undefined)
      operation['requestBody'] = withoutExamples(inlined(document, operation['requestBody']) as Node);
    const responses = Object.entries(operation['responses'] as Node).map(
      ([status, response]) => [status, withoutExamples(inOneForm(inlined(document, response) as Node))] as const,
    );
    const errors = responses.filter(([, response]) => isError(response));
    operation['responses'] = Object.fromEntries([
      ...responses.filter(([, response]) => !isError(response)),
      [
        'default',
        oneError(
          document,
          errors.map(([, response]) => response),
        ),
      ],
    ]);
  }
  const schemes = new Set(
    operations.flatMap(({ security }) =>
      ((security ?? []) as Node[]).flatMap((requirement) => Object.keys(requirement)),
    ),
  );
  document['components'] = usedComponents(document, paths, schemes);
  flatten(document);
  document['components'] = usedComponents(document, paths, schemes);
  openAnswers(
    document,
    operations.map((operation) => operation['responses']),
  );
  const tags = new Set(operations.flatMap(({ tags }) => tags as string[]));
  document['tags'] = (document['tags'] as { name: string }[]).filter(({ name }) => tags.has(name));
  nameOnce(document);
  return document;
}

const isError = (response: Node): boolean => PROBLEM_TYPE in ((response['content'] ?? {}) as Node);

/**
 * Merges the errors of an operation into one response: a client has one exception, and `code` is the reason. It has the headers of all
 * errors, so that it is the same for all operations except for the codes.
 */
function oneError(document: Node, errors: readonly Node[]): Node {
  const codes = [...new Set(errors.flatMap((error) => (error['x-problem-codes'] ?? []) as string[]))];
  // The last one is the answer for all errors that the operation does not list.
  const headers = (errors.at(-1)?.['headers'] ?? {}) as Node;
  const shared = Object.entries(headers).filter(([name]) => !OF_SOME.has(name));
  const retryAfter = headers[RETRY_AFTER];
  const sometimes =
    retryAfter === undefined
      ? []
      : [[RETRY_AFTER, { ...(inlined(document, retryAfter) as Node), required: false }] as const];
  return {
    description: 'An error. Its `code` says which: one of those listed here, or another of `ProblemCode`.',
    headers: Object.fromEntries([...shared, ...sometimes]),
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
    'x-problem-codes': codes,
  };
}

/**
 * Keeps one media type of a response: JSON, or else the first. Most generators make a client that reads only one, and not always that one.
 */
function inOneForm(response: Node): Node {
  const content = (response['content'] ?? {}) as Node;
  const mediaType = 'application/json' in content ? 'application/json' : Object.keys(content)[0];
  return mediaType === undefined ? response : { ...response, content: { [mediaType]: content[mediaType] } };
}

function withoutExamples(body: Node): Node {
  if (body['content'] === undefined) return body;
  const content = Object.entries(body['content'] as Record<string, Node>).map(([mediaType, value]) => {
    const { example: _example, examples: _examples, ...rest } = value;
    return [mediaType, rest];
  });
  return { ...body, content: Object.fromEntries(content) };
}

function inlined(document: Node, node: unknown): unknown {
  const reference = (node as Node)['$ref'];
  return typeof reference === 'string' ? structuredClone(found(document, reference)) : node;
}

/** Components that the paths refer to, directly or through each other; security schemes are referred to by name. */
function usedComponents(document: Node, paths: Node, schemes: ReadonlySet<string>): Node {
  const components = document['components'] as Record<string, Node>;
  const used = new Set<string>();
  const use = (root: unknown): void =>
    walk(root, (node) => {
      const reference = node['$ref'];
      if (typeof reference !== 'string' || used.has(reference)) return;
      used.add(reference);
      use(found(document, reference));
    });
  use(paths);
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

/** Generators put all kinds of components into one namespace: the kind is appended to a name that a schema or an earlier component has. */
function nameOnce(document: Node): void {
  const taken = new Set<string>();
  const renamed = new Map<string, string>();
  const components = Object.entries(document['components'] as Record<string, Node>);
  components.sort(([a], [b]) => Number(b === 'schemas') - Number(a === 'schemas'));
  for (const [kind, named] of components) {
    const suffix = kind.charAt(0).toUpperCase() + kind.slice(1).replace(/s$/, '');
    (document['components'] as Node)[kind] = Object.fromEntries(
      Object.entries(named).map(([name, component]) => {
        const free = taken.has(name.toLowerCase()) ? name + suffix : name;
        taken.add(free.toLowerCase());
        if (free !== name) renamed.set(`#/components/${kind}/${name}`, `#/components/${kind}/${free}`);
        return [free, component];
      }),
    );
  }
  walk(document, (node) => {
    const free = renamed.get(node['$ref'] as string);
    if (free !== undefined) node['$ref'] = free;
  });
}
