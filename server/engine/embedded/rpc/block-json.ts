/** Blocks in CometBFT's JSON (types/block.go, v0.38). */
import type { Block, Header } from '../../encoding/index.ts';
import type { StoredBlock } from '../stores.ts';
import { base64 } from '../../rpc/go-json.ts';
import { blockIdJson, commitJson, headerJson } from '../../rpc/signed-header-json.ts';

/** The value in place of a block id where there is no block. */
export const NO_BLOCK_ID_JSON = { hash: '', parts: { total: 0, hash: '' } };

export function blockJson({ header, transactions, lastCommit }: Block) {
  return {
    header: headerJson(header),
    data: { txs: transactions.map(base64) },
    evidence: { evidence: [] },
    last_commit: commitJson(lastCommit),
  };
}

/** BlockMeta, as `blockchain` lists it. */
export function blockMetaJson(stored: StoredBlock, header: Header) {
  return {
    block_id: blockIdJson(stored.id),
    block_size: String(stored.bytes.length),
    header: headerJson(header),
    num_txs: String(stored.transactionCount),
  };
}
