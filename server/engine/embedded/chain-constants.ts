/** Values that every block of an embedded chain has in common, computed once from genesis and the validator's key. */
import { BLOCK_MAX_GAS, consensusHash, parseTime, upperHex, validatorsHash } from '../encoding/index.ts';
import { BLOCK_MAX_BYTES, type GenesisDocument } from '../../ledger/index.ts';
import { EngineStartError } from '../start-error.ts';
import type { ValidatorKey } from '../validator-key.ts';

export interface ChainConstants {
  chainId: string;
  /** Time of the first header, ns since the Unix epoch. */
  genesisTimeNs: bigint;
  proposerAddress: Uint8Array;
  validatorPublicKey: Uint8Array;
  /** The validator set never changes here: one key alone never makes a block with a change of voting power. */
  validatorsHash: Uint8Array;
  consensusHash: Uint8Array;
}

/** Throws EngineStartError when this key cannot make blocks for this genesis. */
export function chainConstants(genesis: GenesisDocument, key: ValidatorKey): ChainConstants {
  const [validator, ...others] = genesis.validators;
  if (validator === undefined || others.length > 0) {
    throw new EngineStartError(
      `genesis names ${genesis.validators.length} validators; the embedded engine makes blocks for exactly one`,
    );
  }
  const publicKey = Buffer.from(validator.publicKey, 'hex');
  if (!publicKey.equals(key.publicKey)) {
    throw new EngineStartError(
      `the validator key is not the one in genesis: address ${upperHex(key.address)}, public key ` +
        `${Buffer.from(key.publicKey).toString('hex')}, while genesis names ${validator.publicKey}`,
    );
  }
  const genesisTimeNs = parseTime(genesis.genesisTime);
  if (genesisTimeNs === undefined)
    throw new EngineStartError(`genesis_time is no RFC 3339 time: ${genesis.genesisTime}`);
  return {
    chainId: genesis.chainId,
    genesisTimeNs,
    proposerAddress: key.address,
    validatorPublicKey: publicKey,
    validatorsHash: validatorsHash([{ publicKey, power: validator.power }]),
    consensusHash: consensusHash({ maxBytes: BLOCK_MAX_BYTES, maxGas: BLOCK_MAX_GAS }),
  };
}
