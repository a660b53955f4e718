/**
 * Outbox of audit entries. An entry is written in the transaction of its change, in the database of webhooks; the trail may be in another
 * one. So each entry is copied to the trail once the change is made; after a crash, or when two threads copy it at one moment, perhaps
 * twice, and always at least once.
 */
import type { AuditEntry } from '../../store/types.ts';
import type { WebhookStore } from '../../store/webhooks/types.ts';
import { AUDIT_BATCH_MAX } from './limits.ts';

/** @param append resolves when the entries are durable in the trail. */
export async function bringAudit(
  store: WebhookStore,
  append: (entries: readonly AuditEntry[]) => Promise<void>,
): Promise<void> {
  for (;;) {
    const waiting = await store.now.waitingAudit(AUDIT_BATCH_MAX);
    if (waiting.length === 0) return;
    await append(
      waiting.map(({ atMs, actor, action, subject, details }) => ({ atMs, actor, action, subject, details })),
    );
    const ids = waiting.map(({ id }) => id);
    await store.write((tx) => tx.endAudit(ids));
  }
}
