/** Blocks in the form of the chain's RPC. */
import { sha256UpperHex } from '../../../../../client/src/crypto/sha256.ts';
import { type Receipt, rpc } from '../api.ts';

export type Header = Receipt['block']['header'];
export type Commit = Receipt['block']['commit'];
export type Validator = Receipt['block']['validators'][number];

export interface BlockMeta {
  readonly height: number;
  readonly time: string;
  readonly transactions: number;
}

export interface ChainTransaction {
  readonly hash: string;
  readonly raw: Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly kind: 'transfer' | 'cancel' | 'governance';
}

/** Most blocks that /rpc/blockchain returns in one answer. */
const METAS_PER_ANSWER = 20;
/** Most validators that /rpc/validators returns in one answer. */
const VALIDATORS_PER_PAGE = 100;

/** The newest first. */
export async function blockMetas(last: number, count: number, signal: AbortSignal): Promise<BlockMeta[]> {
  const answers: Promise<{ block_metas: readonly { header: Header; num_txs: string }[] }>[] = [];
  for (let max = last; max > Math.max(0, last - count); max -= METAS_PER_ANSWER) {
    answers.push(
      rpc(
        'blockchain',
        { minHeight: Math.max(1, max - METAS_PER_ANSWER + 1, last - count + 1), maxHeight: max },
        signal,
      ),
    );
  }
  const metas = (await Promise.all(answers)).flatMap(({ block_metas: found }) => found);
  return metas.map(({ header, num_txs: transactions }) => ({
    height: Number(header.height),
    time: header.time,
    transactions: Number(transactions),
  }));
}

/** Returns the validators of a height; without one, those of the newest block. */
export async function validatorsAt(height: number | undefined, signal: AbortSignal): Promise<Validator[]> {
  const validators: Validator[] = [];
  for (let page = 1; ; page++) {
    const answer = await rpc<{ validators: readonly Validator[]; total: string }>(
      'validators',
      { height, page, per_page: VALIDATORS_PER_PAGE },
      signal,
    );
    validators.push(...answer.validators);
    if (validators.length >= Number(answer.total) || answer.validators.length === 0) return validators;
  }
}

export async function transactionsAt(height: number, signal: AbortSignal): Promise<ChainTransaction[]> {
  const { block } = await rpc<{ block: { data: { txs: readonly string[] | null } } }>('block', { height }, signal);
  return await Promise.all((block.data.txs ?? []).map(decode));
}

/** The code of each transaction of a block: 0 is executed. */
export async function codesAt(height: number, signal: AbortSignal): Promise<number[]> {
  const { txs_results: results } = await rpc<{ txs_results: readonly { code: number }[] | null }>(
    'block_results',
    { height },
    signal,
  );
  return (results ?? []).map(({ code }) => code);
}

export async function decode(base64: string): Promise<ChainTransaction> {
  const raw = bytesOf(base64);
  const text = new TextDecoder().decode(raw);
  let fields: Record<string, unknown> = {};
  try {
    fields = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not a transaction of this ledger: its bytes are shown unchanged.
  }
  const kind = 'to' in fields ? 'transfer' : 'signer' in fields ? 'cancel' : 'governance';
  return { hash: await sha256UpperHex(raw), raw, text, fields, kind };
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
