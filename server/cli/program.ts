/**
 * All commands put together. Each is a file in commands/ and adds itself; a server's start loads no other.
 *
 * @module
 */
import { Command } from 'commander';
import { versionLine } from '../app/version.ts';
import { addAppCommand } from './commands/app.ts';
import { addServerCommands } from './commands/server.ts';
import { describeExitCodes } from './exit-codes.ts';
import { wantsJson } from './output.ts';
import { isServer } from './server-names.ts';

const SURROUNDINGS = `Environment:
  TXLEDGER_URL         base URL of the service, where --url is not given
  TXLEDGER_TOKEN       token, where --token-file is not given
  TXLEDGER_TOKEN_FILE  file with the token, mode 0600, in place of TXLEDGER_TOKEN
  DATA_DIR             data folder (default: ./data); after a development start it holds URL and token
  DATABASE_URL         database that several gateways share, for the commands on tokens, addresses and the audit trail
  DATABASE_URL_FILE    file with that URL, mode 0600, in place of DATABASE_URL
  ENGINE               cometbft, for the same commands on the data folder of a gateway before CometBFT nodes`;

/** The line reads files, which no other command needs. */
const wantsVersion = (): boolean => process.argv.some((word) => word === '--version' || word === '-V');

/**
 * Parsing throws a CommanderError for what cannot be parsed, and for --help and --version once they are printed.
 * @param first the first word of the command line.
 */
export async function createProgram(first?: string): Promise<Command> {
  const program = new Command('txledger')
    .description('Transaction Ledger: signed transfers in, real CometBFT blocks out')
    .version(wantsVersion() ? versionLine() : '')
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    // With --json what is wrong with the command line is told as a document, by whoever catches the error.
    .configureOutput({ outputError: (text, write) => (wantsJson() ? undefined : write(text)) })
    .addHelpText('after', `\n${SURROUNDINGS}\n\n${describeExitCodes()}`);
  addServerCommands(program);
  addAppCommand(program);
  if (!isServer(first)) {
    const { addCommands } = await import('./commands/index.ts');
    addCommands(program);
  }
  return program;
}
