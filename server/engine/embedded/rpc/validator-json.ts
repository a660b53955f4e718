/** The one validator in CometBFT's JSON (types/validator.go, v0.38). */
import { upperHex, validatorAddress } from '../../encoding/index.ts';
import type { GenesisDocument } from '../../../ledger/index.ts';
import { base64 } from '../../rpc/go-json.ts';

export function publicKeyJson(publicKey: Uint8Array) {
  return { type: 'tendermint/PubKeyEd25519', value: base64(publicKey) };
}

/** The validators of every height: an embedded chain never changes them. */
export function validatorsJson({ validators }: GenesisDocument) {
  return validators.map(({ publicKey, power }) => {
    const key = Buffer.from(publicKey, 'hex');
    return {
      address: upperHex(validatorAddress(key)),
      pub_key: publicKeyJson(key),
      voting_power: String(power),
      // A single validator is always next: its priority never moves.
      proposer_priority: '0',
    };
  });
}
