/**
 * Makes one step of power a governance transaction, signed with local key files, or by governors elsewhere through the files of `txledger
 * governance sign`.
 *
 * @module
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { OperatorKey } from '../../app/operator-key.ts';
import type { ConnectionOptions } from '../connection.ts';
import { CommandError } from '../failure.ts';
import type { ChainState } from '../governance/chain-state.ts';
import { type Proposal, readProposal, signText, writeProposal } from '../governance/proposal-file.ts';
import { beforeOf } from '../governance/propose.ts';
import { governorKeyOf, signedBy } from '../governance/sign.ts';
import { assertEffect, bringToChain, type InBlock } from '../governance/submit.ts';
import type { UnsignedGovernance } from '../governance/words.ts';
import type { PowerStep } from './plan.ts';

export interface SigningOptions extends ConnectionOptions {
  /** Paths of governors' key files. */
  readonly key?: readonly string[];
  /** The folder for proposal files. */
  readonly proposals?: string;
}

/** Hex digits of a validator's key in the name of a file. */
const NAME_DIGITS = 8;

export function keysOf(chain: ChainState, { key = [] }: SigningOptions): readonly OperatorKey[] {
  const { chainId, addressPrefix, governance } = chain;
  const keys = key.map((file) => governorKeyOf(file, { chainId, addressPrefix, governors: governance.governors }));
  if (new Set(keys.map(({ address }) => address)).size < keys.length)
    throw new CommandError('--key names the same governor twice.');
  return keys;
}

/** Checks before any work that enough signatures can be obtained. */
export function assertCanSign(chain: ChainState, options: SigningOptions): void {
  const { threshold } = chain.governance;
  const keys = keysOf(chain, options);
  if (keys.length < threshold && options.proposals === undefined) {
    throw new CommandError(
      `${threshold} of the ${chain.governance.governors.length} governors sign each step, and --key names ${keys.length}. Name more, or a folder for the proposals that they sign elsewhere: --proposals DIR.`,
      'usage',
      { code: 'too_few_signatures' },
    );
  }
}

function proposalOf(chain: ChainState, { publicKey: subject, power }: PowerStep, later: number): Proposal {
  const { chainId, height, governance } = chain;
  const unsigned: UnsignedGovernance = {
    kind: 'governance',
    chainId,
    action: 'validator_power',
    subject,
    power,
    sequence: governance.sequence + later,
  };
  const { threshold, governors } = governance;
  return { unsigned, chain: { height, threshold, governors, before: beforeOf(chain, unsigned) }, signatures: [] };
}

const nameOf = ({ sequence, subject, power }: UnsignedGovernance): string =>
  `${sequence}-${subject.slice(0, NAME_DIGITS)}-power-${power}.json`;

/** Returns the file of a step if it exists; a file of the same name with another content is not changed. */
function inFile(file: string, proposal: Proposal): Proposal {
  if (!existsSync(file)) return proposal;
  const found = readProposal(file);
  if (signText(found.unsigned) !== signText(proposal.unsigned))
    throw new CommandError(`${file} holds another proposal. Move it away.`);
  return found;
}

/** Adds the signatures of local keys. A file gets them too, so that the next run has them. */
function prepare(
  chain: ChainState,
  step: PowerStep,
  later: number,
  options: SigningOptions,
): { proposal: Proposal; file: string | undefined } {
  let proposal = proposalOf(chain, step, later);
  const file =
    options.proposals === undefined ? undefined : path.join(path.resolve(options.proposals), nameOf(proposal.unsigned));
  if (file !== undefined) proposal = inFile(file, proposal);
  const before = proposal;
  for (const key of keysOf(chain, options)) {
    if (!proposal.signatures.some(({ signer }) => signer === key.address)) proposal = signedBy(proposal, key);
  }
  if (file !== undefined && (proposal !== before || !existsSync(file)))
    writeProposal(file, proposal, { first: !existsSync(file) });
  return { proposal, file };
}

/** Signatures that still have to be made elsewhere. */
export class SignaturesMissing extends CommandError {
  constructor(files: readonly string[], threshold: number) {
    super(
      [
        `Each of these needs ${threshold === 1 ? 'the signature of a governor' : `the signatures of ${threshold} governors`}. Let them sign (txledger governance sign FILE --key THEIR_KEY), then run the same command again:`,
        ...files.map((file) => `  ${file}`),
      ].join('\n'),
      'unknown',
      { code: 'signatures_missing', proposals: files, threshold },
    );
  }
}

/**
 * Brings the first of the steps into a block.
 * @throws SignaturesMissing after writing the files of all steps, so that governors can sign them at one meeting.
 */
export async function decide(
  chain: ChainState,
  steps: readonly [PowerStep, ...PowerStep[]],
  options: SigningOptions,
): Promise<InBlock> {
  const { threshold } = chain.governance;
  if (options.proposals !== undefined) mkdirSync(options.proposals, { recursive: true });
  const [first] = steps;
  const { proposal } = prepare(chain, first, 0, options);
  if (proposal.signatures.length < threshold) {
    const prepared = steps.map((step, later) => prepare(chain, step, later, options));
    throw new SignaturesMissing(
      prepared.flatMap(({ proposal: { signatures }, file }) =>
        file !== undefined && signatures.length < threshold ? [file] : [],
      ),
      threshold,
    );
  }
  const { found } = await bringToChain(proposal, options);
  assertEffect(found);
  return found;
}
