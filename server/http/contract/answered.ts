/**
 * Computes the operations that can answer a code, from its entry in the catalogue (`x-problems` in spec/problems.yaml): `operations` names
 * operations and groups, `except` the members of a group that cannot. An operation lists only the problems that its callers handle and
 * leaves the others to `default`, so only this table has all of them.
 */
import type { OpenapiDocument } from './bundle.ts';

/** The members of an operation that decide about its groups. */
interface OperationObject {
  operationId?: string;
  security?: unknown[];
  requestBody?: unknown;
}

export interface Answered {
  operations: readonly string[];
  except?: readonly string[];
}

const RPC = /^\/rpc(\/|$)/;

const GROUPS: Readonly<Record<string, (path: string, operation: OperationObject) => boolean>> = {
  all: () => true,
  outsideRpc: (path) => !RPC.test(path),
  withToken: (_path, { security = [] }) => security.length > 0,
  withBody: (_path, { requestBody }) => requestBody !== undefined,
  outsideRpcWithBody: (path, { requestBody }) => requestBody !== undefined && !RPC.test(path),
};

/** The codes of each operation, by its name, in the order of the catalogue. @throws for a name that is not an operation or a group. */
export function codesByOperation(document: OpenapiDocument): Map<string, Set<string>> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item)
      .filter((operation): operation is OperationObject => typeof operation === 'object' && operation !== null)
      .map((operation) => ({ path, operation, id: operation.operationId ?? '' })),
  );
  const found = new Map(operations.map(({ id }) => [id, new Set<string>()]));
  const { 'x-problems': catalogue = {} } = (document.components['schemas']?.['ProblemCode'] ?? {}) as {
    'x-problems'?: Record<string, Answered>;
  };
  for (const [code, { operations: names, except = [] }] of Object.entries(catalogue)) {
    const unknown = [...names, ...except].filter((name) => !found.has(name) && !Object.hasOwn(GROUPS, name));
    if (unknown.length > 0)
      throw new Error(
        `The catalogue says that ${code} is answered by ${unknown.join(', ')}, which the contract does not have.`,
      );
    for (const { path, operation, id } of operations) {
      const named = names.includes(id) || names.some((name) => GROUPS[name]?.(path, operation));
      if (named && !except.includes(id)) found.get(id)?.add(code);
    }
  }
  return found;
}
