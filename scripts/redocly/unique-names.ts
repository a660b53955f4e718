/**
 * A name belongs to one component of all that become types in a generated client: schemas, parameters, request bodies and
 * responses, upper and lower case alike. OpenAPI keeps the kinds apart; a package in Go or a module in Rust does not.
 */
import { isReference } from './types.ts';
import type { Rule } from './types.ts';

const COMPONENT = /\/components\/(schemas|parameters|requestBodies|responses)\/(?:[^/]+\/)*([^/]+)\.yaml$/;

export const uniqueNames: Rule = () => {
  const files = new Map<string, string>();
  const reported = new Set<string>();
  return {
    ref(reference, { report, resolve, location }) {
      const file = isReference(reference)
        ? resolve(reference).location?.source.absoluteRef.replaceAll('\\', '/')
        : undefined;
      const [, kind, name] = COMPONENT.exec(file ?? '') ?? [];
      if (file === undefined || kind === undefined || name === undefined) {
        return;
      }
      const other = files.get(name.toLowerCase()) ?? file;
      files.set(name.toLowerCase(), other);
      if (other !== file && !reported.has(file)) {
        reported.add(file);
        report({
          message: `${name} in ${kind} has the name of another component (${COMPONENT.exec(other)?.[1]}).`,
          location,
        });
      }
    },
  };
};
