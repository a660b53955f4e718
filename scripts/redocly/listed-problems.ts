/**
 * An operation lists the problems that its callers handle, two to five, and leaves every other one to `default`: otherwise each operation
 * would repeat the problems that all operations have in common. The catalogue of ProblemCode has the codes that it can answer.
 */
import type { Rule } from './types.ts';

const LISTED_MIN = 2;
const LISTED_MAX = 5;
/** Answered only by operations with a body. */
const WITH_BODY = ['413', '415'];

export const listedProblems: Rule = () => {
  let isPath = true;
  return {
    PathItem(_item, { key }) {
      isPath = String(key).startsWith('/');
    },
    Operation(operation, { report, location }) {
      // The receiver of a webhook decides what it answers.
      if (!isPath) return;
      const place = location.child('responses').key();
      const statuses = Object.keys(operation['responses'] ?? {});
      const listed = statuses.filter((status) => /^[45]/.test(status));
      if (listed.length < LISTED_MIN || listed.length > LISTED_MAX) {
        report({
          message: `The operation lists ${listed.length} problems: list ${LISTED_MIN} to ${LISTED_MAX}, those that a caller handles.`,
          location: place,
        });
      }
      if (!statuses.includes('default')) {
        report({ message: 'The operation has no default: every other problem is one.', location: place });
      }
      const needsToken = Array.isArray(operation['security']) && operation['security'].length > 0;
      const hasBody = operation['requestBody'] !== undefined;
      const impossible = listed.filter(
        (status) => (!needsToken && status === '401') || (!hasBody && WITH_BODY.includes(status)),
      );
      if (impossible.length > 0) {
        report({ message: `The operation cannot answer ${impossible.join(', ')}: remove it.`, location: place });
      }
    },
  };
};
