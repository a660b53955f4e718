/**
 * The schemas of the contract for languages without unions, for the rendition for generators of clients (client-rendition.ts). A value that
 * a schema of the contract accepts is also accepted by its flat form. The flat form refuses less; its descriptions state the rest in words:
 *
 * - a union of objects is one object: required is what every branch requires, the rest is optional; - an object that extends another
 * (`allOf`) has the members of both; - a list of values in an answer is text, with the values as `x-extensible-enum`: an unknown status
 * must not fail the reader of an answer; - a pattern, or a length, beside a format is left out: generators make a date of such a text, and
 * some then match the pattern with the date.
 */

type Node = Record<string, unknown>;
type Schemas = Record<string, Node>;

const PREFIX = '#/components/schemas/';
/** Members of a schema that have further schemas by name, and those that have one schema. */
const BY_NAME = ['properties', 'patternProperties'];
const UNIONS = ['oneOf', 'anyOf'];

/** One of several schemas that are merged, and how a description refers to it: the value that distinguishes it from the others. */
interface Branch {
  schema: Node;
  label?: string;
}

/**
 * Two schemas that are one class in a client, because the second has the members of the first and more.
 * The description of each further member names the operation that answers it.
 */
const SAME_CLASS = [
  {
    name: 'Transaction',
    also: 'TransactionDetail',
    answeredBy: 'getTransaction',
    description: 'A transfer. `status` says what became of it. A member that does not apply is absent, never null.',
  },
];

/** Changes the schemas of a document and what refers to them. @throws for a union that has no flat form. */
export function flatten(document: Node): void {
  const schemas = (document['components'] as Node)['schemas'] as Schemas;
  const merger = new Merger(schemas);
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = merger.flat(schema, name);
  for (const { name, also, answeredBy, description } of SAME_CLASS) {
    const [schema, more] = [schemas[name], schemas[also]];
    if (schema === undefined || more === undefined) continue;
    const further = Object.entries(membersOf(more))
      .filter(([member]) => !(member in membersOf(schema)))
      .map(([member, node]) => [
        member,
        { ...node, description: `${merger.description(node)} Only ${answeredBy} answers it.`.trim() },
      ]);
    schema['properties'] = { ...membersOf(schema), ...Object.fromEntries(further) };
    schema['description'] = description;
    delete schemas[also];
    redirect(document, PREFIX + also, PREFIX + name);
  }
  walk(document, (node) => {
    if (node['type'] === 'string' && typeof node['format'] === 'string')
      for (const bound of ['pattern', 'minLength', 'maxLength']) delete node[bound];
  });
}

/** Lists of values become text in all schemas that responses refer to. */
export function openAnswers(document: Node, answers: unknown): void {
  const seen = new Set<string>();
  const open = (root: unknown): void =>
    walk(root, (node) => {
      const values = valuesOf(node);
      if (values !== undefined && node['type'] === 'string') {
        delete node['enum'];
        delete node['const'];
        node['x-extensible-enum'] = values;
      }
      const reference = node['$ref'];
      if (typeof reference !== 'string' || seen.has(reference)) return;
      seen.add(reference);
      open(found(document, reference));
    });
  open(answers);
}

/** Resolves a reference within the document. @throws when its target does not exist. */
export function found(document: Node, reference: string): unknown {
  const keys = reference.slice('#/'.length).split('/');
  const node = keys.reduce<unknown>(
    (parent, key) => (parent as Node | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  if (node === undefined) throw new Error(`The contract refers to nothing by ${reference}`);
  return node;
}

/** Visits every node below, except examples, which can have any form. */
export function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Node);
  for (const [key, child] of Object.entries(value)) if (key !== 'examples' && key !== 'example') walk(child, visit);
}

function redirect(document: Node, from: string, to: string): void {
  walk(document, (node) => {
    if (node['$ref'] === from) node['$ref'] = to;
  });
}

/** The values that a text has in this version of the contract; a later one may add others. */
function valuesOf(schema: Node): string[] | undefined {
  if (schema['const'] !== undefined) return [schema['const'] as string];
  return (schema['enum'] ?? schema['x-extensible-enum']) as string[] | undefined;
}

