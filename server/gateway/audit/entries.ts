/** Entries that a gateway writes to the audit trail. */
import type { Governance } from '../../ledger/index.ts';
import type { AuditEntry } from '../../store/index.ts';

/** Name of a gateway in the audit trail. An id is of one process: a restart is another gateway. */
export const actorOfGateway = (gatewayId: string): string => `gateway:${gatewayId}`;

interface Occurrence {
  tx: Governance;
  hash: string;
  actor: string;
  /** Wall clock. */
  atMs: number;
}

/** `more` holds the facts beside the transaction: its submitter, or the block that holds it. */
export function governanceEntry(
  action: 'governance.submit' | 'governance.commit',
  { tx, hash, actor, atMs }: Occurrence,
  more: Record<string, unknown>,
): AuditEntry {
  const { action: kind, power, sequence, signatures, subject } = tx;
  const signers = signatures.map(({ signer }) => signer);
  return { atMs, actor, action, subject, details: { kind, power, sequence, signers, hash, ...more } };
}
