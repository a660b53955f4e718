/**
 * Every body has examples, each a component of its own: tests use them as fixtures and Redocly validates them.
 * Every parameter has an example.
 */
import { isReference, members } from './types.ts';
import type { Rule } from './types.ts';

export const namedExamples: Rule = () => ({
  MediaType(mediaType, { report, location }) {
    const examples = members(mediaType['examples']);
    if (examples.length === 0) {
      report({ message: 'A body has at least one example.', location });
    }
    for (const [name, example] of examples) {
      const place = location.child(['examples', name]);
      if (!isReference(example)) {
        report({ message: `Example "${name}" is a component of its own.`, location: place });
      } else if (!example.$ref.endsWith(`/examples/${name}`)) {
        report({ message: `Example "${name}" has the name of its component.`, location: place });
      }
    }
  },
  Parameter(parameter, { report, location }) {
    if (!('example' in parameter)) {
      report({ message: 'A parameter has an example.', location });
    }
  },
});
