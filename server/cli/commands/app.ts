/** `txledger app`. @module */
import type { Command } from 'commander';
import { readAppConfig } from '../../app/app-config.ts';
import { describeFaults } from '../../app/config-reader.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';

async function run(): Promise<void> {
  const result = readAppConfig(process.env, { cwd: process.cwd() });
  if (!result.ok)
    throw new CommandError(describeFaults(result.faults), 'usage', {
      code: 'invalid_configuration',
      faults: result.faults,
    });
  // Imported only here, because the other commands need none of it.
  const { runApp } = await import('../../app/run-app.ts');
  await runApp(result.config);
}

export function addAppCommand(program: Command): void {
  const app = program
    .command('app')
    .description('run the ABCI application beside a CometBFT v0.38 node; reads ABCI_LISTEN and DATA_DIR')
    .action(() => runCommand(run));
  withExamples(app, 'ABCI_LISTEN=tcp://127.0.0.1:26658 DATA_DIR=./validator/app txledger app');
}
