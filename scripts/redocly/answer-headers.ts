/**
 * Every answer of this service has the headers that the configuration lists for its status (`4xx` for a class of them). It replaces
 * Redocly's `response-contains-header`, which requires them of the receivers of webhooks too: those are servers of others.
 */
import { members } from './types.ts';
import type { Rule } from './types.ts';

interface Options {
  names: Record<string, string[]>;
}

export const answerHeaders = (({ names }: Options): ReturnType<Rule> => ({
  PathItem(item, { report, resolve, location, key }) {
    if (!String(key).startsWith('/')) return;
    for (const [verb, operation] of members(item)) {
      for (const [status, reference] of members((operation as { responses?: unknown }).responses)) {
        const { node, location: found } = resolve(reference);
        const headers = resolve((node as { headers?: unknown } | undefined)?.headers, found?.source.absoluteRef).node;
        const present = members(headers).map(([name]) => name);
        const wanted = [...(names[`${status.charAt(0)}xx`] ?? []), ...(names[status] ?? [])];
        for (const name of new Set(wanted)) {
          if (!present.includes(name))
            report({
              message: `The answer has no header "${name}".`,
              location: found ?? location.child([verb, 'responses', status]),
            });
        }
      }
    }
  },
})) as unknown as Rule;
