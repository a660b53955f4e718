/**
 * Builds the program: the requested command, and for all others the texts that --help shows.
 *
 * @module
 */
import { Command } from 'commander';
import { versionLine } from '../app/version.ts';
import { COMMAND_FILES } from './commands/index.ts';
import { describeExitCodes } from './exit-codes.ts';
import { wantsJson } from './output.ts';

const SURROUNDINGS = `Environment:
  TXLEDGER_URL         base URL of the service, where --url is not given
  TXLEDGER_TOKEN       token, where --token-file is not given
  TXLEDGER_TOKEN_FILE  file with the token, mode 0600, in place of TXLEDGER_TOKEN
  DATA_DIR             data folder (default: ./data); after a development start it holds URL and token
  DATABASE_URL         database that several gateways share, for the commands on tokens, addresses and the audit trail
  DATABASE_URL_FILE    file with that URL, mode 0600, in place of DATABASE_URL
  ENGINE               cometbft, for the same commands on the data folder of a gateway before CometBFT nodes`;

/** The command that these words run, or whose help they request; undefined if they name none. */
export function commandOf(words: readonly string[]): string | undefined {
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}
/** True if --version is given: its line reads files, which no other command needs. */
const wantsVersion = (): boolean => process.argv.some((word) => word === '--version' || word === '-V');

/**
 * Makes the program. Parsing throws a CommanderError for invalid words, and for --help and --version after they are printed.
 * @param only the name of the command that will run, or undefined for none. Without an argument every command is loaded completely.
 */
export async function createProgram(...only: readonly [name: string | undefined] | readonly []): Promise<Command> {
  const program = new Command('txledger')
    .description('Transaction Ledger: signed transfers in, real CometBFT blocks out')
    .version(wantsVersion() ? versionLine() : '')
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void process.stdout.write(text),
      writeErr: (text) => void process.stderr.write(text),
      // With --json the handler of the error prints faults of the command line as a document.
      outputError: (text, write) => (wantsJson() ? undefined : write(text)),
    })
    .addHelpText('after', `\n${SURROUNDINGS}\n\n${describeExitCodes()}`)
    // Options and arguments of a command are in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() });
  const [name = ''] = only;
  const isWhole =
    only.length === 0 ||
    COMMAND_FILES.some(({ commands, looksAtAll }) => looksAtAll === true && Object.hasOwn(commands, name));
  for (const { group, commands, load } of COMMAND_FILES) {
    program.commandsGroup(group);
    if (isWhole || Object.hasOwn(commands, name)) (await load())(program);
    else for (const [each, description] of Object.entries(commands)) program.command(each).description(description);
  }
  return program;
}
