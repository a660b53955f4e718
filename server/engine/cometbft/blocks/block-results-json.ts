/** The fields of a `block_results` result (rpc/core/types/responses.go, v0.38) that are read: a node's own, or rebuilt from codes. */
import type { LedgerEvent } from '../../../ledger/index.ts';
import { resultsOf } from '../../results.ts';
import { base64 } from '../../rpc/go-json.ts';
import { resultJson } from '../../rpc/result-json.ts';
import type { BlockCodes } from '../block-codes.ts';

/** CometBFT's ExecTxResult in JSON. */
export interface TxResultJson {
  code: number;
  data: string | null;
  log: string;
  info: string;
  gas_wanted: string;
  gas_used: string;
  events: LedgerEvent[];
  codespace: string;
}

export interface BlockResultsJson {
  height: string;
  txs_results: TxResultJson[] | null;
  finalize_block_events: LedgerEvent[] | null;
  validator_updates: { pub_key: { Sum: { value: { ed25519: string } } }; power?: string }[] | null;
  consensus_param_updates: unknown;
  app_hash: string | null;
}

/** Rebuilds `block_results` from codes. Throws when the codes say that bytes were executed that are not a transaction. */
export function blockResultsOf(
  { height, appHash, failures }: BlockCodes,
  raws: readonly Uint8Array[],
): BlockResultsJson {
  return {
    height: String(height),
    txs_results: raws.length === 0 ? null : resultsOf(raws, failures).map(resultJson),
    finalize_block_events: null,
    validator_updates: null,
    consensus_param_updates: null,
    app_hash: base64(Buffer.from(appHash, 'hex')),
  };
}
