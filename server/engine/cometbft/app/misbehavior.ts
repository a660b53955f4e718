/** Converts evidence from ABCI's form to the ledger's. */
import { type Misbehavior as MisbehaviorMessage, MisbehaviorType } from 'cosmjs-types/tendermint/abci/types';
import type { Misbehavior, MisbehaviorKind } from '../../../ledger/index.ts';
import { upperHex } from '../../encoding/index.ts';

const KINDS: Readonly<Partial<Record<MisbehaviorType, MisbehaviorKind>>> = {
  [MisbehaviorType.DUPLICATE_VOTE]: 'duplicate_vote',
  [MisbehaviorType.LIGHT_CLIENT_ATTACK]: 'light_client_attack',
};

/** A kind that CometBFT v0.38 does not define has no effect: every replica must read the same. */
export function misbehaviorOf(messages: readonly MisbehaviorMessage[]): Misbehavior[] {
  return messages.flatMap(({ type, validator, height }) => {
    const kind = KINDS[type];
    return kind === undefined ? [] : [{ kind, validatorAddress: upperHex(validator.address), height: Number(height) }];
  });
}
