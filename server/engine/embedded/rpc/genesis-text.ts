/**
 * The genesis document as CometBFT writes it (types/genesis.go and libs/json, v0.38), made when it is first asked for and kept: it may
 * be large and never changes.
 */
import { CONSENSUS_PARAMS, validatorAddress, type GenesisDocument } from '../../../ledger/index.ts';
import { goJson } from '../../rpc/go-json.ts';
import { publicKeyJson } from './validator-json.ts';

/** rpc/core/env.go, genesisChunkSize. */
export const GENESIS_CHUNK_BYTES = 16 * 1024 * 1024;

type Section = Readonly<Record<string, unknown>>;

/** The parameters in the file, each in CometBFT's order, whatever order the file has. */
export function consensusParamsJson(genesis: GenesisDocument) {
  const file = JSON.parse(Buffer.from(genesis.bytes).toString('utf8')) as { consensus_params?: Readonly<Record<string, Section | undefined>> };
  const sections = Object.entries(CONSENSUS_PARAMS).map(([name, fields]) => {
    const values = Object.entries(fields).map(([field, fallback]) => [field, file.consensus_params?.[name]?.[field] ?? fallback]);
    return [name, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(sections);
}

export class GenesisText {
  readonly #genesis: GenesisDocument;
  #text: string | undefined;
  #params: ReturnType<typeof consensusParamsJson> | undefined;

  constructor(genesis: GenesisDocument) {
    this.#genesis = genesis;
  }

  consensusParams(): ReturnType<typeof consensusParamsJson> {
    return (this.#params ??= consensusParamsJson(this.#genesis));
  }

  /** JSON. */
  text(): string {
    return (this.#text ??= this.#write());
  }

  chunkCount(): number {
    return Math.ceil(Buffer.byteLength(this.text()) / GENESIS_CHUNK_BYTES);
  }

  /** One chunk of the text, in base64; chunks count from 0. */
  chunk(index: number): string {
    const bytes = Buffer.from(this.text(), 'utf8');
    return bytes.subarray(index * GENESIS_CHUNK_BYTES, (index + 1) * GENESIS_CHUNK_BYTES).toString('base64');
  }

  #write(): string {
    const { genesisTime, chainId, validators, bytes } = this.#genesis;
    const { app_state: appState } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { app_state: unknown };
    return goJson({
      genesis_time: genesisTime,
      chain_id: chainId,
      initial_height: '1',
      consensus_params: this.consensusParams(),
      validators: validators.map(({ publicKey, power, name }) => {
        const key = Buffer.from(publicKey, 'hex');
        return { address: validatorAddress(key), pub_key: publicKeyJson(key), power: String(power), name };
      }),
      app_hash: '',
      app_state: appState,
    });
  }
}
