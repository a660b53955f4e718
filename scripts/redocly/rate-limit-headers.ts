/**
 * Every answer that is sent after the quota of the token was checked has the headers of the quota.
 */
import { isNode, items, members } from './types.ts';
import type { Rule } from './types.ts';

const HEADERS = ['RateLimit', 'RateLimit-Policy'];

/** Answered before the quota is known: no token, head of the request incomplete or too large, foreign host. */
const BEFORE_QUOTA = ['401', '408', '421', '431'];
/** An operation without a scope forbids only foreign origins, and the origin is checked before the quota. */
const WITHOUT_SCOPE = ['403'];

export const rateLimitHeaders: Rule = () => ({
  Operation(operation, { report, location, resolve }) {
    if (!Array.isArray(operation['security']) || operation['security'].length === 0) {
      return;
    }
    const scopes = items(operation['x-scopes']);
    const exempt = new Set([...BEFORE_QUOTA, ...(scopes.length > 0 ? [] : WITHOUT_SCOPE)]);
    for (const [status, response] of members(operation['responses'])) {
      const { node, location: found } = resolve(response);
      const headers = resolve(isNode(node) ? node['headers'] : undefined, found?.source.absoluteRef).node;
      const declared = members(headers).map(([name]) => name);
      const missing = HEADERS.filter((name) => !declared.includes(name));
      if (!exempt.has(status) && missing.length > 0) {
        report({
          message: `${status} lacks ${missing.join(' and ')}.`,
          location: location.child(['responses', status]),
        });
      }
    }
  },
});
