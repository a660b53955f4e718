/**
 * The root document is an index, and a path refers to its parts: paths, parameters, request bodies, responses and
 * headers are `$ref`s to parts of their own, as are the schemas of bodies, alone or as the alternatives of a
 * `oneOf` or `anyOf`. The headers of a message to a webhook are inline: oapi-codegen makes no type for a parameter that only messages use.
 */
import { isNode, isReference, items, members } from './types.ts';
import type { Location, Rule } from './types.ts';

export const namedParts: Rule = () => ({
  Paths(paths, { report, location }) {
    demandReferences(members(paths), 'path', location, report);
  },
  Operation(operation, { report, location }) {
    const isMessage = /^receive[A-Z]/.test(String(operation['operationId']));
    if (!isMessage)
      demandReferences(
        Object.entries(items(operation['parameters'])),
        'parameter',
        location.child('parameters'),
        report,
      );
    demandReferences(members(operation['responses']), 'response', location.child('responses'), report);
    const body = operation['requestBody'];
    demandReferences(body === undefined ? [] : [['requestBody', body]], 'request body', location, report);
  },
  Response(response, { report, location, resolve }) {
    demandReferences(members(resolve(response['headers']).node), 'header', location.child('headers'), report);
  },
  MediaType(mediaType, { report, location }) {
    const schema = mediaType['schema'];
    const place = location.child('schema');
    const [keyword = ''] = isNode(schema) ? Object.keys(schema) : [];
    const isChoice = isNode(schema) && Object.keys(schema).length === 1 && ['oneOf', 'anyOf'].includes(keyword);
    const alternatives = isChoice ? items(schema[keyword]) : [schema];
    demandReferences(Object.entries(alternatives), 'schema of a body', place, report);
  },
});

type Report = (problem: { message: string; location: Location }) => void;

function demandReferences(things: Array<[string, unknown]>, kind: string, location: Location, report: Report): void {
  for (const [key, thing] of things) {
    if (!isReference(thing)) {
      report({ message: `A ${kind} is a part of its own (${key}).`, location });
    }
  }
}
