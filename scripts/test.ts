/**
 * `npm test`: types, generated files, then every test. Arguments go to jest: `npm test -- test/ledger -t nonce`.
 *
 * Types come first because jest strips them unread; generated files next because tests read them.
 *
 * @module
 */
import { nodeTooOld, runSteps } from './steps.ts';

const tooOld = nodeTooOld();
if (tooOld) {
  console.error(tooOld);
  process.exit(1);
}

process.exitCode = await runSteps(
  [
    { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit'] },
    { name: 'generated files are up to date', args: ['scripts/generate.ts', '--check'] },
    {
      name: 'tests',
      // jest has no stable switch for native ES modules yet; the flag is Node's own.
      args: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', ...process.argv.slice(2)],
      live: true,
    },
  ],
  'first-failure',
);
