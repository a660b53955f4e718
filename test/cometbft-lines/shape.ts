/** What an answer of a node is like, without what differs between any two nodes: names, types, and the words of errors. */

/** Longer texts are data: hashes, keys, times and logs with heights in them. */
const WORDS_MAX = 200;

export type Shape = ReadonlyMap<string, string>;

/** By the path of each leaf. Members of a list count once, by what any of them has. */
export function shapeOf(status: number, contentType: string, text: string): Shape {
  const shape = new Map([
    ['HTTP status', String(status)],
    ['content-type', contentType],
  ]);
  const body = parse(text);
  if (body === undefined) shape.set('body', words(text));
  else describe(body, '', shape, false);
  return shape;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(value: unknown, where: string, shape: Map<string, string>, isError: boolean): void {
  if (Array.isArray(value)) {
    if (value.length === 0) shape.set(`${where}[]`, 'empty');
    for (const each of value) describe(each, `${where}[]`, shape, isError);
    return;
  }
  if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value))
      describe(member, where === '' ? name : `${where}.${name}`, shape, isError || name === 'error');
    return;
  }
  shape.set(where, isError ? words(String(value)) : value === null ? 'null' : typeof value);
}

/** Heights, hashes, a letter of a hash and places in memory are of one run. */
const words = (text: string): string =>
  text.replaceAll(/0x[0-9a-fA-F]+|[0-9a-fA-F]{40,}|U\+[0-9A-F]+ '.'|\d+/g, '#').slice(0, WORDS_MAX);

export interface Difference {
  where: string;
  /** `absent` where the answer has no such member. */
  here: string;
  there: string;
}

export function differences(here: Shape, there: Shape): Difference[] {
  const places = [...new Set([...here.keys(), ...there.keys()])].toSorted();
  return places.flatMap((where) => {
    const [a, b] = [here.get(where) ?? 'absent', there.get(where) ?? 'absent'];
    return a === b ? [] : [{ where, here: a, there: b }];
  });
}
