/**
 * Whoever holds a token can see his quota on every answer that comes after it was looked at.
 */
import { isNode, members } from './types.ts';
import type { Rule } from './types.ts';

const HEADERS = ['RateLimit', 'RateLimit-Policy'];

/** Answered before the quota is known: no token, head of the request incomplete or too large, foreign host. */
const BEFORE_QUOTA = new Set(['401', '408', '421', '431']);

export const rateLimitHeaders: Rule = () => ({
  Operation(operation, { report, location, resolve }) {
    if (!Array.isArray(operation['security']) || operation['security'].length === 0) {
      return;
    }
    for (const [status, response] of members(operation['responses'])) {
      const { node } = resolve(response);
      const declared = members(isNode(node) ? node['headers'] : undefined).map(([name]) => name);
      const missing = HEADERS.filter((name) => !declared.includes(name));
      if (!BEFORE_QUOTA.has(status) && missing.length > 0) {
        report({ message: `${status} lacks ${missing.join(' and ')}.`, location: location.child(['responses', status]) });
      }
    }
  },
});
