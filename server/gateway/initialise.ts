/** Brings an empty store to height 0 of its chain, and refuses a store that belongs to another. */
import { genesisGovernance, type GenesisDocument } from '../ledger/index.ts';
import type { FollowerState, Store } from '../store/index.ts';

/** A genesis may hold a million accounts; one statement does not. */
const ACCOUNTS_PER_WRITE = 10_000;

/** The store does not belong to this chain: a sentence for the operator. */
export class WrongStoreError extends Error {
  override readonly name = 'WrongStoreError';
}

export async function initialiseStore(store: Store, genesis: GenesisDocument): Promise<FollowerState> {
  return await store.write(async (tx) => {
    const known = await tx.follower();
    if (known !== undefined) {
      if (known.chainId === genesis.chainId && known.genesisHash === genesis.hash) return known;
      throw new WrongStoreError(
        `the store follows chain ${known.chainId} with genesis ${known.genesisHash}, this is chain ${genesis.chainId} with genesis ${genesis.hash}`,
      );
    }
    const state: FollowerState = {
      chainId: genesis.chainId,
      genesisHash: genesis.hash,
      height: 0,
      hash: '',
      blockTimeMs: Date.parse(genesis.genesisTime),
      uptimeMs: 0,
      verifiedHeight: 0,
    };
    await tx.createFollower(state);
    const governance = genesisGovernance(genesis);
    await tx.saveGovernance(governance);
    await tx.saveValidatorSets([{ height: genesis.initialHeight, validators: governance.validators }]);
    const { accounts: firstId } = await tx.takeIds({ accounts: genesis.accounts.length, owners: 0 });
    const accounts = genesis.accounts.map(({ address, balance }, index) => ({
      id: firstId + index,
      address,
      onChain: true,
      balance,
      nonce: 0,
      voids: 0n,
      reserved: 0n,
    }));
    for (let i = 0; i < accounts.length; i += ACCOUNTS_PER_WRITE)
      await tx.saveAccounts(accounts.slice(i, i + ACCOUNTS_PER_WRITE));
    return state;
  });
}
