/** `txledger send`: the command that `npm start` prints for pasting. @module */
import { InvalidArgumentError, type Command } from 'commander';
import { dataDirFiles } from '../../app/data-dir.ts';
import { dataDirOf } from '../../app/config.ts';
import { readDevelopmentFile } from '../../app/dev-file.ts';
import { EXIT_DIED } from '../../app/lifetime.ts';
import { CommandError, runCommand } from '../failure.ts';
import { send, type SendOptions } from '../send.ts';

/** Long enough for any amount; what it may be is the server's to say. */
const AMOUNT = /^[1-9][0-9]{0,38}$/;
const NONCE = /^(0|[1-9][0-9]{0,15})$/;

export function addSendCommand(program: Command): void {
  program
    .command('send')
    .description('send a transfer on the development chain')
    .requiredOption('--to <receiver>', 'address, or name of a development account')
    .requiredOption('--amount <amount>', 'minor units', (text) => {
      if (!AMOUNT.test(text)) throw new InvalidArgumentError('expected a whole number of minor units, without a leading zero.');
      return text;
    })
    .option('--from <sender>', 'name or address of a development account', 'dev-0')
    .option('--nonce <nonce>', 'nonce; the next free one by default', (text) => {
      if (!NONCE.test(text)) throw new InvalidArgumentError('expected a whole number.');
      return Number(text);
    })
    .option('--wait', 'wait until a block has decided, 30 s at most', false)
    .action((options: SendOptions) =>
      runCommand(async () => {
        const { development } = dataDirFiles(dataDirOf(process.env, process.cwd()));
        const dev = readDevelopmentFile(development);
        if (!dev) throw new CommandError(`There is no ${development}: run npm start first, in this folder or with the same DATA_DIR.`);
        const result = await send(dev, options).catch((error: Error) => {
          const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
          throw new CommandError(`${dev.baseUrl} was asked and did not do it: ${error.message}${cause}`);
        });
        console.log(JSON.stringify(result.body, undefined, 2));
        if (result.status >= 300) process.exitCode = EXIT_DIED;
      }),
    );
}
