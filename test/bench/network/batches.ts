/** The same side, given many transactions by each request: what a partner's pay run does, and what a bare node has JSON-RPC batches for. */
import type { Side } from './side.ts';

/** How the requests of one kind of side become one. */
interface Joining {
  path: string;
  body(bodies: readonly string[]): string;
}

/** `POST /transactions/batch`. */
export const TRANSFERS: Joining = {
  path: '/transactions/batch',
  body: (bodies) => `{"transactions":[${bodies.join(',')}]}`,
};
/** JSON-RPC 2.0, section 6. */
export const RPC_CALLS: Joining = { path: '/', body: (bodies) => `[${bodies.join(',')}]` };

export function inBatches(side: Side, joining: Joining, size: number): Side {
  return {
    ...side,
    name: `${side.name}-batch`,
    title: `${side.title}, batches of ${size}`,
    path: joining.path,
    bodies: (count) => {
      const bodies = side.bodies(count);
      return Array.from({ length: Math.ceil(count / size) }, (_, at) =>
        joining.body(bodies.slice(at * size, (at + 1) * size)),
      );
    },
    perRequest: size,
  };
}
