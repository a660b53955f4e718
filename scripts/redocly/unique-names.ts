/**
 * A name belongs to one component of all that become types in a generated client: schemas, parameters, request bodies and
 * responses, upper and lower case alike. OpenAPI keeps the kinds apart; a package in Go or a module in Rust does not.
 */
import { isReference } from './types.ts';
import type { Rule } from './types.ts';

const COMPONENT = /#\/(schemas|parameters|requestBodies|responses)\/([^/]+)$/;

export const uniqueNames: Rule = () => {
  const places = new Map<string, string>();
  const reported = new Set<string>();
  return {
    ref(reference, { report, resolve, location }) {
      const place = isReference(reference) ? resolve(reference).location?.absolutePointer : undefined;
      const [, kind, name] = COMPONENT.exec(place ?? '') ?? [];
      if (place === undefined || kind === undefined || name === undefined) {
        return;
      }
      const other = places.get(name.toLowerCase()) ?? place;
      places.set(name.toLowerCase(), other);
      if (other !== place && !reported.has(place)) {
        reported.add(place);
        report({
          message: `${name} in ${kind} has the name of another component (${COMPONENT.exec(other)?.[1]}).`,
          location,
        });
      }
    },
  };
};
