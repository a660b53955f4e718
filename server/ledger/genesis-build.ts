/** Writes a genesis file: the same input gives the same bytes, and so the same genesis hash, on every machine. */
import { fromHex, sha256UpperHex } from './bytes.ts';
import { CONSENSUS_PARAMS, type GenesisDocument, PUBLIC_KEY_TYPE } from './genesis.ts';

export type GenesisInput = Pick<GenesisDocument, 'genesisTime' | 'chainId' | 'addressPrefix' | 'validators' | 'accounts' | 'operators'>;

/** CometBFT's validator address: the first 20 bytes of the key's SHA-256, upper-case hex. */
const VALIDATOR_ADDRESS_HEX_DIGITS = 40;

export function validatorAddress(publicKey: Uint8Array): string {
  return sha256UpperHex(publicKey).slice(0, VALIDATOR_ADDRESS_HEX_DIGITS);
}

/** The bytes of genesis.json. They are not checked: give them to parseGenesis, which names every fault. */
export function buildGenesis(input: GenesisInput): Uint8Array {
  const document = {
    genesis_time: input.genesisTime,
    chain_id: input.chainId,
    initial_height: '1',
    consensus_params: CONSENSUS_PARAMS,
    validators: input.validators.map(({ publicKey, power, name }) => ({
      address: validatorAddress(fromHex(publicKey)),
      pub_key: { type: PUBLIC_KEY_TYPE, value: Buffer.from(fromHex(publicKey)).toString('base64') },
      power: String(power),
      name,
    })),
    app_hash: '',
    app_state: {
      address_prefix: input.addressPrefix,
      accounts: input.accounts.map(({ address, balance }) => ({ address, balance: String(balance) })),
      operators: input.operators,
    },
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`, 'utf8');
}
