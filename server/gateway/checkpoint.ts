/** Starting point of the chain's verification: the last block in the store if the chain was verified up to it, otherwise genesis. */
import type { Checkpoint } from '../engine/port.ts';
import { genesisGovernance, type GenesisDocument } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

/** Trust begins with the file that the operator gave. */
function genesisCheckpoint(genesis: GenesisDocument): Checkpoint {
  const governance = genesisGovernance(genesis);
  return {
    height: 0,
    hash: '',
    timeMs: Date.parse(genesis.genesisTime),
    governance,
    validatorSets: [{ height: genesis.initialHeight, validators: governance.validators }],
  };
}

/** Derived by this store's own followers; a block that a version without verification followed makes it unusable. */
export async function checkpointOf(store: Store, genesis: GenesisDocument): Promise<Checkpoint> {
  return await store.read(async (tx) => {
    const [follower, governance] = [await tx.follower(), await tx.governance()];
    if (follower === undefined || governance === undefined || follower.verifiedHeight !== follower.height)
      return genesisCheckpoint(genesis);
    const { height, hash, blockTimeMs } = follower;
    const validatorSets = await tx.validatorSets();
    return validatorSets.length === 0
      ? genesisCheckpoint(genesis)
      : { height, hash, timeMs: blockTimeMs, governance, validatorSets };
  });
}
