/** `txledger validator remove`: takes all power from a validator, and reports when its node may stop. @module */
import { chainStateOfService } from '../governance/chain-state.ts';
import { carryOut, type ChangeOptions } from './carry-out.ts';
import { validatorKeyNamed } from './name.ts';
import { addressOf, powerOf, removePlan } from './plan.ts';

export interface RemoveOptions extends ChangeOptions {
  readonly validator: string;
}

export const AFTERWARDS =
  'Its node may stop now, or stay as one without power. Gateways that name it in COMETBFT_RPC_URL need another one first.';

export async function remove(options: RemoveOptions): Promise<void> {
  const { governance } = await chainStateOfService(options);
  const publicKey = await validatorKeyNamed(options.validator, governance.validators);
  const address = addressOf(publicKey);
  const remarks = [
    `${address} (public key ${publicKey}) has a power of ${powerOf(governance.validators, publicKey)} now. Its node runs on until this command says that it may stop.`,
  ];
  const plan = ({ governance: { validators } }: { governance: typeof governance }, online: ReadonlySet<string>) =>
    powerOf(validators, publicKey) === 0 ? { ok: true as const, steps: [] } : removePlan(validators, publicKey, online);
  await carryOut({ plan, remarks, end: [`${address} has no power and signs nothing.`, AFTERWARDS] }, options);
}
