/** Writes a genesis file: the same input gives the same bytes, and so the same genesis hash, on every machine. */
import { fromHex } from './bytes.ts';
import { CHAIN_FORMAT } from './genesis-format.ts';
import {
  CONSENSUS_PARAMS,
  FIRST_RULES,
  type GenesisDocument,
  OPENING_MINIMUM_DEFAULT,
  PUBLIC_KEY_TYPE,
} from './genesis.ts';
import { validatorAddress } from './validators.ts';

export type GenesisInput = Pick<
  GenesisDocument,
  | 'genesisTime'
  | 'chainId'
  | 'addressPrefix'
  | 'validators'
  | 'accounts'
  | 'cancellers'
  | 'governors'
  | 'threshold'
  | 'currency'
> &
  Partial<Pick<GenesisDocument, 'openingMinimum' | 'rules'>>;

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
      format: CHAIN_FORMAT,
      address_prefix: input.addressPrefix,
      currency: { code: input.currency.code, scale: input.currency.scale },
      openingMinimum: String(input.openingMinimum ?? OPENING_MINIMUM_DEFAULT),
      cancellers: input.cancellers,
      // The contract promises this member of the RPC's genesis since version 1.0; nothing here reads it.
      operators: input.cancellers,
      governors: input.governors,
      threshold: input.threshold,
      rules: (input.rules ?? FIRST_RULES).map(({ version, height }) => ({ version, height })),
      accounts: input.accounts.map(({ address, balance }) => ({ address, balance: String(balance) })),
    },
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`, 'utf8');
}
