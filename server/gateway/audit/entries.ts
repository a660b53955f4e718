/** Entries of the audit trail that a gateway writes. */
import type { Governance } from '../../ledger/index.ts';
import type { AuditEntry } from '../../store/index.ts';

/** How the audit trail names a gateway. An id is of one process: a restart is another gateway. */
export const actorOfGateway = (gatewayId: string): string => `gateway:${gatewayId}`;

interface Occurrence {
  tx: Governance;
  hash: string;
  actor: string;
  /** Wall clock. */
  atMs: number;
}

/** `more` is what is known beside the transaction: who handed it in, or the block that holds it. */
export function governanceEntry(
  action: 'governance.submit' | 'governance.commit',
  { tx, hash, actor, atMs }: Occurrence,
  more: Record<string, unknown>,
): AuditEntry {
  const { action: kind, power, sequence, signatures, subject } = tx;
  const signers = signatures.map(({ signer }) => signer);
  return { atMs, actor, action, subject, details: { kind, power, sequence, signers, hash, ...more } };
}
