/**
 * A value that is one of several kinds, to which a later version may add one: `anyOf` in the contract, and nothing else is. Its last branch takes
 * what is added (`Problem`, `OtherTransaction`), so that clients outlive this version. The types that server and client are compiled against have the kinds of
 * this version alone.
 */
type Node = Record<string, unknown>;

/** Takes the last branch away from every `anyOf`, in place. */
export function keepKnownKinds(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  const kinds = node['anyOf'];
  if (Array.isArray(kinds) && kinds.length > 1) node['anyOf'] = kinds.slice(0, -1);
  for (const [key, child] of Object.entries(node)) if (key !== 'examples' && key !== 'example') keepKnownKinds(child);
}
