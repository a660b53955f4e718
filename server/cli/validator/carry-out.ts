/**
 * Carries a plan out, one step in each block, each computed from the chain's state at that time. After any interruption the same command
 * continues.
 *
 * @module
 */
import { totalPower, type ValidatorPower } from '../../ledger/index.ts';
import { asker } from '../ask.ts';
import { serviceOf } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { type ChainState, chainStateOfService } from '../governance/chain-state.ts';
import { assertMayBroadcast } from '../governance/rpc.ts';
import { note, print } from '../output.ts';
import { countsFrom, serviceNode, untilGone, untilSigns } from './observe.ts';
import { addressOf, type Plan, powerOf, type PowerStep, tooStrong, withPower } from './plan.ts';
import { assertCanSign, decide, type SigningOptions } from './proposals.ts';
import { onlineValidators } from './signatures.ts';

export interface ChangeOptions extends SigningOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export interface Change {
  /** Returns the remaining steps for the current chain and the validators that sign now. */
  plan(chain: ChainState, online: ReadonlySet<string>): Plan;
  /** Remarks that a person should read before they agree, beside the steps. */
  readonly remarks: readonly string[];
  /** The result when no steps are left, and the next actions. */
  readonly end: readonly string[];
  /** The validator that has to sign before power is taken from another one. */
  readonly needs?: string;
}

export interface StepDone extends PowerStep {
  readonly height: number;
  readonly txHash: string;
}

const PERCENT = 100;
const percent = (power: number, total: bigint): string => `${((power * PERCENT) / Number(total)).toFixed(1)} %`;

function describeStep(validators: readonly ValidatorPower[], { publicKey, power }: PowerStep): string {
  const after = withPower(validators, { publicKey, power });
  return `power of ${addressOf(publicKey)} from ${powerOf(validators, publicKey)} to ${power}, ${percent(power, totalPower(after))} of ${totalPower(after)}`;
}

function planLines(validators: readonly ValidatorPower[], steps: readonly PowerStep[]): string[] {
  let now = validators;
  const lines = steps.map((step, i) => {
    const line = `  ${i + 1}. ${describeStep(now, step)}`;
    now = withPower(now, step);
    return line;
  });
  const strong = tooStrong(now).map(({ publicKey }) => addressOf(publicKey));
  return [
    ...lines,
    ...(strong.length === 0
      ? []
      : [
          `Afterwards each of these has a third of all power or more, and without it the chain stops: ${strong.join(', ')}.`,
        ]),
  ];
}

async function agree({ yes }: ChangeOptions): Promise<void> {
  if (yes === true) return;
  const ask = asker();
  if (ask === undefined)
    throw new CommandError('There is no terminal to ask at: look at the plan (--dry-run), then say --yes.');
  if (!(await ask('Do this?'))) throw new CommandError('Nothing was changed.', 'refused', { code: 'not_agreed' });
}

const stepsOf = (plan: Plan): readonly PowerStep[] => {
  if (!plan.ok) throw new CommandError(plan.reason, 'refused', { code: 'plan_refused' });
  return plan.steps;
};

/** Carries out one step, with the conditions before and after it. */
async function carryOutStep(
  chain: ChainState,
  steps: readonly [PowerStep, ...PowerStep[]],
  { needs }: Change,
  options: ChangeOptions,
): Promise<StepDone> {
  const node = serviceNode(options);
  const [step] = steps;
  const address = addressOf(step.publicKey);
  const before = powerOf(chain.governance.validators, step.publicKey);
  const isRaise = step.power > before;
  // A validator gets more power only if it signs with the power it has: an interrupted run may not have checked that.
  if (isRaise && before > 0) await untilSigns(node, address, countsFrom(chain.height), options.timeout);
  if (!isRaise && needs !== undefined)
    await untilSigns(node, addressOf(needs), countsFrom(chain.height), options.timeout);
  const { height, hash } = await decide(chain, steps, options);
  note(`block ${height}  ${describeStep(chain.governance.validators, step)}`);
  if (isRaise)
    note(`block ${await untilSigns(node, address, countsFrom(height), options.timeout)}  signed by ${address}`);
  if (step.power === 0)
    note(`block ${await untilGone(node, address, countsFrom(height), options.timeout)}  without ${address}`);
  return { ...step, height, txHash: hash };
}

export async function carryOut(change: Change, options: ChangeOptions): Promise<void> {
  const node = serviceNode(options);
  const read = async (): Promise<{ chain: ChainState; steps: readonly PowerStep[] }> => {
    const [chain, online] = await Promise.all([chainStateOfService(options), onlineValidators(node)]);
    return { chain, steps: stepsOf(change.plan(chain, online)) };
  };
  let { chain, steps } = await read();
  // Checked before the plan is shown: a person who agrees to it expects that it is carried out.
  if (steps.length > 0 && options.dryRun !== true) await assertMayBroadcast(serviceOf(options), options.timeout);
  const { validators } = chain.governance;
  for (const line of [
    ...change.remarks,
    ...(steps.length === 0
      ? ['No power has to change.']
      : ['Steps, each in a block of its own:', ...planLines(validators, steps)]),
  ])
    note(line);
  if (options.dryRun === true)
    return print({ dryRun: true, remarks: change.remarks, steps }, ['Nothing was changed (--dry-run).']);
  if (steps.length > 0) {
    assertCanSign(chain, options);
    await agree(options);
  }
  const done: StepDone[] = [];
  for (let [first, ...rest] = steps; first !== undefined; [first, ...rest] = steps) {
    done.push(await carryOutStep(chain, [first, ...rest], change, options));
    ({ chain, steps } = await read());
  }
  print({ steps: done, end: change.end }, change.end);
}
