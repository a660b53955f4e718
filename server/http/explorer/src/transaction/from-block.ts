/** A transaction in the form of the chain's RPC, which returns it to anyone, with its Merkle proof. */
import { h } from '../dom.ts';
import { rpc } from '../api.ts';
import type { Header } from '../chain/blocks.ts';
import { transactionInBlock } from '../chain/in-block.ts';
import { followPath } from '../chain/merkle-path.ts';
import { sha256 } from '../../../../../client/src/crypto/sha256.ts';
import { check, checkList } from '../parts/checks.ts';
import { merkleTree } from '../parts/merkle-tree.ts';
import { timeOf } from '../parts/time.ts';
import { accountLink, amountText, blockLink, transactionLink } from '../parts/value.ts';
import { bytesCardOf } from './bytes-card.ts';

export async function fromBlock(
  hash: string,
  signal: AbortSignal,
): Promise<{ heading: string; status: string; cards: HTMLElement[] } | undefined> {
  const found = await transactionInBlock(hash, signal);
  if (found === undefined) return undefined;
  const { transaction, height, code, proof } = found;
  const { kind, fields } = transaction;
  const { signed_header: signed } = await rpc<{ signed_header: { header: Header } }>('commit', { height }, signal);
  const text = (name: string): string | undefined => (fields[name] === undefined ? undefined : String(fields[name]));
  const path = await followPath(await sha256(transaction.raw), proof);
  const [amount, from, to, meant] = [text('amount'), text('from'), text('to'), text('txHash')];
  const facts = h(
    'dl',
    { class: 'facts' },
    ...fact('Hash', h('span', { class: 'mono' }, hash)),
    ...fact('From', from && accountLink(from)),
    ...fact('To', to && accountLink(to)),
    ...fact('Amount', amount && amountText(amount)),
    ...fact('Nonce', text('nonce')),
    ...fact('Reference', text('reference')),
    ...fact('Cancels', kind === 'cancel' && meant ? transactionLink(meant) : undefined),
    ...fact('Block', blockLink(height)),
    ...fact('Time of the block', timeOf(signed.header.time)),
  );
  const holds = path !== undefined && path.root === signed.header.data_hash;
  return {
    heading:
      kind === 'transfer' && amount !== undefined
        ? `Transfer of ${amountText(amount)}`
        : kind === 'cancel'
          ? 'Cancel'
          : 'Governance',
    status: kind === 'transfer' ? (code === 0 ? 'committed' : 'failed') : code === 0 ? 'executed' : 'no effect',
    cards: [
      h(
        'div',
        { class: 'columns' },
        h(
          'section',
          { class: 'card', 'aria-labelledby': 'facts-title' },
          h('header', {}, h('h2', { id: 'facts-title' }, 'Transaction')),
          facts,
        ),
        h(
          'section',
          { class: 'card', 'aria-labelledby': 'proof-title' },
          h('header', {}, h('h2', { id: 'proof-title' }, 'Proof')),
          checkList(check(holds ? 'good' : 'bad', 'Its path leads to the data hash in the header')),
          path && merkleTree(path, signed.header.data_hash, height),
        ),
      ),
      await bytesCardOf(transaction, signed.header.chain_id),
    ],
  };
}

function fact(name: string, value: HTMLElement | string | undefined): HTMLElement[] {
  return value === undefined || value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)];
}
