/**
 * The balance of an account, proven in the browser: the state's proof against an app hash, the header that carries it, and the signatures
 * of the validators over that header. It needs only the open RPC.
 */
import { checkBlock } from '../../../../../client/src/receipt/block.ts';
import { rpc } from '../api.ts';
import { type Commit, type Header, type Validator, validatorsAt } from '../chain/blocks.ts';
import { checkStateProof, type ProvenStep, type StateAnswer } from './state-proof.ts';

export interface ProvenAccount {
  readonly ok: true;
  /** Undefined for an address without an account in the state: the chain has no proofs of absence. */
  readonly state: { readonly balance: string; readonly nonce: number; readonly void: string } | undefined;
  /** The block after which the chain has this state. */
  readonly height: number;
  readonly steps: readonly ProvenStep[];
  /** The next block, whose header carries the app hash. */
  readonly header: { readonly height: number; readonly hash: string; readonly appHash: string };
  readonly power: { readonly signed: bigint; readonly total: bigint; readonly validators: number };
}

export type Proving = ProvenAccount | { readonly ok: false; readonly message: string };

const SIGNED = 2;

const hexOf = (text: string): string =>
  Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

export async function proveAccount(address: string, chainId: string, signal: AbortSignal): Promise<Proving> {
  const { response } = await rpc<{ response: StateAnswer & { code: number; log: string } }>(
    'abci_query',
    { path: '"/store/accounts/key"', data: `0x${hexOf(address)}`, prove: true },
    signal,
  );
  if (response.code !== 0) return { ok: false, message: `The ledger does not answer: ${response.log}.` };
  const height = Number(response.height);
  const block = await readBlock(height + 1, signal);
  const { header } = block;
  let hash: string;
  try {
    hash = await checkBlock(block, chainId, height + 1);
  } catch (error) {
    return { ok: false, message: `The header of block ${height + 1} does not verify: ${(error as Error).message}.` };
  }
  const signed = block.validators.reduce(
    (sum, { voting_power: power }, i) =>
      sum + (block.commit.signatures[i]?.block_id_flag === SIGNED ? BigInt(power) : 0n),
    0n,
  );
  const total = block.validators.reduce((sum, { voting_power: power }) => sum + BigInt(power), 0n);
  const proven = {
    ok: true,
    height,
    header: { height: height + 1, hash, appHash: header.app_hash },
    power: { signed, total, validators: block.validators.length },
  } as const;
  if (response.value === null || response.value === '') return { ...proven, state: undefined, steps: [] };
  const proof = await checkStateProof(response, address, header.app_hash);
  if (!proof.ok) return proof;
  return { ...proven, state: JSON.parse(proof.value) as NonNullable<ProvenAccount['state']>, steps: proof.steps };
}

async function readBlock(
  height: number,
  signal: AbortSignal,
): Promise<{ header: Header; commit: Commit; validators: Validator[] }> {
  const [{ signed_header: signed }, validators] = await Promise.all([
    rpc<{ signed_header: { header: Header; commit: Commit } }>('commit', { height }, signal),
    validatorsAt(height, signal),
  ]);
  return { ...signed, validators };
}
