/** The stored state, verified: what the accounts hash to must be what was recorded with them. */
import { assertRulesKnown, LedgerState } from '../../../ledger/index.ts';
import { upperHex } from '../../encoding/index.ts';
import { EngineStartError } from '../../start-error.ts';
import type { AppStore } from './store.ts';

const MAKE_AGAIN = 'Move app.db away: the node executes its blocks again';

/**
 * undefined when nothing was ever stored.
 * @throws EngineStartError for a damaged store, for one of another chain than `chainId`, if that is given, and for one whose next block follows
 * rules that this program does not know.
 */
export function loadState(store: AppStore, chainId: string | undefined): LedgerState | undefined {
  const stored = store.load();
  if (!stored) return undefined;
  if (chainId !== undefined && stored.chain.chainId !== chainId) {
    throw new EngineStartError(`app.db is of chain ${stored.chain.chainId}, but TXLEDGER_CHAIN_ID is ${chainId}`);
  }
  let state: LedgerState;
  try {
    state = LedgerState.restore(stored.chain, stored);
  } catch (error) {
    throw new EngineStartError(`app.db is damaged: ${(error as Error).message}. ${MAKE_AGAIN}`);
  }
  if (Buffer.compare(state.appHash, stored.appHash) !== 0) {
    throw new EngineStartError(
      `app.db is damaged: its accounts give the app hash ${upperHex(state.appHash)} at height ${stored.height}, ` +
        `where ${upperHex(stored.appHash)} was recorded. ${MAKE_AGAIN}`,
    );
  }
  try {
    // Now, and not in the middle of consensus: the next block could not be executed.
    assertRulesKnown(state.governance(), state.height + 1);
  } catch (error) {
    throw new EngineStartError((error as Error).message);
  }
  return state;
}
