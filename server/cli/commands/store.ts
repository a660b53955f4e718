/** `txledger store copy`: copies the database of a service into another one. @module */
import path from 'node:path';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { facts, print, withJson } from '../output.ts';
import { progressBar } from '../progress.ts';

interface CopyCommandOptions {
  readonly from?: string;
  readonly to?: string;
}

async function copy({ from, to }: CopyCommandOptions): Promise<void> {
  const [{ copyStore, isPostgres }, { databaseUrlOf }, { dataDirOf }] = await Promise.all([
    import('../../app/copy/copy-store.ts'),
    import('../../app/backup/source.ts'),
    import('../../app/data-dir-path.ts'),
  ]);
  const cwd = process.cwd();
  const target = to ?? databaseUrlOf(process.env, cwd);
  if (target === undefined)
    throw new CommandError(
      'Say where the rows go: --to a file or a postgres:// URL, or set DATABASE_URL or DATABASE_URL_FILE, which keep a password out of the list of processes.',
    );
  const bar = progressBar('writing rows');
  try {
    const copied = await copyStore({
      from: from === undefined ? dataDirOf(process.env, cwd) : path.resolve(from),
      to: isPostgres(target) ? target : path.resolve(target),
      onProgress: (what, done, all) => bar.draw(done, all, what),
    });
    bar.clear();
    const { chainId, height, counts } = copied.facts;
    print({ target: copied.target, wasThere: copied.wasThere, chainId, height, counts }, [
      ...facts([
        ['database', copied.target],
        ['chain', `${chainId}, height ${height}`],
        ...Object.entries(counts).map(([name, count]) => [name, String(count)] as const),
      ]),
      copied.wasThere
        ? 'It held this chain already; nothing was changed.'
        : 'Every table was read again, and holds what was written.',
    ]);
  } finally {
    bar.clear();
  }
}

export function addStoreCommands(program: Command): void {
  const store = program
    .command('store')
    .description('the database of a service: transfers, tokens, owners, bindings and the audit trail');
  const copies = store
    .command('copy')
    .description('copy it from the data folder of a stopped service into an empty database, and compare the two')
    .option(
      '--from <folder>',
      'the data folder, of a chain after `txledger graduate` or of a gateway; DATA_DIR without it',
    )
    .option(
      '--to <database>',
      'an empty PostgreSQL database by its URL, or a file that does not exist; DATABASE_URL without it',
    )
    .action((options: CopyCommandOptions) => runCommand(() => copy(options)));
  withExamples(
    withJson(copies),
    'DATABASE_URL_FILE=database-url txledger store copy --from ./data',
    'txledger store copy --from ./data --to ./gateway/gateway.db',
  );
}
