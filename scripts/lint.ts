/**
 * `npm run lint`: every check that needs no running server.
 *
 * All checks run even when one fails, so that one run shows every complaint.
 *
 * @module
 */
import { nodeTooOld, runSteps } from './steps.ts';
import { TYPE_CHECKS } from './types.ts';

const tooOld = nodeTooOld();
if (tooOld) {
  console.error(tooOld);
  process.exit(1);
}

process.exitCode = await runSteps(
  [
    {
      name: 'oxfmt: everything is formatted (`npm run format` does it)',
      args: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
    },
    { name: 'oxlint: correctness, and ports for clock and chance', args: ['node_modules/oxlint/bin/oxlint'] },
    {
      name: 'dependency-cruiser: imports point one way',
      args: [
        'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        'server',
        'client',
        'scripts',
        'test',
      ],
    },
    {
      name: 'redocly: the contract',
      args: ['node_modules/@redocly/cli/bin/cli.js', 'lint'],
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
    { name: 'the API page of the client, and that its examples compile', args: ['scripts/client-api.ts', '--check'] },
    ...TYPE_CHECKS,
  ],
  'all',
);
