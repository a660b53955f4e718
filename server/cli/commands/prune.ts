/** `txledger prune`: lets the node beside an application drop blocks that are no longer needed from it. @module */
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dataDirFiles } from '../../app/data-dir-files.ts';
import { KEPT_BLOCKS_MIN, readRetention, writeRetention } from '../../app/retain-file.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { facts, print, withJson } from '../output.ts';
import { askArchive, askFollower } from '../pruning/followers.ts';
import { planPruning } from '../pruning/plan.ts';

/**
 * Ten times the maximum age of evidence of double signing (evidence.max_age_num_blocks of genesis is 100,000), so that light clients have
 * enough time too.
 */
const KEEP_BLOCKS_DEFAULT = 1_000_000;

interface PruneOptions {
  readonly dataDir: string;
  readonly gateway: readonly string[];
  readonly archive: string;
  readonly keepBlocks: number;
  readonly dryRun: boolean;
}

function parseKeepBlocks(text: string): number {
  const count = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : 0;
  if (count < KEPT_BLOCKS_MIN) throw new InvalidArgumentError(`expected a number from ${KEPT_BLOCKS_MIN} on.`);
  return count;
}

async function prune({ dataDir, gateway, archive, keepBlocks, dryRun }: PruneOptions): Promise<void> {
  const { app, retain } = dataDirFiles(path.resolve(dataDir));
  const { existsSync } = await import('node:fs');
  if (!existsSync(app))
    throw new CommandError(
      `${dataDir} holds no application (${path.basename(app)}): name the DATA_DIR of the application beside the node.`,
    );
  const [node, ...followers] = await Promise.all([askArchive(archive), ...gateway.map(askFollower)]);
  const { chainId, retainHeight, heldBy, heldAt } = planPruning({ followers, archive: node, keepBlocks });
  const before = readRetention(retain)?.height ?? 0;
  const isHigher = retainHeight > before;
  if (isHigher && !dryRun) writeRetention(retain, { chainId, height: retainHeight });
  const kept = isHigher ? retainHeight : before;
  print(
    { chainId, retainHeight: kept, before, heldBy, heldAt, written: isHigher && !dryRun },
    facts([
      ['chain', chainId],
      ['furthest behind', `${heldBy}, at block ${heldAt}`],
      ['kept before', before === 0 ? 'every block' : `blocks from ${before} on`],
      [dryRun ? 'would be kept' : 'kept', kept === 0 ? 'every block' : `blocks from ${kept} on`],
    ]),
  );
}

export function addPruneCommand(program: Command): void {
  const command = program
    .command('prune')
    .description(
      'let the node beside an application drop old blocks: those that every gateway is past and an archive node has',
    )
    .requiredOption('--data-dir <folder>', 'DATA_DIR of the application beside the node')
    .requiredOption(
      '--gateway <url>',
      'a gateway of this chain; repeat it for every one there is',
      (url: string, others: readonly string[] = []) => [...others, url],
    )
    .requiredOption('--archive <url>', 'RPC of a node that keeps every block')
    .addOption(
      new Option('--keep-blocks <number>', 'so many blocks are kept behind the reader that is furthest behind')
        .argParser(parseKeepBlocks)
        .default(KEEP_BLOCKS_DEFAULT),
    )
    .option('--dry-run', 'say what would be kept, and change nothing', false)
    .action((options: PruneOptions) => runCommand(() => prune(options)));
  withExamples(
    withJson(command),
    'txledger prune --data-dir /var/lib/txledger-app --gateway http://10.0.0.21:8080 --gateway http://10.0.0.22:8080 --archive http://10.0.0.11:26657',
  );
}
