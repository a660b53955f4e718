/** `txledger explain`: explains why the service refuses a signed request. @module */
import { existsSync, readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { dataDirOf } from '../../app/data-dir-path.ts';
import { dataDirFiles } from '../../app/data-dir-files.ts';
import { DEVELOPMENT_CHAIN_ID } from '../../app/dev-accounts.ts';
import { CHAIN_ID_PATTERN, type AddressPrefix, type ChainContext } from '../../ledger/index.ts';
import { connect, withConnection, type ConnectionOptions } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { EXIT } from '../exit-codes.ts';
import { explain, type Explanation } from '../explain/explain.ts';
import { CommandError, runCommand } from '../failure.ts';
import { print, withJson } from '../output.ts';

/** The file of this number is standard input. */
const STANDARD_INPUT = 0;
/** Far above any transfer; the limit of the service itself is lower. */
const REQUEST_BYTES_MAX = 1_048_576;

interface ExplainOptions extends ConnectionOptions {
  readonly chainId?: string;
  readonly prefix?: AddressPrefix;
  readonly alsoTry: readonly string[];
}

function readBody(file: string): Buffer {
  try {
    const bytes = readFileSync(file === '-' ? STANDARD_INPUT : file);
    if (bytes.length > REQUEST_BYTES_MAX)
      throw new CommandError(`${file} has ${bytes.length} bytes: this is no request.`);
    return bytes;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Cannot read ${file}: ${(error as Error).message}.`);
  }
}

/**
 * Returns the chain from the service, or without a request when --chain-id is given. The prefix is then that of the sender's own address,
 * unless it is given too.
 */
async function chainOf(options: ExplainOptions, text: string): Promise<ChainContext> {
  const { chainId, prefix } = options;
  if (chainId === undefined) return getChain(connect(options, { token: false }), { timeoutMs: options.timeout });
  if (!CHAIN_ID_PATTERN.test(chainId))
    throw new CommandError(`${JSON.stringify(chainId)} is no chain id (${CHAIN_ID_PATTERN.source}).`);
  return { chainId, addressPrefix: prefix ?? (/"from"\s*:\s*"\s*txlt1/i.test(text) ? 'txlt' : 'txl') };
}

/** Ids of the chains whose data is on this machine. */
function knownChainIds(): string[] {
  const { genesis } = dataDirFiles(dataDirOf(process.env, process.cwd()));
  if (!existsSync(genesis)) return [DEVELOPMENT_CHAIN_ID];
  try {
    return [
      DEVELOPMENT_CHAIN_ID,
      String((JSON.parse(readFileSync(genesis, 'utf8')) as { chain_id?: unknown }).chain_id),
    ];
  } catch {
    // An unreadable genesis is reported by the server.
    return [DEVELOPMENT_CHAIN_ID];
  }
}

function describe({ ok, chainId, signBytes, raw, txHash, refusal, causes }: Explanation): string[] {
  const section = (title: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`${title}:`, text, ''];
  return [
    ...section('chain id', chainId),
    ...section('sign bytes', signBytes),
    ...section('raw transaction', raw),
    ...section('hash', txHash),
    ok ? 'Signature and hash are right.' : `The service refuses it: ${refusal?.code}, ${refusal?.detail}`,
    ...causes.map(({ pointer, message }) => `  ${pointer || 'body'}: ${message}`),
  ];
}

async function run(file: string, options: ExplainOptions): Promise<void> {
  const body = readBody(file);
  const explanation = explain(body, await chainOf(options, body.toString('utf8')), [
    ...knownChainIds(),
    ...options.alsoTry,
  ]);
  print(explanation, describe(explanation));
  if (!explanation.ok) process.exitCode = EXIT.refused;
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .description(
      'print sign bytes, raw transaction and hash of a POST /transactions body, and say why its signature fails',
    )
    .argument('<file>', 'file with the JSON body; - for standard input')
    .option('--chain-id <id>', 'judge for this chain, offline; the service is asked by default')
    .addOption(
      new Option('--prefix <prefix>', "address prefix of that chain; the sender's by default").choices(['txl', 'txlt']),
    )
    .option(
      '--also-try <chain-id>',
      'a chain that it may have been signed for by mistake; may be repeated',
      (id: string, ids: string[] = []) => [...ids, id],
      [] as string[],
    )
    .action((file: string, options: ExplainOptions) => runCommand(() => run(file, options)));
  withExamples(
    withJson(withConnection(command)),
    'txledger explain transfer.json',
    'cat transfer.json | txledger explain - --chain-id txledger-dev-1 --json',
  );
}
