/**
 * The shape of a JSON value: which members there are and of which type, not what they say. Examples of the contract name
 * hashes and times that no other run repeats; what a reader of an example relies on is its shape.
 */

type Json = unknown;

function kindOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Where `actual` has another shape than `example`: nothing if nowhere. An empty array has the shape of any other. */
export function differences(actual: Json, example: Json, place = ''): string[] {
  const [kind, expected] = [kindOf(actual), kindOf(example)];
  if (kind !== expected) return [`${place || '/'}: ${kind} instead of ${expected}`];
  if (Array.isArray(actual) && Array.isArray(example)) {
    if (example.length === 0) return [];
    return actual.flatMap((item, index) => {
      const each = example.map((one) => differences(item, one, `${place}/${index}`));
      return each.some((found) => found.length === 0) ? [] : (each[0] ?? []);
    });
  }
  if (kind !== 'object') return [];
  const [one, other] = [actual as Record<string, Json>, example as Record<string, Json>];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) => {
    if (!Object.hasOwn(one, key)) return [`${place}/${key}: missing`];
    if (!Object.hasOwn(other, key)) return [`${place}/${key}: not in the example`];
    return differences(one[key], other[key], `${place}/${key}`);
  });
}
