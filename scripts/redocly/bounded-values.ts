/**
 * Every value of a request or an answer has a bound: a string a length, a pattern or a list of values, a number a
 * range, an array a number of items. Whole bodies of text (metrics, the contract) are the exception: they are not a
 * property, a parameter or a header.
 */
import { isNode } from './types.ts';
import type { Context, Rule } from './types.ts';

const BOUNDS: Record<string, string[][]> = {
  string: [['maxLength'], ['pattern'], ['enum']],
  integer: [['minimum', 'maximum'], ['enum']],
  number: [['minimum', 'maximum'], ['enum']],
  array: [['maxItems']],
};

export const boundedValues: Rule = () => ({
  SchemaProperties(properties, context) {
    for (const [name, schema] of Object.entries(properties)) {
      check(schema, `Property "${name}"`, context);
    }
  },
  Parameter(parameter, context) {
    check(parameter['schema'], `Parameter "${String(parameter['name'])}"`, context);
  },
  Header(header, context) {
    check(header['schema'], `Header "${context.key}"`, context);
  },
});

function check(schema: unknown, what: string, context: Context): void {
  const { node, location } = context.resolve(schema);
  if (!isNode(node)) {
    return;
  }
  const types = [node['type']].flat();
  for (const alternatives of types.map((type) => BOUNDS[String(type)] ?? [])) {
    if (alternatives.length > 0 && !alternatives.some((keywords) => keywords.every((keyword) => keyword in node))) {
      const wanted = alternatives.map((keywords) => keywords.join(' with ')).join(', ');
      context.report({
        message: `${what} has no bound: give it one of ${wanted}.`,
        location: location ?? context.location,
      });
    }
  }
  if (types.includes('array') && location) {
    const item = context.resolve(node['items'], location.source.absoluteRef);
    check(item.node, `An item of ${what}`, { ...context, location: item.location ?? location });
  }
}
