/**
 * Every property has a description, at its place or in the schema it refers to. A property that only narrows
 * one of the base schema (fewer values) has its description there.
 */
import { isNode } from './types.ts';
import type { Rule } from './types.ts';

const NARROWING = new Set(['type', 'enum', 'examples', 'properties']);

export const describedProperties: Rule = () => ({
  SchemaProperties(properties, { report, location, resolve }) {
    for (const [name, property] of Object.entries(properties)) {
      const narrows = typeof property === 'boolean' || (isNode(property) && onlyNarrows(property));
      const { node } = resolve(property);
      const described = [property, node].some((place) => isNode(place) && hasText(place['description']));
      if (!narrows && !described) {
        report({ message: `Property "${name}" has no description.`, location: location.child(name).key() });
      }
    }
  },
});

function onlyNarrows(property: object): boolean {
  const keywords = Object.keys(property);
  return (
    (keywords.includes('enum') || keywords.includes('properties')) &&
    keywords.every((keyword) => NARROWING.has(keyword))
  );
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
