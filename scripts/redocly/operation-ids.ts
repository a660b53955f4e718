/**
 * Every operation of this service has an operationId, which names its handler and the method of the client. A message to a webhook has none:
 * there is nothing here that it could name. It stands in for Redocly's `operation-operationId`, which asks one of both.
 */
import { isNode, members } from './types.ts';
import type { Rule } from './types.ts';

export const operationIds: Rule = () => ({
  PathItem(item, { report, location, key }) {
    const isPath = String(key).startsWith('/');
    for (const [verb, operation] of members(item)) {
      if (!isNode(operation) || (operation['operationId'] !== undefined) === isPath) continue;
      report({ message: isPath ? 'The operation has an operationId.' : 'A message to a webhook has no operationId.', location: location.child(verb) });
    }
  },
});
