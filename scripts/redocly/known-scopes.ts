/**
 * Every operation declares which scope its token needs, or that it needs none. The server reads the scopes from the
 * contract, so a misspelt one would refuse every token, and a requirement without any would accept every token.
 * `x-scopes` of a security scheme is the list of scopes, `x-scopes` of an operation the ones it needs: the requirement itself has an
 * empty list, because many tools support scopes of OAuth 2 only. Reads of the RPC, and nothing else, may declare "nothing, or any token":
 * the operator configures whether they need one.
 */
import { isRpcPath } from './rpc.ts';
import { isNode, items, members } from './types.ts';
import type { Node, Rule } from './types.ts';

export const knownScopes: Rule = () => {
  let scopesOf = new Map<string, string[]>();
  let path = '';
  return {
    Root: {
      enter(root, { resolve }) {
        const components = isNode(root['components']) ? root['components'] : {};
        scopesOf = new Map(
          members(components['securitySchemes']).map(([name, scheme]) => {
            const { node } = resolve(scheme);
            return [name, members(isNode(node) ? node['x-scopes'] : undefined).map(([scope]) => scope)];
          }),
        );
      },
    },
    PathItem(_item, { key }) {
      path = String(key);
    },
    Operation(operation, { report, location }) {
      const security = withScopes(operation['security'], operation['x-scopes']);
      if (
        items(operation['security']).some((requirement) =>
          members(requirement).some(([, own]) => items(own).length > 0),
        )
      ) {
        report({
          message: 'The scopes of an operation stand in its `x-scopes`.',
          location: location.child('security'),
        });
      }
      if (isRpcPath(path) && isAnyToken(security)) {
        return;
      }
      if (new Set(items(security).map((requirement) => JSON.stringify(Object.values(requirement as Node)))).size > 1) {
        report({ message: 'Every alternative asks for the same scopes.', location });
      }
      if (hasTwice(items(security).flatMap((requirement) => Object.keys(requirement as Node)))) {
        report({ message: 'An alternative is there twice.', location });
      }
      if (!Array.isArray(security)) {
        report({ message: 'The operation says which scope it needs, or `security: []`.', location });
      }
      if (items(security).length === 0 && operation['x-scopes'] !== undefined) {
        report({ message: 'Scopes without a token: the operation asks for none.', location });
      }
      for (const requirement of items(security) as Node[]) {
        const place = location.child('security');
        if (Object.keys(requirement).length === 0) {
          report({ message: 'An empty requirement lets everybody in: say `security: []`.', location: place });
        }
        for (const [scheme, needed] of Object.entries(requirement)) {
          const known = scopesOf.get(scheme) ?? [];
          const unknown = items(needed).filter((scope) => !known.includes(String(scope)));
          if (items(needed).length === 0 || unknown.length > 0) {
            const wrong = unknown.length > 0 ? `no such scope: ${unknown.join(', ')}` : 'none is named';
            report({ message: `Name scopes of ${scheme} (${known.join(', ')}); ${wrong}.`, location: place });
          }
        }
      }
    },
  };
};

/** The requirements with the scopes of the operation in each. */
function withScopes(security: unknown, scopes: unknown): unknown {
  if (!Array.isArray(security)) {
    return security;
  }
  return security.map((requirement) =>
    Object.fromEntries(members(requirement).map(([scheme, own]) => [scheme, [...items(own), ...items(scopes)]])),
  );
}

/** `[{}, {bearerAuth: []}, {basicAuth: []}]`: without a token, or with one that may have any scopes, by any of these schemes. */
function isAnyToken(security: unknown): boolean {
  const [nothing, ...tokens] = items(security).map((requirement) => Object.entries(requirement as Node));
  const named = tokens.map(([scheme]) => scheme?.[0]);
  return (
    nothing?.length === 0 &&
    tokens.length > 0 &&
    !hasTwice(named) &&
    tokens.every((token) => token.length === 1 && items(token[0]?.[1]).length === 0)
  );
}

function hasTwice(names: readonly unknown[]): boolean {
  return new Set(names).size < names.length;
}
