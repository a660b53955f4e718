/**
 * Loads the stored state over its pages and verifies it: the tree must hash to the value that was recorded with it.
 *
 * Up to ACCOUNTS_READ_MAX accounts, all of them are read for that. Above it only the tree's upper nodes are read: an account is compared
 * with its leaf when it is read, before anything is decided by it, and `txledger verify` compares all of them.
 */
import { assertRulesKnown, LedgerState, StateRoot } from '../../../ledger/index.ts';
import { upperHex } from '../../encoding/index.ts';
import { EngineStartError } from '../../start-error.ts';
import type { AppStore, StoredState } from './store.ts';

const MAKE_AGAIN = 'Move app.db away: the node executes its blocks again';

/** Reading this many takes half a second. */
const ACCOUNTS_READ_MAX = 100_000;

/**
 * Returns undefined when nothing was ever stored.
 * @throws EngineStartError for a damaged store, for a store of another chain than `chainId`, if that is given, and for one whose next block
 * follows rules that this version does not have.
 */
export function loadState(
  store: AppStore,
  chainId: string | undefined,
  accountsReadMax = ACCOUNTS_READ_MAX,
): LedgerState | undefined {
  const stored = store.load();
  if (!stored) return undefined;
  if (chainId !== undefined && stored.chain.chainId !== chainId) {
    throw new EngineStartError(`app.db is of chain ${stored.chain.chainId}, but TXLEDGER_CHAIN_ID is ${chainId}`);
  }
  let state: LedgerState;
  try {
    state = LedgerState.open(stored.chain, { ...store.pages(), governance: stored.governance, height: stored.height });
  } catch (error) {
    throw new EngineStartError(`app.db is damaged: ${(error as Error).message}. ${MAKE_AGAIN}`);
  }
  const found = [state.appHash, ...accountsHash(stored, state, accountsReadMax)].find(
    (appHash) => Buffer.compare(appHash, stored.appHash) !== 0,
  );
  if (found !== undefined) {
    throw new EngineStartError(
      `app.db is damaged: its accounts give the app hash ${upperHex(found)} at height ${stored.height}, ` +
        `where ${upperHex(stored.appHash)} was recorded. ${MAKE_AGAIN}`,
    );
  }
  try {
    // Checked at start rather than during consensus: the next block could not be executed.
    assertRulesKnown(state.governance(), state.height + 1);
  } catch (error) {
    throw new EngineStartError((error as Error).message);
  }
  return state;
}

/** Hash computed from the accounts themselves, where they are few enough. */
function accountsHash(
  { accounts, governance }: StoredState,
  { accountCount }: LedgerState,
  accountsReadMax: number,
): Uint8Array[] {
  if (accountCount > accountsReadMax) return [];
  const root = new StateRoot();
  for (const { leaf, address, account } of accounts) {
    if (leaf !== root.leaves)
      throw new EngineStartError(`app.db is damaged: it has no account at leaf ${root.leaves}. ${MAKE_AGAIN}`);
    root.add(address, account);
  }
  return [root.appHash(governance)];
}
