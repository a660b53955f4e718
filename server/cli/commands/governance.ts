/**
 * `txledger governance propose|sign|submit|show`: changes roles, validators and rules of a chain, by files that governors sign one after
 * another.
 *
 * @module
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { type ConnectionOptions, withConnection } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { runCommand } from '../failure.ts';
import { KINDS, propose, type ProposeOptions } from '../governance/propose.ts';
import { show } from '../governance/show.ts';
import { sign } from '../governance/sign.ts';
import { submit } from '../governance/submit.ts';
import { withJson, withWide } from '../output.ts';

/** Parses a number. The ledger checks its range for each use; a larger one is never valid. */
function readNumber(text: string): number {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('expected a whole number from 0 to 2^53-1.');
  return Number(text);
}

export function addGovernanceCommands(program: Command): void {
  const governance = program
    .command('governance')
    .description('change the roles, validators and rules of a chain, with the signatures of its governors');

  const proposes = governance
    .command('propose')
    .description('write a proposal for the governors to sign, after asking the rules what the chain would say to it')
    .addOption(new Option('--kind <kind>', 'what to change').choices(KINDS).makeOptionMandatory())
    .option(
      '--subject <subject>',
      "address whose role changes; validator_power: the validator's public key; rules_version: the version",
    )
    .option('--power <power>', 'validator_power: the new voting power, 0 removes', readNumber)
    .option('--height <height>', 'rules_version: the first height that follows the version', readNumber)
    .option('--threshold <count>', 'threshold: how many governors sign together', readNumber)
    .option('--sequence <number>', 'a later one than the next of the chain, to prepare several changes', readNumber)
    .option('--genesis <file>', 'take the state of the chain from its genesis file instead of a service')
    .requiredOption('--out <file>', 'where to write the proposal')
    .action((options: ProposeOptions) => runCommand(() => propose(options)));
  withExamples(
    withJson(withConnection(proposes)),
    'txledger governance propose --kind canceller_add --subject "$NEW_CANCELLER" --out proposal.json',
    'txledger governance propose --kind rules_version --subject 2 --height 1000000 --genesis genesis.json --out rules.json',
  );

  const signs = governance
    .command('sign')
    .description('check a proposal, show what it changes, and add the signature of a governor; needs no connection')
    .argument('<file>', 'the proposal')
    .requiredOption('--key <file>', 'key file of the governor, mode 0600')
    .action((file: string, options: { key: string }) => runCommand(() => sign(file, options)));
  withExamples(withJson(signs), 'txledger governance sign proposal.json --key "$GOVERNOR_KEY"');

  const submits = governance
    .command('submit')
    .description(
      'bring a proposal that enough governors signed to the chain, and wait for the block; the token needs rpc:broadcast, and transactions:read unless reads of the RPC are open',
    )
    .argument('<file>', 'the proposal')
    .action((file: string, options: ConnectionOptions) => runCommand(() => submit(file, options)));
  withExamples(withJson(withConnection(submits)), 'txledger governance submit proposal.json');

  const shows = governance
    .command('show')
    .description('cancellers, governors, threshold, validators and their shares, rules, and what waits for a block')
    .action((options: ConnectionOptions) => runCommand(() => show(options)));
  withExamples(
    withJson(withWide(withConnection(shows))),
    'txledger governance show',
    'txledger governance show --json',
  );
}
