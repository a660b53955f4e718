/**
 * The part of Redocly's rule interface that our rules use. Its own package does not export these types to
 * plugins, and fifteen lines are easier to read than the whole interface.
 */

/** Any part of a description; each rule checks the members that it uses. */
export type Node = Record<string, unknown>;

/** A place in a file. */
export type Location = {
  source: { absoluteRef: string };
  absolutePointer: string;
  child(keys: Array<string | number> | string): Location;
  key(): Location;
};

export type Context = {
  report(problem: { message: string; location?: Location }): void;
  /** Follows a `$ref`, if there is one, from the file that `from` names (else the one being visited). */
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location };
  location: Location;
  /** The value at the place itself, before its `$ref` was followed. */
  rawNode: Node;
  rawLocation: Location;
  key: string | number;
  type: { name: string };
};

export type Visit = (node: Node, context: Context) => void;

/** A rule: a visitor for each kind of object, called on entering it, or `ref` for each `$ref`. */
export type Rule = () => Record<string, Visit | { enter?: Visit; leave?: Visit }>;

/** True for an object with members; false for an array and for a boolean schema. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; empty if the value is not an object. */
export function members(value: unknown): Array<[string, unknown]> {
  return isNode(value) ? Object.entries(value) : [];
}

/** The items of an array; empty if the value is not an array. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isReference(value: unknown): value is { $ref: string } {
  return isNode(value) && typeof value['$ref'] === 'string';
}
