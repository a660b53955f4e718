/** How a checkout starts its own server: what is measured runs as it is run. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Node.js as `npm start` of the checkout finds it, with the flags that earlier builds give it there, and a command of `txledger` that serves. */
export function asStarted(checkout: string, command: string): [node: string, ...args: string[]] {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'));
  const node = path.join(checkout, 'scripts/bin/node');
  // Builds before it have none, and are run by the Node.js of this process.
  return [existsSync(node) ? node : process.execPath, ...flags, 'server/cli/txledger.ts', command];
}
