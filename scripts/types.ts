/** The steps that check types. They are incremental: a run checks the changes since the last one, in seconds instead of half a minute. */
import type { Step } from './steps.ts';

function check(name: string, kept: string, ...project: string[]): Step {
  return {
    name,
    args: [
      'node_modules/typescript/bin/tsc',
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      `node_modules/.cache/types/${kept}.tsbuildinfo`,
      ...project,
    ],
  };
}

export const TYPE_CHECKS: readonly Step[] = [
  check('tsc: types', 'all'),
  check('tsc: types of the explorer, which has a browser around it', 'explorer', '-p', 'server/http/explorer/src'),
];
