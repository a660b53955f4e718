/**
 * Effects of a block on transfers: worked out in memory and written with the block's own entry, so that no crash leaves one without the
 * other (protocol.md, rules 26 and 29).
 */
import type { ExecutedTransactions } from '../../engine/port.ts';
import type { LedgerLog } from '../../store/embedded/ledger-log.ts';
import type { EventRow } from '../../store/event-types.ts';
import type { AuditEntry, StoredTransfer } from '../../store/index.ts';
import { governanceEntry } from '../audit/entries.ts';
import type { BlockTransaction, SeenTransfer } from '../follow/block-effects.ts';
import { lastPast } from '../../ledger/index.ts';
import { wasExecuted } from '../../store/codes.ts';
import { effectsOfBlock } from '../follow/block-effects.ts';
import { EXPIRED_PER_BLOCK_MAX } from '../limits.ts';
import type { LiveTransfer, LiveTransfers } from './live-transfers.ts';

export interface SettlementParts {
  live: LiveTransfers;
  log: Pick<LedgerLog, 'settle'>;
  /** Name of this gateway in the audit trail. */
  actor: string;
  pendingTtlMs: number;
  uptimeMs(): number;
  /** The next number in the order in which this service sees transfers. */
  takeSeq(): number;
}

export interface SettledBlock {
  settled: LiveTransfer[];
  /** Their validity or their time to live is over: their cancels are to be broadcast. */
  expiring: LiveTransfer[];
  /** Transfers that were not submitted here. */
  seen: StoredTransfer[];
}

/** Called before the entry of the block is appended. When it throws, memory is ahead of the log and the process has to end. */
export function settleBlock(parts: SettlementParts, block: ExecutedTransactions): SettledBlock {
  const { live, log } = parts;
  const { readMs: nowMs } = block;
  const uptimeMs = parts.uptimeMs();
  const transactions: BlockTransaction[] = block.transactions.map(({ tx, hash }, index) => ({
    tx,
    hash,
    code: block.codes[index] ?? Number.NaN,
  }));
  const effects = effectsOfBlock(block, transactions, (from, nonce) => {
    const held = live.at(from, nonce);
    return held === undefined ? [] : [held];
  });
  const positions = new Map(block.transactions.map(({ hash }, index) => [hash, index]));
  const events: EventRow[] = effects.voided.map(({ index, ...voided }) => ({ index, voided }));
  const settled = effects.settled.map(({ transfer, settlement, index }) => {
    const found = live.get(transfer.seq) as LiveTransfer;
    live.settle(found, settlement);
    events.push({ index, seq: transfer.seq });
    return found;
  });
  const seen = effects.seen.map((transfer) => {
    const seq = parts.takeSeq();
    events.push({ index: transfer.index, seq });
    return storedOf(transfer, block, { seq, nowMs, uptimeMs });
  });
  const late = requestValidityExpiry(live, lastPast(block.timeNs), nowMs);
  const ttl = { uptimeMsMax: uptimeMs - parts.pendingTtlMs, blockMsMax: block.timeMs - parts.pendingTtlMs };
  const expiring = [...late, ...requestExpiry(live, ttl, EXPIRED_PER_BLOCK_MAX - late.length, nowMs)];

  log.settle({
    changed: live.takeChanged().map(({ entry: { transfer }, cancelOwner, cancelTokenId }) => ({
      transfer,
      position: positionOf(transfer, positions),
      cancelOwner,
      cancelTokenId,
    })),
    seen: seen.map((transfer) => ({ transfer, position: positions.get(transfer.hash) })),
    events: { height: block.height, blockTimeMs: block.timeMs, rows: events },
    uptimeMs,
    audit: governanceOf(transactions, parts.actor, nowMs, block.height),
  });
  return { settled, expiring, seen };
}

/** Only where a block executed it: a transfer that a cancel or another payment settled is in no block. */
function positionOf(transfer: StoredTransfer, positions: ReadonlyMap<string, number>): number | undefined {
  return wasExecuted(transfer) ? positions.get(transfer.executedAs ?? transfer.hash) : undefined;
}

/**
 * Pending transfers that no later block executes, because this one is later than their validUntil (protocol.md, rule 22); the earliest
 * first.
 */
function requestValidityExpiry(live: LiveTransfers, validUntilMax: number, nowMs: number): LiveTransfer[] {
  const late: LiveTransfer[] = [];
  while (late.length < EXPIRED_PER_BLOCK_MAX) {
    const found = live.takePast(validUntilMax);
    if (found === undefined) break;
    if (found.entry.cancelRequested || found.entry.transfer.cancelRequestedAtMs !== undefined) continue;
    found.entry.transfer.reason = 'validity_passed';
    giveUp(live, found, nowMs);
    late.push(found);
  }
  return late;
}

/** The oldest pending transfers first seen at or before both moments. */
function requestExpiry(
  live: LiveTransfers,
  seen: { uptimeMsMax: number; blockMsMax: number },
  max: number,
  nowMs: number,
): LiveTransfer[] {
  const aged: LiveTransfer[] = [];
  for (const found of live.oldestFirst()) {
    const { transfer, cancelRequested } = found.entry;
    if (transfer.seenUptimeMs > seen.uptimeMsMax || aged.length >= max) break;
    if (cancelRequested || transfer.expiryRequestedAtMs !== undefined || transfer.seenBlockMs > seen.blockMsMax)
      continue;
    giveUp(live, found, nowMs);
    aged.push(found);
  }
  return aged;
}

function giveUp(live: LiveTransfers, found: LiveTransfer, nowMs: number): void {
  found.entry.transfer.expiryRequestedAtMs = nowMs;
  live.changed(found);
}

/** A transfer that was not submitted here, as a block contains it. */
function storedOf(
  { tx, hash, status, reason }: SeenTransfer,
  block: ExecutedTransactions,
  moment: { seq: number; nowMs: number; uptimeMs: number },
): StoredTransfer {
  const { from, to, amount, nonce, reference, validUntil, signature } = tx;
  return {
    seq: moment.seq,
    hash,
    fromId: 0,
    toId: 0,
    from,
    to,
    amount,
    nonce,
    reference,
    validUntil,
    signature,
    owner: undefined,
    status,
    reason,
    reasonHash: undefined,
    executedAs: undefined,
    firstSeenAtMs: moment.nowMs,
    seenBlockMs: block.timeMs,
    seenUptimeMs: moment.uptimeMs,
    broadcastAtMs: undefined,
    cancelRequestedAtMs: undefined,
    expiryRequestedAtMs: undefined,
    height: block.height,
    blockTimeMs: block.timeMs,
  };
}

/** With its code: a transaction that the rules refused is in the block without an effect. */
function governanceOf(
  transactions: readonly BlockTransaction[],
  actor: string,
  nowMs: number,
  height: number,
): AuditEntry[] {
  return transactions.flatMap(({ tx, hash, code }) =>
    tx?.kind === 'governance'
      ? [governanceEntry('governance.commit', { tx, hash, actor, atMs: nowMs }, { height, code })]
      : [],
  );
}
