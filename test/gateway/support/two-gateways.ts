/** Gateways on one store as tests of their sharing use them: the one that is active first, then one that stands by. */
import type { Refusal, Submitted } from '../../../server/gateway/index.ts';
import type { TransferOptions } from '../../ledger/support.ts';
import { signedTransfer } from '../../ledger/support.ts';
import { ALICE, inputOf } from './fixture.ts';
import type { GatewaysOptions, Member } from './gateways.ts';
import { Gateways } from './gateways.ts';

export interface TwoGateways {
  gateways: Gateways;
  active: Member;
  standby: Member;
}

/** Two of them unless a test asks for another number; with one alone nobody stands by. */
export async function openTwo(options: Partial<GatewaysOptions> = {}): Promise<TwoGateways> {
  const gateways = await Gateways.open({ count: 2, ...options });
  const [active, standby] = gateways.members as [Member, Member];
  return { gateways, active, standby };
}

export const submit = (member: Member, options: TransferOptions = {}): Promise<Submitted | Refusal> =>
  member.gateway.submit(inputOf(signedTransfer(options)), ALICE);

/** @returns the hash. */
export async function accept(member: Member, options: TransferOptions = {}): Promise<string> {
  const answer = await submit(member, options);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.detail}`);
  return answer.transaction.txHash;
}

export const statusAt = async (member: Member, txHash: string): Promise<unknown> => {
  const found = await member.gateway.get(txHash);
  return found !== undefined && 'status' in found ? found.status : found;
};
