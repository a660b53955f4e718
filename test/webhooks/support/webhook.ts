/** An endpoint as it is stored. */
import type { StoredWebhook } from '../../../server/store/webhooks/index.ts';

let made = 0;

export function webhook(parts: Partial<StoredWebhook> = {}): StoredWebhook {
  made += 1;
  return {
    id: `wh_${String(made).padStart(26, '0')}`,
    owner: 'acme',
    url: 'https://hooks.example/txledger',
    filters: {},
    status: 'enabled',
    secrets: { current: 'whsec_AAAA', previous: [] },
    place: { height: 7, index: 2 },
    createdAtMs: made,
    updatedAtMs: made,
    version: 1,
    ...parts,
  };
}
