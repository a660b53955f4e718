/** `txledger gateway seed`: gives a new gateway the data that it would otherwise build from every block. @module */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { dataDirOf } from '../../app/data-dir-path.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { facts, print, withJson } from '../output.ts';
import { progressBar } from '../progress.ts';

interface SeedCommandOptions {
  readonly from?: string;
  readonly to?: string;
}

async function seed({ from, to }: SeedCommandOptions): Promise<void> {
  if ((from === undefined) === (to === undefined))
    throw new CommandError(
      'Say --from, the DATA_DIR of another gateway or a folder that --to made; or --to, the folder that gets copies of those in DATA_DIR.',
    );
  const { copySeeds } = await import('../../app/seed.ts');
  const dataDir = dataDirOf(process.env, process.cwd());
  const bar = progressBar('copying');
  try {
    const folders =
      from === undefined
        ? { from: dataDir, to: path.resolve(to as string) }
        : { from: path.resolve(from), to: dataDir };
    const made = await copySeeds({
      ...folders,
      locks: from !== undefined,
      onProgress: (done, all) => bar.draw(done, all),
    });
    bar.clear();
    print(
      { files: made },
      facts(made.map(({ file, chainId, height }) => [file, `chain ${chainId}, up to block ${height}`])),
    );
  } finally {
    bar.clear();
  }
}

export function addGatewayCommand(program: Command): void {
  const gateway = program.command('gateway').description('a gateway in front of CometBFT nodes');
  const seeding = gateway
    .command('seed')
    .description(
      'copy search.db and statements.db, so that a new gateway need not read the chain from its first block; the source may run',
    )
    .addOption(
      new Option(
        '--from <folder>',
        'copy into DATA_DIR: from the DATA_DIR of another gateway, or a folder that --to made',
      ),
    )
    .addOption(new Option('--to <folder>', 'copy from DATA_DIR, for a gateway on another machine'))
    .action((options: SeedCommandOptions) => runCommand(() => seed(options)));
  withExamples(
    withJson(seeding),
    'txledger gateway seed --to seed',
    'DATA_DIR=new-gateway txledger gateway seed --from seed --json',
  );
}
