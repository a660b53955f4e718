/** `txledger cometbft-config`. @module */
import type { Command } from 'commander';
import { ABCI_LISTEN_DEFAULT } from '../../app/app-config.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { withJson } from '../output.ts';
import { configure } from '../validator/configure.ts';
import type { NodeRole } from '../validator/node-settings.ts';

interface Options {
  readonly home: string;
  readonly validator?: boolean;
  readonly sentry?: boolean;
  readonly peers: readonly string[];
  readonly seeds: readonly string[];
  readonly hide: readonly string[];
  readonly externalAddress: string;
  readonly app: string;
  readonly rpc: string;
  readonly p2p: string;
  readonly privateNetwork?: boolean;
  readonly sameHost?: boolean;
  readonly prometheus?: boolean;
}

const NODE_ID = '[0-9a-f]{40}';
const PEER = new RegExp(`^${NODE_ID}@[^\\s@,]+:[1-9][0-9]{0,4}$`);
const ID = new RegExp(`^${NODE_ID}$`);
const ADDRESS = /^[^\s/@,]+:[1-9][0-9]{0,4}$/;

const readList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

function assertEach(option: string, values: readonly string[], pattern: RegExp, expected: string): void {
  const wrong = values.find((value) => !pattern.test(value));
  if (wrong !== undefined) throw new CommandError(`${option}: ${JSON.stringify(wrong)} is not ${expected}.`);
}

function roleOf({ validator, sentry }: Options): NodeRole {
  if (validator === true && sentry === true)
    throw new CommandError(
      'A node is a validator or a sentry: name one of --validator and --sentry, or neither for a node that is open to others.',
    );
  if (validator === true) return 'validator';
  return sentry === true ? 'sentry' : 'full';
}

function run(options: Options): void {
  const { home, peers, seeds, hide, externalAddress, app, rpc, p2p } = options;
  const role = roleOf(options);
  assertEach('--peers', peers, PEER, 'ID@HOST:PORT, with the id that cometbft show-node-id prints');
  assertEach('--seeds', seeds, PEER, 'ID@HOST:PORT');
  assertEach('--hide', hide, ID, 'the id of a node, 40 hex digits');
  assertEach('--external-address', externalAddress === '' ? [] : [externalAddress], ADDRESS, 'HOST:PORT');
  if (role === 'validator' && peers.length === 0)
    throw new CommandError(
      'A validator looks for no peers by itself: name those that it speaks with, its sentries or the other validators (--peers).',
    );
  if (role === 'sentry' && hide.length === 0)
    throw new CommandError('A sentry keeps the addresses of its validators to itself: name their ids (--hide).');
  configure({
    home,
    role,
    peers,
    seeds,
    hidden: hide,
    externalAddress,
    app,
    rpc,
    p2p,
    isPrivateNetwork: options.privateNetwork === true,
    isSameHost: options.sameHost === true,
    prometheus: options.prometheus === true,
  });
}

export function addCometbftConfigCommand(program: Command): void {
  const command = program
    .command('cometbft-config')
    .description(
      'write what a node of this ledger needs into the config.toml that cometbft init made; run again with other options, it writes those',
    )
    .requiredOption('--home <dir>', 'home of the node')
    .option('--validator', 'for a validator: it speaks with --peers and no others')
    .option('--sentry', 'for a node between validators and other networks')
    .option(
      '--peers <peers>',
      'ID@HOST:PORT of nodes that it always connects to, with commas between them',
      readList,
      [],
    )
    .option('--seeds <peers>', 'ID@HOST:PORT of nodes that know others', readList, [])
    .option(
      '--hide <ids>',
      'ids of nodes whose addresses it tells no one: the validators behind a sentry',
      readList,
      [],
    )
    .option('--external-address <address>', 'HOST:PORT at which other networks reach it', '')
    .option('--app <address>', 'where its application listens (ABCI_LISTEN)', ABCI_LISTEN_DEFAULT)
    .option('--rpc <address>', 'where its RPC listens: loopback or a private network', 'tcp://127.0.0.1:26657')
    .option('--p2p <address>', 'where it listens for peers', 'tcp://0.0.0.0:26656')
    .option('--private-network', 'peers have addresses of a private network')
    .option('--same-host', 'several nodes come from one address')
    .option('--prometheus', 'serve metrics on port 26660')
    .action((options: Options) => runCommand(() => run(options)));
  withExamples(
    withJson(command),
    'txledger cometbft-config --home "$HOME_OF_NODE" --validator --peers "$PEER" --rpc tcp://10.0.0.11:26657 --private-network',
    'txledger cometbft-config --home "$HOME_OF_NODE" --sentry --peers "$PEER" --hide "$PEER_ID" --external-address node.example:26656',
  );
}
