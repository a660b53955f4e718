/**
 * `txledger validator rotate`: moves the power of one key to another one, on a second node.
 *
 * The new key gets its power and signs before the old one loses its own. Each node has a key of its own all the time, so neither can sign
 * twice.
 *
 * @module
 */
import { CommandError } from '../failure.ts';
import { chainStateOfService } from '../governance/chain-state.ts';
import { carryOut, type ChangeOptions } from './carry-out.ts';
import { validatorKeyNamed } from './name.ts';
import { nodeAddress, nodeFacts } from './node.ts';
import { assertSameChain, serviceNode, untilSynced } from './observe.ts';
import { addPlan, addressOf, powerOf, rotatePlan } from './plan.ts';
import { AFTERWARDS } from './remove.ts';

export interface RotateOptions extends ChangeOptions {
  /** The validator that is removed. */
  readonly from: string;
  /** The node with the new key. */
  readonly node: string;
  readonly power?: number;
}

export async function rotate(options: RotateOptions): Promise<void> {
  const node = nodeAddress(options.node);
  const service = serviceNode(options);
  const { chainId, governance } = await chainStateOfService(options);
  const from = await validatorKeyNamed(options.from, governance.validators);
  const { publicKey: to } = await nodeFacts(node);
  if (from === to)
    throw new CommandError(
      `The node at ${node.url} has the key of the validator that goes (${addressOf(from)}). Two nodes with one key sign twice: stop it, and give it a key of its own with txledger validator new-key.`,
      'usage',
      { code: 'same_key' },
    );
  await assertSameChain(node, service, chainId);
  if (options.dryRun !== true) await untilSynced(node, service, options.timeout);
  // An interrupted run has already raised the new one, or lowered the old one: the higher of both is the original power of the old one.
  const power = options.power ?? Math.max(powerOf(governance.validators, from), powerOf(governance.validators, to));
  if (power === 0)
    throw new CommandError(
      `Neither ${addressOf(from)} nor ${addressOf(to)} has power. For a new validator use txledger validator add.`,
      'usage',
      { code: 'no_power' },
    );
  const remarks = [
    `From ${addressOf(from)} (public key ${from}, power ${powerOf(governance.validators, from)})`,
    `to ${addressOf(to)} (public key ${to}, power ${powerOf(governance.validators, to)}), the node at ${node.url}.`,
  ];
  await carryOut(
    {
      plan: ({ governance: { validators } }, online) =>
        powerOf(validators, from) === 0
          ? addPlan(validators, to, power, online)
          : rotatePlan(validators, { from, to, power }, online),
      remarks,
      end: [`${addressOf(to)} has a power of ${power} and signs; ${addressOf(from)} has none.`, AFTERWARDS],
      needs: to,
    },
    options,
  );
}
