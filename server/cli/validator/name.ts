/** Names of a validator on a command line: its public key, its address, or the node that has its key. @module */
import type { ValidatorPower } from '../../ledger/index.ts';
import { CommandError } from '../failure.ts';
import { nodeAddress, nodeFacts } from './node.ts';
import { addressOf } from './plan.ts';

const PUBLIC_KEY = /^[0-9a-f]{64}$/i;
const ADDRESS = /^[0-9A-F]{40}$/i;

/** Returns the public key of the named validator. */
export async function validatorKeyNamed(name: string, validators: readonly ValidatorPower[]): Promise<string> {
  if (PUBLIC_KEY.test(name)) return name.toLowerCase();
  if (!ADDRESS.test(name)) return (await nodeFacts(nodeAddress(name))).publicKey;
  const found = validators.find(({ publicKey }) => addressOf(publicKey) === name.toUpperCase());
  if (found === undefined)
    throw new CommandError(
      `No validator has the address ${name}: ${validators.map(({ publicKey }) => addressOf(publicKey)).join(', ')} do. One without power is named by its public key.`,
    );
  return found.publicKey;
}
