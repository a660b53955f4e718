/**
 * The genesis document as CometBFT writes it (types/genesis.go and libs/json, v0.38), made at the first request and kept: it may be large
 * and never changes.
 */
import { CONSENSUS_PARAMS, validatorAddress, type GenesisDocument } from '../../../ledger/index.ts';
import { goJson } from '../../rpc/go-json.ts';
import { publicKeyJson } from './validator-json.ts';

/** CometBFT's is 16 MiB (rpc/core/env.go, genesisChunkSize), which in base64 is an answer of 22. Clients read as many as `total` says. */
export const GENESIS_CHUNK_BYTES = 512 * 1024;
/** A longer genesis is answered in chunks only. */
const GENESIS_WHOLE_BYTES_MAX = 1024 * 1024;

type Section = Readonly<Record<string, unknown>>;

/** The parameters of the file, in CometBFT's order instead of that of the file. */
export function consensusParamsJson(genesis: GenesisDocument) {
  const file = JSON.parse(Buffer.from(genesis.bytes).toString('utf8')) as {
    consensus_params?: Readonly<Record<string, Section | undefined>>;
  };
  const sections = Object.entries(CONSENSUS_PARAMS).map(([name, fields]) => {
    const values = Object.entries(fields).map(([field, fallback]) => [
      field,
      file.consensus_params?.[name]?.[field] ?? fallback,
    ]);
    return [name, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(sections);
}

export class GenesisText {
  readonly #genesis: GenesisDocument;
  #text: string | undefined;
  #bytes: Buffer | undefined;
  #params: ReturnType<typeof consensusParamsJson> | undefined;

  constructor(genesis: GenesisDocument) {
    this.#genesis = genesis;
  }

  consensusParams(): ReturnType<typeof consensusParamsJson> {
    return (this.#params ??= consensusParamsJson(this.#genesis));
  }

  /** The document as JSON. */
  text(): string {
    return (this.#text ??= this.#write());
  }

  /** True when it may be answered whole. */
  get isShort(): boolean {
    return this.#buffer().length <= GENESIS_WHOLE_BYTES_MAX;
  }

  chunkCount(): number {
    return Math.ceil(this.#buffer().length / GENESIS_CHUNK_BYTES);
  }

  /** One chunk of the text, in base64; chunks count from 0. */
  chunk(index: number): string {
    return this.#buffer()
      .subarray(index * GENESIS_CHUNK_BYTES, (index + 1) * GENESIS_CHUNK_BYTES)
      .toString('base64');
  }

  #buffer(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text(), 'utf8'));
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
