/**
 * Which Node.js runs this project's TypeScript directly. Its copies in JavaScript and shell, which an older one can read, are in
 * server/cli/bin.js, server/cli/packed.js and scripts/bin/node; test/app/entry-points.test.ts compares them.
 *
 * @module
 */

export const NODE_VERSION_MIN: readonly [major: number, minor: number] = [24, 12];

/** @returns a sentence that says how to run on a newer Node.js, or undefined when `version` is new enough. */
export function nodeTooOld(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = NODE_VERSION_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return undefined;
  return (
    `This is Node.js ${version}; Transaction Ledger needs ${majorMin}.${minorMin} or newer. ` +
    'Run it through npm (npm start, npm test, npm run ...) or as node server/cli/bin.js, which use the one that npm install brought along, or put scripts/bin first in the PATH.'
  );
}
