/**
 * A value that is one of several kinds, to which a later version may add one, is an `anyOf` in the contract; `anyOf` is used for nothing
 * else. Its last branch accepts later kinds (`Problem`, `OtherTransaction`), so that clients work with later versions. The types that
 * server and client are compiled against have only the kinds of this version.
 */
type Node = Record<string, unknown>;

/** Removes the last branch of every `anyOf`, in place. */
export function keepKnownKinds(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  const kinds = node['anyOf'];
  if (Array.isArray(kinds) && kinds.length > 1) node['anyOf'] = kinds.slice(0, -1);
  for (const [key, child] of Object.entries(node)) if (key !== 'examples' && key !== 'example') keepKnownKinds(child);
}