class Merger {
  readonly #schemas: Schemas;
  /** Names of components that were made here. */
  readonly #made = new Set<string>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** @param name prefix of the names of components that have to be made for members of this schema. */
  flat(schema: Node, name: string): Node {
    const union = UNIONS.find((kind) => Array.isArray(schema[kind]));
    const { description } = schema;
    if (union !== undefined) {
      const merged = this.#union(this.#branches(schema, union), name);
      return description === undefined ? merged : { ...merged, description };
    }
    if (Array.isArray(schema['allOf'])) {
      const { allOf, ...rest } = schema;
      const parts = [...(allOf as Node[]), rest].map((part) => this.#resolved(part, name));
      return { ...this.#all(parts), ...(description === undefined ? {} : { description }) };
    }
    const changed: Node = { ...schema };
    for (const kind of BY_NAME)
      if (schema[kind] !== undefined)
        changed[kind] = Object.fromEntries(
          Object.entries(schema[kind] as Schemas).map(([member, node]) => [
            member,
            this.flat(node, name + upper(member)),
          ]),
        );
    if (schema['items'] !== undefined) changed['items'] = this.flat(schema['items'] as Node, `${name}Item`);
    return changed;
  }

  description(node: Node): string {
    return String(node['description'] ?? this.#resolved(node, '')['description'] ?? '');
  }

  #branches(schema: Node, union: string): Branch[] {
    const branches = (schema[union] as Node[]).map((branch) => this.#resolved(branch, ''));
    const valueOf = (branch: Node, member: string): string | undefined => {
      const property = membersOf(branch)[member];
      const values = property === undefined ? [] : (valuesOf(this.#resolved(property, '')) ?? []);
      return values.length === 1 ? values[0] : undefined;
    };
    // The member that has a different value in each branch, except the last one, which is for later values.
    const [first = {}] = branches;
    const telling = Object.keys(membersOf(first)).find((member) =>
      branches.slice(0, -1).every((branch) => valueOf(branch, member) !== undefined),
    );
    return branches.map((branch) => {
      const label = telling === undefined ? undefined : valueOf(branch, telling);
      return label === undefined ? { schema: branch } : { schema: branch, label };
    });
  }

  #resolved(schema: Node, name: string): Node {
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return this.flat(schema, name);
    const target = reference.slice(PREFIX.length);
    return this.flat(found({ components: { schemas: this.#schemas } }, reference) as Node, target);
  }

  /** The members of all parts; where two have the same member, the last one applies. */
  #all(parts: readonly Node[]): Node {
    const objects = parts.filter((part) => Object.keys(part).some((key) => key !== 'description'));
    const required = [...new Set(objects.flatMap((part) => (part['required'] ?? []) as string[]))];
    const properties = Object.assign({}, ...objects.map(membersOf)) as Schemas;
    return { ...Object.assign({}, ...objects), ...(required.length > 0 ? { required } : {}), properties };
  }

  #union(branches: readonly Branch[], name: string): Node {
    const types = new Set(branches.map(({ schema }) => schema['type']));
    const [type] = types;
    if (types.size === 1 && type === 'object') return this.#object(branches, name);
    if (types.size === 1 && type === 'string') return this.#text(branches.map(({ schema }) => schema));
    throw new Error(
      `${name} is a union of ${[...types].join(' and ')}, and a flat form there is for objects and for texts.`,
    );
  }

  #object(branches: readonly Branch[], name: string): Node {
    const members = [...new Set(branches.flatMap(({ schema }) => Object.keys(membersOf(schema))))];
    const required = members.filter((member) =>
      branches.every(({ schema }) => ((schema['required'] ?? []) as string[]).includes(member)),
    );
    const properties = members.map((member) => {
      const having = branches.flatMap(({ schema, label }) => {
        const node = membersOf(schema)[member];
        return node === undefined ? [] : [{ schema: node, ...(label === undefined ? {} : { label }) }];
      });
      const absent = branches.filter(({ schema }) => membersOf(schema)[member] === undefined);
      return [member, this.#member(having, absent, name + upper(member))];
    });
    return { type: 'object', required, properties: Object.fromEntries(properties) };
  }

  /** A member of several branches: unchanged where they agree, else text or an object. Its description names the branches without it. */
  #member(having: readonly Branch[], absent: readonly Branch[], name: string): Node {
    const [first, ...others] = having.map(({ schema: { description: _description, ...node } }) => node);
    const described = inWords(having, absent);
    if (others.every((other) => meaningOf(other) === meaningOf(first ?? {})))
      return described === '' ? { ...first } : { description: described, ...first };
    const resolved = having.map((branch) => ({ ...branch, schema: this.#resolved(branch.schema, name) }));
    const merged = this.#union(resolved, name);
    // Without the descriptions of a discriminator ("Always `pending`."): the list of values has more information.
    if (merged['type'] !== 'object') return merged;
    if (this.#schemas[name] !== undefined && !this.#made.has(name))
      throw new Error(`${name} is needed for the members of a union, and the contract has a schema of that name.`);
    // It becomes a class in a client, so it needs a name.
    this.#made.add(name);
    this.#schemas[name] = { ...merged, description: described };
    return { description: described, $ref: PREFIX + name };
  }

  /** Text with the values of all, or a reference to another component with the same values. */
  #text(texts: readonly Node[]): Node {
    const values = [...new Set(texts.flatMap((text) => valuesOf(text) ?? []))];
    const same = Object.entries(this.#schemas).filter(([, schema]) => {
      const others = valuesOf(schema) ?? [];
      return values.length > 0 && others.length === values.length && values.every((value) => others.includes(value));
    });
    // A list used in answers is preferred to one used in requests, which stays closed.
    const named = same.find(([, schema]) => 'x-extensible-enum' in schema) ?? same[0];
    if (named !== undefined) return { $ref: PREFIX + named[0] };
    const [pattern, maxLength] = ['pattern', 'maxLength'].map((key) => {
      const all = new Set(texts.map((text) => text[key]));
      return all.size === 1 ? [...all][0] : undefined;
    });
    return {
      description: String(texts[0]?.['description'] ?? ''),
      type: 'string',
      ...(pattern === undefined ? {} : { pattern }),
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(values.length > 0 ? { 'x-extensible-enum': values } : {}),
    };
  }
}

/** A key of the values that a schema accepts: the schema without its description. */
const meaningOf = ({ examples: _examples, ...meaning }: Node): string => JSON.stringify(meaning);

const membersOf = (schema: Node): Schemas => (schema['properties'] ?? {}) as Schemas;

/** The descriptions of a member in the branches, one for each branch where they differ, and the list of branches without it. */
function inWords(having: readonly Branch[], absent: readonly Branch[]): string {
  const said = new Map<string, string[]>();
  for (const { schema, label } of having) {
    const description = schema['description'] as string | undefined;
    if (description !== undefined)
      said.set(description, [...(said.get(description) ?? []), ...(label === undefined ? [] : [`\`${label}\``])]);
  }
  const sentences = [...said].map(([description, labels]) =>
    said.size > 1 && labels.length > 0 ? `With ${labels.join(', ')}: ${description}` : description,
  );
  const without = absent.flatMap(({ label }) => (label === undefined ? [] : [`\`${label}\``]));
  if (without.length > 0) sentences.push(`Absent with ${without.join(', ')}.`);
  return sentences.join(' ');
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
