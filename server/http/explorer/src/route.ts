/**
 * The current place of the reader: `#/block/12`, `#/tx/HASH`, `#/account/ADDRESS`, `#/search?q=`. It is in the fragment, so that no server
 * needs a route for them.
 */
export interface Route {
  /** `overview`, or the first step of the path. */
  readonly name: string;
  /** The steps after it. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

export function readRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/, '').split('?', 2);
  const [name = '', ...rest] = path.split('/').map(decoded);
  return {
    name: name === '' ? 'overview' : name,
    rest: rest.filter((step) => step !== ''),
    query: new URLSearchParams(query),
  };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

export const blockHref = (height: number | string): string => `#/block/${height}`;
export const transactionHref = (hash: string): string => `#/tx/${hash}`;
export const accountHref = (address: string): string => `#/account/${address}`;
export const searchHref = (text: string): string => `#/search?q=${encodeURIComponent(text)}`;
