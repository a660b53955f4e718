/** One block with all its properties that this browser can check itself. */
import { sha256 } from '../../../../../client/src/crypto/sha256.ts';
import { headerHash, setHash, upperHex } from '../../../../../client/src/receipt/block.ts';
import { treeRoot } from '../../../../../client/src/receipt/tree.ts';
import { rpc } from '../api.ts';
import { type ChainTransaction, codesAt, type Commit, type Header, transactionsAt, validatorsAt } from './blocks.ts';
import { type CheckedSignature, checkSignatures, powerOf } from './signatures.ts';

export interface CheckedBlock {
  readonly header: Header;
  readonly commit: Commit;
  readonly transactions: readonly ChainTransaction[];
  /** 0 is executed. */
  readonly codes: readonly number[];
  readonly signatures: readonly CheckedSignature[];
  readonly signedPower: bigint;
  readonly totalPower: bigint;
  /** Each is true if the result computed here equals the block's own value. */
  readonly holds: {
    readonly header: boolean;
    readonly transactions: boolean;
    readonly validators: boolean;
    readonly power: boolean;
  };
}

export async function checkedBlock(height: number, signal: AbortSignal): Promise<CheckedBlock> {
  const [{ signed_header: signed }, transactions, codes, validators] = await Promise.all([
    rpc<{ signed_header: { header: Header; commit: Commit } }>('commit', { height }, signal),
    transactionsAt(height, signal),
    codesAt(height, signal),
    validatorsAt(height, signal),
  ]);
  const { header, commit } = signed;
  const hash = await headerHash(header);
  const signatures = await checkSignatures(header.chain_id, commit, validators);
  const { signed: signedPower, total: totalPower } = powerOf(signatures);
  return {
    header,
    commit,
    transactions,
    codes,
    signatures,
    signedPower,
    totalPower,
    holds: {
      header: hash === commit.block_id.hash && header.height === String(height),
      transactions:
        upperHex(await treeRoot(await Promise.all(transactions.map(({ raw }) => sha256(raw))))) === header.data_hash,
      validators:
        (await setHash(
          validators.map(({ pub_key: key, voting_power: power }) => ({ publicKey: key.value, power })),
        )) === header.validators_hash,
      power: 3n * signedPower > 2n * totalPower,
    },
  };
}
