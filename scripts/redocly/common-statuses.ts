/**
 * Every operation documents every status that it can answer. Some come from what stands in front of all of them;
 * a client generated from a contract without them would type their body as `never`.
 */
import type { Rule } from './types.ts';

/** Host and origin checks, parameter validation, content negotiation, limits on the request head, faults. */
const ALWAYS = ['400', '403', '406', '408', '421', '431', '500'];
/** The token check, the quota, and the records that an authorised operation needs. */
const WITH_TOKEN = ['401', '429', '503'];
/** The limits on a body. */
const WITH_BODY = ['413', '415'];

export const commonStatuses: Rule = () => {
  let isPath = true;
  return {
    PathItem(_item, { key }) {
      isPath = String(key).startsWith('/');
    },
    Operation(operation, { report, location }) {
      // What the receiver of a webhook answers is its own.
      if (!isPath) return;
      const place = location.child('responses').key();
      const declared = Object.keys(operation['responses'] ?? {});
      const needsToken = Array.isArray(operation['security']) && operation['security'].length > 0;
      const hasBody = operation['requestBody'] !== undefined;
      const wanted = [...ALWAYS, ...(needsToken ? WITH_TOKEN : []), ...(hasBody ? WITH_BODY : [])];
      const missing = wanted.filter((status) => !declared.includes(status));
      if (missing.length > 0) {
        report({ message: `The operation can answer ${missing.join(', ')}: declare it.`, location: place });
      }
      const impossible = declared.filter(
        (status) =>
          (!needsToken && status === '401') || (!hasBody && WITH_BODY.includes(status)) || status === 'default',
      );
      if (impossible.length > 0) {
        report({ message: `The operation cannot answer ${impossible.join(', ')}: remove it.`, location: place });
      }
    },
  };
};
