/** Accepted, broadcast, in a block: the history of a transfer as a picture. */
import { type Child, h } from '../dom.ts';
import type { TransactionDetail } from '../api.ts';
import { type Moment, timeline } from '../parts/timeline.ts';
import { blockLink, transactionLink } from '../parts/value.ts';

const NAMES: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  seen_on_chain: 'Seen on the chain',
  broadcast: 'Broadcast',
  cancel_requested: 'Cancel requested',
  expiry_requested: 'Given up',
  committed: 'Committed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
};
const TONES: Readonly<Record<string, Moment['tone']>> = {
  committed: 'good',
  failed: 'bad',
  cancelled: 'off',
  expired: 'off',
};
const ABOUT: Readonly<Record<string, string>> = {
  accepted: 'signature, nonce and money checked, and on disk',
  broadcast: 'handed to the chain',
};
const WHY: Readonly<Record<string, string>> = {
  validity_passed: 'a block is past its end, so none can execute it',
  time_to_live: 'it was pending for too long',
};

export function lifeCard({ status, history, ...detail }: TransactionDetail): HTMLElement {
  const moments = history.map(({ event, at, blockTime, height, txHash, reason }): Moment => {
    const about: Child[] = [];
    if (height !== undefined) about.push('in block ', blockLink(height));
    if (txHash !== undefined) about.push(height === undefined ? 'by ' : ', by ', transactionLink(txHash));
    if (reason !== undefined && WHY[reason] !== undefined) about.push(WHY[reason]);
    if (about.length === 0 && ABOUT[event] !== undefined) about.push(ABOUT[event]);
    return {
      name: NAMES[event] ?? event.replaceAll('_', ' '),
      tone: TONES[event] ?? 'done',
      at,
      blockTime,
      about: about.length === 0 ? undefined : h('span', {}, ...about),
    };
  });
  if (status === 'pending') {
    const reason = 'reason' in detail ? detail.reason : undefined;
    if (!history.some(({ event }) => event === 'broadcast') && reason?.code !== 'cancel_requested')
      moments.push({ name: 'Broadcast', tone: 'waiting', at: undefined, about: reason?.detail });
    moments.push({ name: 'In a block', tone: 'waiting', at: undefined });
  }
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'life-title' },
    h('header', {}, h('h2', { id: 'life-title' }, 'What happened')),
    timeline(moments),
  );
}
