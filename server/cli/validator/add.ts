/** `txledger validator add`: gives power to a node that follows the chain; a node that does not is refused. @module */
import { chainStateOfService } from '../governance/chain-state.ts';
import { carryOut, type ChangeOptions } from './carry-out.ts';
import { nodeAddress, nodeFacts } from './node.ts';
import { assertSameChain, serviceNode, syncOf, untilSynced } from './observe.ts';
import { addPlan, addressOf, powerOf, usualPower } from './plan.ts';

export interface AddOptions extends ChangeOptions {
  readonly node: string;
  readonly power?: number;
}

export async function add(options: AddOptions): Promise<void> {
  const node = nodeAddress(options.node);
  const service = serviceNode(options);
  const { chainId, governance } = await chainStateOfService(options);
  await assertSameChain(node, service, chainId);
  const sync = await syncOf(node, service);
  if (options.dryRun !== true) await untilSynced(node, service, options.timeout);
  const { publicKey } = await nodeFacts(node);
  const address = addressOf(publicKey);
  const power = options.power ?? usualPower(governance.validators);
  const remarks = [
    `The node at ${node.url} is of ${chainId}; it has ${sync.text}${sync.isSynced || options.dryRun !== true ? '' : ', and gets no power before it has caught up'}.`,
    `Its validator's key is ${publicKey}, its address ${address}; it has a power of ${powerOf(governance.validators, publicKey)} now.`,
  ];
  await carryOut(
    {
      plan: (chain, online) => addPlan(chain.governance.validators, publicKey, power, online),
      remarks,
      end: [`${address} has a power of ${power} and signs.`],
    },
    options,
  );
}
