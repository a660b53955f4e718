/** The audit trail, and which tokens submitted and cancelled a transfer. */
import { sql } from 'kysely';
import type { AuditAction } from '../../gateway/types.ts';
import { auditEntryOfRow } from '../admin-rows.ts';
import { bytesOfHash, hexOfHash } from '../hash-bytes.ts';
import type { AuditEntry, AuditQuery, StoredAuditEntry, StoredSubmission } from '../types.ts';
import { settledSeqOf } from './settled-by-hash.ts';
import type { QueryContext } from './context.ts';

/** Ids run without a gap in the order of the commits: the writer has the write lock, so no other takes the next one. */
export async function appendAudit({ db, fragments }: QueryContext, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { rows: found } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from audit`.execute(db);
  const last = found[0]?.last ?? 0;
  const columns = {
    id: 'integer',
    at_ms: 'integer',
    actor: 'text',
    action: 'text',
    subject: 'text',
    details: 'text',
  } as const;
  const rows = fragments.rowset(
    columns,
    entries.map(({ atMs, actor, action, subject, details }, index) => [
      last + 1 + index,
      atMs,
      actor,
      action,
      subject,
      JSON.stringify(details),
    ]),
  );
  await sql`insert into audit (id, at_ms, actor, action, subject, details) select * from ${rows} r`.execute(db);
}

export async function auditEntries(
  { db }: QueryContext,
  { after, before, limit, actions, sinceMs }: AuditQuery,
): Promise<StoredAuditEntry[]> {
  let query = db
    .selectFrom('audit')
    .selectAll()
    .limit(limit)
    .orderBy('id', after === undefined ? 'desc' : 'asc');
  if (after !== undefined) query = query.where('id', '>', after);
  if (before !== undefined) query = query.where('id', '<', before);
  if (actions !== undefined) query = query.where('action', 'in', [...actions]);
  if (sinceMs !== undefined) query = query.where('at_ms', '>=', sinceMs);
  const rows = await query.execute();
  return rows.map(auditEntryOfRow);
}

const PROCESS_ACTIONS: readonly AuditAction[] = ['server.start', 'server.refuse', 'server.stop'];

export async function lastProcessAudit({ db }: QueryContext): Promise<number> {
  const rows = await db
    .selectFrom('audit')
    .select('id')
    .where('action', 'in', [...PROCESS_ACTIONS])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return rows[0]?.id ?? 0;
}

interface SubmissionRow {
  hash: Uint8Array;
  owner: string | null;
  token_id: string | null;
  first_seen_at_ms: number;
  cancel_token_id: string | null;
  cancel_requested_at_ms: number | null;
}

export async function submission({ db, fragments }: QueryContext, hash: string): Promise<StoredSubmission | undefined> {
  const bytes = bytesOfHash(hash);
  const columns = sql`t.hash, o.name as owner, t.token_id, t.first_seen_at_ms, t.cancel_token_id, t.cancel_requested_at_ms`;
  const { rows } =
    await sql<SubmissionRow>`select ${columns} from transfers t left join owners o on o.id = t.owner_id where t.seq = ${settledSeqOf(fragments, sql`${bytes}`)} or t.executed_as = ${bytes}
    union all select ${columns} from pending t left join owners o on o.id = t.owner_id where t.hash = ${bytes}`.execute(
      db,
    );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    hash: hexOfHash(row.hash),
    owner: row.owner ?? undefined,
    tokenId: row.token_id ?? undefined,
    firstSeenAtMs: row.first_seen_at_ms,
    cancelTokenId: row.cancel_token_id ?? undefined,
    cancelRequestedAtMs: row.cancel_requested_at_ms ?? undefined,
  };
}
