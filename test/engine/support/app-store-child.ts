/**
 * A process for a kill test: commits height after height, each changing every account, and prints each height once it is committed.
 *
 * Argument: the file. Runs until it is killed.
 */
import { loadState } from '../../../server/engine/cometbft/app/load-state.ts';
import { openSqliteAppStore } from '../../../server/engine/cometbft/app/sqlite-app-store.ts';
import { LedgerState } from '../../../server/ledger/index.ts';
import { testGenesis } from '../../ledger/support.ts';

const [file = ''] = process.argv.slice(2);
const genesis = LedgerState.fromGenesis(testGenesis());
const store = openSqliteAppStore(file);
store.replace({
  chain: genesis.chain,
  height: 0,
  appHash: genesis.appHash,
  governance: genesis.governance(),
  accounts: genesis.leaves(),
});
const state = loadState(store, undefined)!;

for (let height = 1; ; height++) {
  const accounts = new Map([...state.leaves()].map(({ address, account }) => [address, { ...account, nonce: height }]));
  const changed = state.commit({ results: [], accounts, governance: undefined, validatorUpdates: [], events: [] });
  store.commit({ height, appHash: changed.appHash, accounts: changed.accounts, governance: undefined });
  store.maintain(false);
  process.stdout.write(`${height}\n`);
}
