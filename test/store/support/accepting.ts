/** Stores at height 0 of the test chain, and groups of transfers that gateways would accept on them. */
import type { AcceptContext } from '../../../server/gateway/accept/accept-group.ts';
import type { Submission } from '../../../server/gateway/core-api.ts';
import { initialiseStore } from '../../../server/gateway/initialise.ts';
import type { Store } from '../../../server/store/index.ts';
import { devAddress, TEST_CHAIN, TEST_CURRENCY, testGenesis } from '../../ledger/support.ts';

export const initialise = (store: Store): Promise<unknown> => initialiseStore(store, testGenesis());

export function accepting(store: Store): AcceptContext {
  return {
    store,
    chain: { ...TEST_CHAIN, openingMinimum: 1n, currency: TEST_CURRENCY },
    limits: { pendingMax: Number.MAX_SAFE_INTEGER, pendingPerOwnerMax: Number.MAX_SAFE_INTEGER },
    moment: () => ({ nowMs: 1, believedMs: 1, uptimeMs: 1 }),
  };
}

let hashes = 0;

/** What the front would have admitted: the core does not look at signature and hash again. */
export function submission(from: number, nonce: number, amount = 1n): Submission {
  return {
    from: devAddress(from),
    to: devAddress((from + 1) % 10),
    amount,
    nonce,
    signature: 'ab'.repeat(64),
    txHash: (++hashes).toString(16).toUpperCase().padStart(64, '0'),
    owner: undefined,
  };
}
