/** `txledger backup`, `verify` and `restore`: copies of all data that cannot be rebuilt, and the check that they are complete. @module */
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { facts, print, withJson } from '../output.ts';
import { pace, progressBar } from '../progress.ts';
import { withKeys } from '../backup-lines.ts';

const KEEP_MAX = 10_000;

interface BackupCommandOptions {
  readonly into?: string;
  readonly out?: string;
  readonly keep?: number;
  readonly withKeys: boolean;
}

const parseCount =
  (max: number) =>
  (text: string): number => {
    const count = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count <= max)) throw new InvalidArgumentError(`expected a number from 1 to ${max}.`);
    return count;
  };

async function backup({ into, out, keep, withKeys: copiesKeys }: BackupCommandOptions): Promise<void> {
  if ((into === undefined) === (out === undefined))
    throw new CommandError('Say where the backup goes: --into a folder of backups, or --out a new folder.');
  if (keep !== undefined && into === undefined)
    throw new CommandError('--keep removes older backups of the folder that --into names.');
  const { takeBackup } = await import('../../app/backup/take.ts');
  const bar = progressBar('copying');
  try {
    const target = into === undefined ? { out: path.resolve(out as string) } : { into: path.resolve(into), keep };
    const { folder, manifest, removed } = await takeBackup({
      env: process.env,
      cwd: process.cwd(),
      target,
      withKeys: copiesKeys,
      onProgress: (done, all) => bar.draw(done, all),
    });
    bar.clear();
    print(
      { folder, removed, manifest },
      facts([['backup', folder], ...withKeys(manifest), ...removed.map((each) => ['removed', each] as const)]),
    );
  } finally {
    bar.clear();
  }
}

interface VerifyCommandOptions {
  readonly quick: boolean;
  readonly from?: number;
}

async function verify(folder: string, { quick, from }: VerifyCommandOptions): Promise<void> {
  const { verifyFolder } = await import('../../app/backup/verify.ts');
  const startedMs = performance.now();
  const bar = progressBar('verifying');
  try {
    const speed = (done: number, all: number): string => pace(done, all, performance.now() - startedMs);
    const verdict = await verifyFolder({
      folder: path.resolve(folder),
      env: process.env,
      cwd: process.cwd(),
      isQuick: quick || from !== undefined,
      from: from ?? 1,
      onProgress: (what, done, all) => bar.draw(done, all, what, what === 'bytes' ? '' : speed(done, all)),
    });
    bar.clear();
    // Only the first difference is reported, because later ones may be its consequences.
    if (verdict.fault !== undefined)
      throw new CommandError(verdict.fault, 'unexpected', { code: 'verification_failed' });
    print(
      { folder: path.resolve(folder), verified: true, ...verdict.facts },
      facts([...verdict.lines, ['verified', verdict.checked.join(', ')]]),
    );
  } finally {
    bar.clear();
  }
}

interface RestoreCommandOptions {
  readonly dataDir?: string;
  readonly signState?: string;
  readonly acceptForkRisk: boolean;
}

async function restore(folder: string, { dataDir, signState, acceptForkRisk }: RestoreCommandOptions): Promise<void> {
  const { restoreBackup } = await import('../../app/backup/restore.ts');
  const bar = progressBar('restoring');
  try {
    const restored = await restoreBackup({
      folder: path.resolve(folder),
      env: process.env,
      cwd: process.cwd(),
      dataDir: dataDir === undefined ? undefined : path.resolve(dataDir),
      signStateFile: signState === undefined ? undefined : path.resolve(signState),
      acceptsForkRisk: acceptForkRisk,
      onProgress: (done, all) => bar.draw(done, all),
    });
    bar.clear();
    print({ target: restored.target, manifest: restored.manifest, warnings: restored.warnings }, [
      ...facts([['restored to', restored.target], ...withKeys(restored.manifest)]),
      ...restored.warnings,
    ]);
  } finally {
    bar.clear();
  }
}

export function addBackupCommands(program: Command): void {
  const backups = program
    .command('backup')
    .description(
      'copy everything that cannot be made again into a folder, while the service runs; reads DATA_DIR, or DATABASE_URL',
    )
    .addOption(
      new Option('--into <folder>', 'a folder of backups: makes a new one in it, named by chain, time and height'),
    )
    .addOption(
      new Option('--keep <count>', 'with --into: remove all but the newest so many backups of this chain').argParser(
        parseCount(KEEP_MAX),
      ),
    )
    .addOption(new Option('--out <folder>', 'the folder to make; it must not be there yet'))
    .option('--with-keys', 'copy the private keys too; without them keep copies of the keys elsewhere', false)
    .action((options: BackupCommandOptions) => runCommand(() => backup(options)));
  withExamples(
    withJson(backups),
    'txledger backup --into backups --keep 14',
    'txledger backup --out backup-before-upgrade --with-keys --json',
  );

  const verifying = program
    .command('verify')
    .description(
      'recompute a backup or a data folder: hashes, signatures, every block from genesis, balances, and rows against blocks',
    )
    .argument('<folder>', 'a backup, or the data folder of a service; GENESIS_FILE where genesis.json is elsewhere')
    .addOption(new Option('--quick', 'hashes and signatures of blocks only; executes nothing').default(false))
    .addOption(
      new Option('--from <height>', 'the same from this height on').argParser(parseCount(Number.MAX_SAFE_INTEGER)),
    )
    .action((folder: string, options: VerifyCommandOptions) => runCommand(() => verify(folder, options)));
  withExamples(withJson(verifying), 'txledger verify "$BACKUP"', 'txledger verify "$BACKUP" --quick --json');

  const restoring = program
    .command('restore')
    .description('make a data folder of a backup, or fill an empty database (DATABASE_URL); never over what is there')
    .argument('<folder>', 'the backup')
    .addOption(
      new Option('--data-dir <folder>', 'the data folder to make: new, or with nothing but keys and genesis in it'),
    )
    .addOption(
      new Option('--sign-state <file>', 'priv_validator_state.json of the lost service, where it can still be read'),
    )
    .addOption(
      new Option(
        '--accept-fork-risk',
        'restore although blocks after the backup were signed: they are lost, and their heights are signed again',
      ).default(false),
    )
    .action((folder: string, options: RestoreCommandOptions) => runCommand(() => restore(folder, options)));
  withExamples(
    withJson(restoring),
    'txledger restore "$BACKUP" --data-dir restored',
    'txledger restore "$BACKUP" --data-dir restored-too --json',
  );
}
