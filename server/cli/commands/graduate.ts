/** `txledger graduate`: turns a chain of one process into a network. @module */
import path from 'node:path';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { runCommand } from '../failure.ts';
import { facts, print, withJson } from '../output.ts';
import { progressBar } from '../progress.ts';

interface GraduateCommandOptions {
  readonly dataDir?: string;
  readonly home: string;
  readonly appDir?: string;
}

async function graduate({ dataDir, home, appDir }: GraduateCommandOptions): Promise<void> {
  const [{ graduate: run }, { dataDirOf }, { createClock, createRandomSource }] = await Promise.all([
    import('../../app/graduate/graduate.ts'),
    import('../../app/data-dir-path.ts'),
    import('../../app/environment.ts'),
  ]);
  const bar = progressBar('writing blocks');
  const startedMs = performance.now();
  try {
    const cwd = process.cwd();
    const { seal, wasComplete } = await run({
      dataDir: dataDir === undefined ? dataDirOf(process.env, cwd) : path.resolve(dataDir),
      home: path.resolve(home),
      appDir: path.resolve(appDir ?? path.join(home, 'app')),
      env: process.env,
      cwd,
      clock: createClock(),
      random: createRandomSource(),
      onProgress: (done, all) =>
        bar.draw(
          done,
          all,
          undefined,
          `, ${Math.round((done * 1000) / Math.max(performance.now() - startedMs, 1))} a second`,
        ),
    });
    bar.clear();
    print({ ...seal, wasComplete }, [
      ...facts([
        ['chain', seal.chainId],
        ['height', `${seal.height}, block ${seal.blockHash}`],
        ['node', `cometbft node --home ${seal.home}`],
        ['application', `DATA_DIR=${seal.appDir} txledger app`],
      ]),
      wasComplete
        ? 'An earlier run did all of this; nothing was changed.'
        : 'The data folder is sealed: its chain goes on in the node, and never again here.',
    ]);
  } finally {
    bar.clear();
  }
}

export function addGraduateCommand(program: Command): void {
  const command = program
    .command('graduate')
    .description(
      'carry the chain of a stopped service on in a CometBFT v0.38 node: makes its home, and seals the data folder',
    )
    .option('--data-dir <folder>', 'the data folder of the stopped service; DATA_DIR without it')
    .requiredOption('--home <folder>', 'the home of the node: new, or as `cometbft init` has made it')
    .option('--app-dir <folder>', "the application's data folder: new or empty; app in the home without it")
    .action((options: GraduateCommandOptions) => runCommand(() => graduate(options)));
  withExamples(
    withJson(command),
    'txledger graduate --data-dir ./data --home ./validator',
    'VALIDATOR_KEY_FILE=priv_validator_key.json txledger graduate --data-dir ./chain --home /var/lib/cometbft --app-dir /var/lib/txledger-app',
  );
}
