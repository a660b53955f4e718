/** Which states lives came to, which steps led from one to another, and how often everything happened that can. */

/** What lives have to meet together: a life that meets nothing proves nothing. */
export const EXPECTED: readonly string[] = [
  'accepted',
  'replayed',
  'replayed under another signature',
  'refused nonce_conflict',
  'refused nonce_too_low',
  'refused nonce_cancelled',
  'refused insufficient_funds',
  'refused validity_passed',
  'refused idempotency_key_reused',
  'refused store_unavailable',
  'cancel decided',
  'cancel asked for',
  'cancel refused already_settled',
  'cancel refused not_submitter',
  'told by a wait',
  'token made',
  'token revoked',
  'address bound',
  'address let go',
  'access refused',
  'webhook made',
  'webhook changed',
  'webhook deleted',
  'webhook refused',
  'events delivered',
  'place in the log',
  'place of a row lost',
  'block made in steps',
  'ended committed',
  'ended failed',
  'ended cancelled',
  'ended expired',
  'ended under another signature',
  'seen on the chain',
  'append slow',
  'append dies before',
  'append dies unsynced',
  'append dies before apply',
  'append dies before answer',
  'append broken',
  'commit dies before',
  'commit dies after',
  'commit full',
  'blocks committed together',
  'checkpoint whole',
  'checkpoint partial',
  'checkpoint full',
  'checkpoint dies before',
  'checkpoint dies after',
  'killed',
  'stopped',
  'answer lost',
  'left by a kill',
  'left by a power cut',
  'un-synced entry survived',
  'chain.db went back',
  'start died',
  'start refused by a full disk',
  'start with an older chain.db',
  'refused an older chain.db',
  'refused a foreign log',
  'ended at a foreign log',
  'clock set',
  'clock set between two readings',
  'clock held',
  'entries dropped',
  'read behind',
  'read far behind',
  'read waited',
  'list by status',
];

export class Coverage {
  readonly seen = new Map<string, number>();
  readonly states = new Map<string, number>();
  readonly edges = new Map<string, number>();

  count(what: string, by = 1): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + by);
  }

  move(from: string, step: string, to: string): void {
    this.states.set(to, (this.states.get(to) ?? 0) + 1);
    const edge = `${from} -> ${step} -> ${to}`;
    this.edges.set(edge, (this.edges.get(edge) ?? 0) + 1);
  }

  missing(): string[] {
    return EXPECTED.filter((what) => !this.seen.has(what));
  }
}
