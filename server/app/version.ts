/** The version of this program, and how a shell calls it. @module */
import { readFileSync } from 'node:fs';

/** The package of the server names itself: `npx txledger` would fetch whatever package of that name the registry has, where none is installed. */
export const { version: VERSION, command: COMMAND = 'npx txledger' } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string; command?: string };
