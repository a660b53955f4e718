/** How far the webhooks of a webhooks.db have come, without opening it for writing. */
import { existsSync } from 'node:fs';
import { openReadOnly } from '../sqlite/library.ts';

/** Undefined where there is none, or it cannot be read: opening it says so. */
export function heightOfWebhookFile(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const sql = openReadOnly(path);
    try {
      return (sql.prepare('SELECT max(place_height) FROM webhooks').pluck().get() as number | null) ?? undefined;
    } finally {
      sql.close();
    }
  } catch {
    return undefined;
  }
}
