/** `txledger start` and `txledger serve`. @module */
import type { Command } from 'commander';
import { describeFaults } from '../../app/config-reader.ts';
import { readConfig, type Mode } from '../../app/config.ts';
import { VERSION } from '../../app/version.ts';
import { asker } from '../ask.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';

interface StartOptions {
  moveOldData?: boolean;
  publicDev?: boolean;
}

async function run(mode: Mode, { moveOldData = false, publicDev = false }: StartOptions = {}): Promise<void> {
  const result = readConfig(process.env, { mode, cwd: process.cwd(), publicDev });
  if (!result.ok)
    throw new CommandError(describeFaults(result.faults), 'usage', {
      code: 'invalid_configuration',
      faults: result.faults,
    });
  // Imported only here, because it is most of the product and the other commands need none of it.
  const [{ runServer }, { effectiveVariables }] = await Promise.all([
    import('../../app/run.ts'),
    import('./config.ts'),
  ]);
  const configuration = effectiveVariables(result.config);
  await runServer(result.config, {
    dataDirGiven: process.env['DATA_DIR']?.trim() || undefined,
    version: VERSION,
    configuration,
    warnings: result.warnings,
    movesOldData: moveOldData,
    ask: asker(),
  });
}

export function addServerCommands(program: Command): void {
  const start = program
    .command('start')
    .description('run a development chain on loopback; makes everything it needs (npm start)')
    .option(
      '--move-old-data',
      'move a folder that this version cannot carry on aside, and begin a new chain; deletes nothing',
    )
    .option(
      '--public-dev',
      'listen on every address (or HOST), for containers; its keys are public, so never for anything of value',
    )
    .action((options: StartOptions) => runCommand(() => run('development', options)));
  withExamples(
    start,
    'txledger start',
    'PORT=9090 DATA_DIR=./other txledger start',
    'ALLOWED_HOSTS=localhost,ledger txledger start --public-dev',
  );
  const serve = program
    .command('serve')
    .description(
      'run a chain of your own, or a gateway in front of its nodes; needs its files and a token (npm run serve)',
    )
    .action(() => runCommand(() => run('production')));
  withExamples(
    serve,
    'GENESIS_FILE=genesis.json VALIDATOR_KEY_FILE=priv_validator_key.json OPERATOR_KEY_FILE=operator_key.json DATA_DIR=./chain txledger serve',
    'ENGINE=cometbft COMETBFT_RPC_URL=https://node-1.example,https://node-2.example DATABASE_URL_FILE=database-url GENESIS_FILE=genesis.json OPERATOR_KEY_FILE=operator_key.json txledger serve',
  );
}
