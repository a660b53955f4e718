/** What is written beside the chain: entries of the audit trail, and the log of a webhook. */
import { openChainDatabase, writing } from '../../../server/store/embedded/connection.ts';
import { accessWriter } from '../../../server/store/embedded/admin.ts';
import { webhookWriter } from '../../../server/store/embedded/webhooks.ts';
import { bytesOf } from './ledger-folder.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const MS_PER_S = 1000;

/** Bytes of an entry in chain.db; a token that was made is one of the longer ones. */
export function auditBytes(chainFile: string, entries: number): number {
  const before = bytesOf(chainFile);
  const sql = openChainDatabase({ path: chainFile });
  const write = accessWriter(sql);
  for (let i = 0; i < entries; i += 1) {
    const details = {
      owner: 'partner-17',
      scopes: ['transactions:read', 'transactions:write'],
      expiresAt: '2027-11-22T12:00:00Z',
    };
    const entry = {
      atMs: NOW_MS + i * MS_PER_S,
      actor: 'user:operator@ledger-1',
      action: 'token.create',
      subject: `t${i.toString(16).padStart(15, '0')}`,
      details,
    } as const;
    writing(sql, () => write([['appendAudit', [entry]]]));
  }
  sql.close();
  return (bytesOf(chainFile) - before) / entries;
}

/** Bytes of an attempt in chain.db. */
export function deliveryBytes(file: string, deliveries: number): number {
  const id = `wh_${'0'.repeat(26)}`;
  const sql = openChainDatabase({ path: file });
  const write = webhookWriter(sql);
  const secrets = { current: `whsec_${Buffer.alloc(32).toString('base64')}`, previous: [] };
  const webhook = {
    id,
    owner: 'partner-17',
    url: 'https://partner.example/hooks',
    filters: {},
    status: 'enabled' as const,
    secrets,
    place: { height: 0, index: 0 },
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS,
    version: 1,
  };
  writing(sql, () => write.insertWebhook(webhook));
  const before = bytesOf(file);
  const answer = '{"ok":true}';
  writing(sql, () =>
    write.appendDeliveries(
      Array.from({ length: deliveries }, (_, i) => ({
        webhookId: id,
        eventId: `evt_${1_000_000 + i}-0`,
        type: 'transaction.committed',
        kind: 'event' as const,
        atMs: NOW_MS + i * MS_PER_S,
        attempt: 1,
        outcome: 'delivered' as const,
        statusCode: 200,
        durationMs: 87,
        answer,
      })),
    ),
  );
  sql.close();
  return (bytesOf(file) - before) / deliveries;
}
