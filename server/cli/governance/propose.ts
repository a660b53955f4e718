/** `txledger governance propose`: writes the file that governors sign. @module */
import { totalPower, type GovernanceAction } from '../../ledger/index.ts';
import type { ConnectionOptions } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { newFile } from '../key-files.ts';
import { print, printError, wantsJson } from '../output.ts';
import { type ChainState, chainStateOfGenesis, chainStateOfService } from './chain-state.ts';
import { refusalOf } from './judge.ts';
import { signText, writeProposal } from './proposal-file.ts';
import { explainGovernance, type UnsignedGovernance } from './words.ts';

export const KINDS = [
  'canceller_add',
  'canceller_remove',
  'governor_add',
  'governor_remove',
  'threshold',
  'validator_power',
  'rules_version',
] as const satisfies readonly GovernanceAction[];

export interface ProposeOptions extends ConnectionOptions {
  readonly kind: GovernanceAction;
  readonly subject?: string;
  readonly power?: number;
  readonly height?: number;
  readonly threshold?: number;
  readonly sequence?: number;
  readonly genesis?: string;
  readonly out: string;
}

type NumberOption = 'power' | 'height' | 'threshold';

/** The number option of each kind; roles have none. */
const NUMBER_OF: Partial<Record<GovernanceAction, NumberOption>> = {
  validator_power: 'power',
  rules_version: 'height',
  threshold: 'threshold',
};

const SUBJECTS: Record<GovernanceAction, string> = {
  canceller_add: 'the address of a canceller',
  canceller_remove: 'the address of a canceller',
  governor_add: 'the address of a governor',
  governor_remove: 'the address of a governor',
  threshold: '',
  validator_power: "a validator's public key, 64 lower-case hex digits",
  rules_version: 'the version of the rules',
};

/** Returns the members from the options, with the number under its name in the signed bytes. */
function membersOf(options: ProposeOptions): { subject: string; power: number } {
  const { kind, subject } = options;
  const wanted = NUMBER_OF[kind];
  for (const name of ['power', 'height', 'threshold'] as const) {
    if (name !== wanted && options[name] !== undefined)
      throw new CommandError(`--${name} does not go with --kind ${kind}.`);
  }
  const power = wanted === undefined ? 0 : options[wanted];
  if (power === undefined) throw new CommandError(`--kind ${kind} needs --${wanted}.`);
  if (SUBJECTS[kind] === '') {
    if (subject !== undefined) throw new CommandError(`--subject does not go with --kind ${kind}.`);
    return { subject: '', power };
  }
  if (subject === undefined) throw new CommandError(`--kind ${kind} needs --subject: ${SUBJECTS[kind]}.`);
  return { subject, power };
}

/** The current value on the chain that the proposal would change. */
export function beforeOf({ governance }: ChainState, { action, subject }: UnsignedGovernance): string {
  const { cancellers, governors, threshold, validators, rules } = governance;
  switch (action) {
    case 'canceller_add':
    case 'canceller_remove':
      return `The cancellers are ${cancellers.join(', ')}.`;
    case 'governor_add':
    case 'governor_remove':
    case 'threshold':
      return `The governors are ${governors.join(', ')}; the threshold is ${threshold}.`;
    case 'validator_power': {
      const power = validators.find(({ publicKey }) => publicKey === subject)?.power ?? 0;
      return `The validator has ${power} of ${totalPower(validators)}, the power of all ${validators.length} validators.`;
    }
    case 'rules_version':
      return `The rules: ${rules.map(({ version, height }) => `version ${version} from height ${height} on`).join(', ')}.`;
  }
}

export async function propose(options: ProposeOptions): Promise<void> {
  const { kind, genesis } = options;
  const members = membersOf(options);
  const out = newFile(options.out);
  const chain = genesis === undefined ? await chainStateOfService(options) : chainStateOfGenesis(genesis);
  const { chainId, height, governance } = chain;
  const { governors, threshold } = governance;
  const sequence = options.sequence ?? governance.sequence;
  if (sequence < governance.sequence)
    throw new CommandError(`Sequence ${sequence} is used: the chain expects ${governance.sequence}.`, 'usage', {
      code: 'sequence_used',
    });
  const unsigned: UnsignedGovernance = { kind: 'governance', chainId, action: kind, ...members, sequence };
  // If it is not next in the sequence, the state will differ when its turn comes, so this is a note and not a refusal.
  const refusal = refusalOf(chain, { ...unsigned, sequence: governance.sequence });
  const isNext = sequence === governance.sequence;
  if (refusal !== undefined && isNext)
    throw new CommandError(`The chain would refuse this: ${refusal}`, 'usage', { code: 'would_be_refused' });
  const before = beforeOf(chain, unsigned);
  writeProposal(out, { unsigned, chain: { height, threshold, governors, before }, signatures: [] }, { first: true });
  const explanation = explainGovernance(unsigned);
  print(
    {
      file: out,
      explanation,
      before,
      chainId,
      kind,
      ...members,
      sequence,
      signBytes: signText(unsigned),
      threshold,
      governors,
    },
    [
      out,
      explanation,
      before,
      `Sequence ${sequence} of ${chainId}; ${threshold} of ${governors.length} governors sign it, with txledger governance sign.`,
    ],
  );
  if (refusal !== undefined && !wantsJson())
    printError(`As the chain is now it would refuse this; sequence ${sequence} comes later. ${refusal}`);
}
