/**
 * Paths are in kebab-case and made of nouns, not verbs. A method of the RPC keeps CometBFT's name, which is in snake_case. The rule
 * replaces Redocly's `paths-kebab-case`, which has no option for exceptions, and `no-http-verbs-in-paths`, which takes the "head" of
 * "header" for a verb.
 */
import type { Rule } from './types.ts';

const KEBAB_CASE = /^(\{.+\}|[a-z0-9.-]+)$/;
const RPC_METHOD = /^\/rpc\/[a-z]+(_[a-z]+)*$/;
const VERBS = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']);

export const pathNames: Rule = () => ({
  PathItem(_item, { report, location, key }) {
    const path = String(key);
    if (
      !RPC_METHOD.test(path) &&
      !path
        .split('/')
        .slice(1)
        .every((segment) => KEBAB_CASE.test(segment))
    ) {
      report({ message: `The path ${path} is not in kebab-case.`, location });
    }
    const verb = path.split(/[^A-Za-z]+/).find((word) => VERBS.has(word.toLowerCase()));
    if (verb !== undefined) {
      report({ message: `The path ${path} says what is done (${verb}): that is for the method to say.`, location });
    }
  },
});
