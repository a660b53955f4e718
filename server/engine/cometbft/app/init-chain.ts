/**
 * Reads InitChain by the rules of a genesis file.
 *
 * The node sends the parts of its genesis. They are put together again and given to the one genesis parser, so a genesis that the embedded
 * engine refuses is refused here with the same message.
 */
import type { RequestInitChain } from 'cosmjs-types/tendermint/abci/types';
import type { PublicKey } from 'cosmjs-types/tendermint/crypto/keys';
import type { ConsensusParams } from 'cosmjs-types/tendermint/types/params';
import { type GenesisDocument, parseGenesis, PUBLIC_KEY_TYPE } from '../../../ledger/index.ts';
import { formatTime, joinNs } from '../../encoding/index.ts';
import { AbciRefusal } from './refusal.ts';

/** Consensus parameters in the JSON that CometBFT writes in a genesis file, as far as the rules read them. */
function paramsJson(params: ConsensusParams | undefined): object {
  return {
    block: { max_bytes: String(params?.block?.maxBytes), max_gas: String(params?.block?.maxGas) },
    validator: { pub_key_types: params?.validator?.pubKeyTypes ?? [] },
    // A sub-message that holds only zeros may be left out.
    version: { app: String(params?.version?.app ?? 0n) },
    abci: { vote_extensions_enable_height: String(params?.abci?.voteExtensionsEnableHeight ?? 0n) },
  };
}

/** Seconds of 0001-01-01 and 9999-12-31: the times that RFC 3339, and so a genesis file, can name. */
const SECONDS_MIN = -62_135_596_800n;
const SECONDS_MAX = 253_402_300_799n;
const NANOS_MAX = 999_999_999;

function timeOf(time: RequestInitChain['time'] | undefined): string {
  if (time === undefined) throw new AbciRefusal('the genesis is refused: InitChain names no genesis time');
  const { seconds, nanos } = time;
  const isTime = seconds >= SECONDS_MIN && seconds <= SECONDS_MAX && nanos >= 0 && nanos <= NANOS_MAX;
  if (!isTime)
    throw new AbciRefusal(
      `the genesis is refused: its time, ${seconds} s and ${nanos} ns since 1970, is outside the years 1 to 9999`,
    );
  return formatTime(joinNs(seconds, nanos));
}

/** @throws AbciRefusal that names everything that is wrong. */
export function genesisOf(request: RequestInitChain): GenesisDocument {
  const head = {
    genesis_time: timeOf(request.time),
    chain_id: request.chainId,
    initial_height: String(request.initialHeight),
    consensus_params: paramsJson(request.consensusParams),
    validators: request.validators.map(({ pubKey, power }) => ({
      pub_key: {
        type: PUBLIC_KEY_TYPE,
        value: Buffer.from((pubKey as Partial<PublicKey> | undefined)?.ed25519 ?? []).toString('base64'),
      },
      power: String(power),
    })),
  };
  // The application's state is a JSON value of its own; it goes in as it came, so that a large one is read once.
  const document = Buffer.concat([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"app_state":`),
    request.appStateBytes,
    Buffer.from('}'),
  ]);
  const parsed = parseGenesis(document);
  if (!parsed.ok) throw new AbciRefusal(`the genesis is refused: ${parsed.errors.join('; ')}`);
  return parsed.genesis;
}
