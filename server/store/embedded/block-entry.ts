/**
 * The entry of a block in the log: its header, its order and its commit, and the decisions made with it, so that chain.db can be written
 * from the log alone.
 *
 * It names a transfer of this service by its seq only: the entry of its group has the rest. So the entry of a thousand transfers is some
 * fifty kilobytes where the block has three hundred.
 */
import {
  type AccountRow,
  encodeTransaction,
  type GovernanceState,
  paymentMembers,
  type VerifiedTransaction,
} from '../../ledger/index.ts';
import { reasonCode, reasonOfCode, statusCode, statusOfCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import type { EventRow } from '../event-types.ts';
import type { AuditEntry, StoredTransfer } from '../types.ts';
import type { BlockRows, SignedTransfer, TransferChange, TransferRow } from './block-rows.ts';

/** A block as the engine made it; server/engine/embedded/stores.ts has the same type. */
export interface MadeBlock {
  block: {
    height: number;
    id: { hash: Uint8Array; parts: { total: number; hash: Uint8Array } };
    /** tendermint.types.Block in protobuf. */
    bytes: Uint8Array;
    timeNs: bigint;
    transactionCount: number;
  };
  commit: Uint8Array;
  signed: {
    height: number;
    round: number;
    step: number;
    signature: Uint8Array | undefined;
    signBytes: Uint8Array | undefined;
  };
  appHash: Uint8Array;
  resultsHash: Uint8Array;
  failures: readonly (readonly [index: number, code: number, log: string])[];
  transactions: readonly VerifiedTransaction[];
  accounts: readonly AccountRow[];
  governance: GovernanceState | undefined;
}

/** A transaction of a block: the seq of a transfer that a group has, or the bytes. */
type Ordered = number | Uint8Array;

/** The parsed entry. */
export interface BlockEntry extends Omit<MadeBlock, 'block' | 'transactions' | 'accounts'> {
  block: Omit<MadeBlock['block'], 'bytes'>;
  /** The bytes of the block before and after the transactions. */
  around: { before: Uint8Array; behind: Uint8Array };
  order: Ordered[];
  /** The address is '' where the account existed before. */
  accounts: AccountRow[];
  /** Changes of transfers that groups have; a transfer without one is as it was accepted. */
  changes: TransferChange[];
  /** Transfers that were not submitted here. */
  seen: TransferRow[];
  events: EventRow[];
  blockTimeMs: number;
  uptimeMs: number;
  audit: AuditEntry[];
}

type Change = [
  seq: number,
  status: number,
  broadcastAtMs: number | null,
  position: number | null,
  reason?: number | null,
  reasonHash?: string | null,
  executedAs?: string | null,
  cancelRequestedAtMs?: number | null,
  cancelOwner?: string | null,
  cancelTokenId?: string | null,
  expiryRequestedAtMs?: number | null,
];
type Account = [leaf: number, balance: string, nonce: number, voids: string, address?: string];

interface Wire {
  height: number;
  id: [hash: string, partsTotal: number, partsHash: string];
  timeNs: string;
  around: [before: string, behind: string];
  order: (number | string)[];
  commit: string;
  signed: [round: number, step: number, signature: string | null, signBytes: string | null];
  appHash: string;
  resultsHash: string;
  failures: MadeBlock['failures'];
  accounts: Account[];
  governance?: GovernanceState;
  changes: Change[];
  seen: (Omit<StoredTransfer, 'amount'> & { amount: string; position: number | undefined })[];
  /** [index, seq], or all of an event that voids a nonce. */
  events: ([index: number, seq: number] | EventRow)[];
  blockTimeMs: number;
  uptimeMs: number;
  audit: readonly AuditEntry[];
}

/** `isNew`: whether the account of this leaf was made by the block. */
export function encodeBlockEntry(
  { block, commit, signed, appHash, resultsHash, failures, transactions, accounts, governance }: MadeBlock,
  { changed, seen, events, uptimeMs, audit }: BlockRows,
  isNew: (leaf: number) => boolean,
): string {
  const seqs = new Map<number, number>();
  for (const { transfer, position } of changed)
    if (position !== undefined && transfer.executedAs === undefined) seqs.set(position, transfer.seq);
  const [before, behind] = aroundTransactions(block.bytes);
  const wire: Wire = {
    height: block.height,
    id: [base64(block.id.hash), block.id.parts.total, base64(block.id.parts.hash)],
    timeNs: block.timeNs.toString(),
    around: [base64(before), base64(behind)],
    order: transactions.map(({ raw }, position) => seqs.get(position) ?? base64(raw)),
    commit: base64(commit),
    signed: [signed.round, signed.step, optional(signed.signature), optional(signed.signBytes)],
    appHash: base64(appHash),
    resultsHash: base64(resultsHash),
    failures,
    accounts: accounts.map(({ leaf, address, account: { balance, nonce, voids } }): Account => {
      const row: Account = [leaf, balance.toString(), nonce, voids === 0n ? '' : voids.toString(16)];
      if (isNew(leaf)) row.push(address);
      return row;
    }),
    ...(governance && { governance }),
    changes: changed.map(changeOf),
    seen: seen.map(({ transfer, position }) => ({ ...transfer, amount: transfer.amount.toString(), position })),
    events: events.rows.map((row) => (row.voided === undefined && row.seq !== undefined ? [row.index, row.seq] : row)),
    blockTimeMs: events.blockTimeMs,
    uptimeMs,
    audit,
  };
  return JSON.stringify(wire);
}

/** The part of a block that readers need while chain.db does not have it yet. */
export type BlockEffects = Pick<BlockEntry, 'accounts' | 'changes' | 'seen' | 'blockTimeMs'> & { height: number };

/** Throws as `decodeBlockEntry` does. */
export function decodeBlockEffects(text: string): BlockEffects {
  return effectsOf(wireOf(text));
}

function wireOf(text: string): Wire {
  try {
    return JSON.parse(text) as Wire;
  } catch (error) {
    throw new StoreDamagedError(`the log has the entry of a block that cannot be read: ${(error as Error).message}`);
  }
}

function effectsOf({ height, blockTimeMs, accounts, changes, seen }: Wire): BlockEffects {
  return {
    height,
    blockTimeMs,
    accounts: accounts.map(([leaf, balance, nonce, voids, address = '']) => ({
      leaf,
      address,
      account: { balance: BigInt(balance), nonce, voids: voids === '' ? 0n : BigInt(`0x${voids}`) },
    })),
    changes: changes.map((change) => changeFrom(change, { height, blockTimeMs })),
    seen: seen.map(({ position, amount, ...transfer }) => ({
      transfer: { ...ABSENT, ...transfer, amount: BigInt(amount) },
      position,
    })),
  };
}

/** Throws StoreDamagedError for text that this program never wrote. */
export function decodeBlockEntry(text: string): BlockEntry {
  const wire = wireOf(text);
  const { height, id, order, signed, events } = wire;
  return {
    ...effectsOf(wire),
    block: {
      height,
      id: { hash: bytes(id[0]), parts: { total: id[1], hash: bytes(id[2]) } },
      timeNs: BigInt(wire.timeNs),
      transactionCount: order.length,
    },
    around: { before: bytes(wire.around[0]), behind: bytes(wire.around[1]) },
    order: order.map((one) => (typeof one === 'number' ? one : bytes(one))),
    commit: bytes(wire.commit),
    signed: {
      height,
      round: signed[0],
      step: signed[1],
      signature: signed[2] === null ? undefined : bytes(signed[2]),
      signBytes: signed[3] === null ? undefined : bytes(signed[3]),
    },
    appHash: bytes(wire.appHash),
    resultsHash: bytes(wire.resultsHash),
    failures: wire.failures,
    governance: wire.governance,
    events: events.map((event) => (Array.isArray(event) ? { index: event[0], seq: event[1] } : event)),
    uptimeMs: wire.uptimeMs,
    audit: [...wire.audit],
  };
}

/** The bytes of the block. `transferOf` returns a transfer from its group's entry. */
export function assembleBlock(
  { around, order }: Pick<BlockEntry, 'around' | 'order'>,
  chainId: string,
  transferOf: (seq: number) => SignedTransfer,
): Uint8Array {
  const raws = order.map((one) => (typeof one === 'number' ? rawOf(chainId, transferOf(one)) : one));
  let dataBytes = 0;
  for (const raw of raws) dataBytes += 1 + varintBytes(raw.length) + raw.length;
  const { before, behind } = around;
  const block = Buffer.allocUnsafe(before.length + 1 + varintBytes(dataBytes) + dataBytes + behind.length);
  block.set(before);
  let at = before.length;
  block[at] = DATA_TAG;
  at = writeVarint(block, at + 1, dataBytes);
  for (const raw of raws) {
    block[at] = TRANSACTION_TAG;
    at = writeVarint(block, at + 1, raw.length);
    block.set(raw, at);
    at += raw.length;
  }
  block.set(behind, at);
  return block;
}

function rawOf(chainId: string, { from, to, amount, nonce, signature, ...rest }: SignedTransfer): Uint8Array {
  return encodeTransaction({
    kind: 'transfer',
    chainId,
    from,
    to,
    amount,
    nonce,
    ...paymentMembers(rest),
    signature,
  });
}

/** Protobuf: header is field 1 of a block, data field 2, a transaction field 1 of data. */
const HEADER_TAG = 0x0a;
const DATA_TAG = 0x12;
const TRANSACTION_TAG = 0x0a;

function aroundTransactions(block: Uint8Array): [before: Uint8Array, behind: Uint8Array] {
  const header = fieldAt(block, 0, HEADER_TAG);
  const data = fieldAt(block, header.end, DATA_TAG);
  return [block.subarray(0, header.end), block.subarray(data.end)];
}

function fieldAt(block: Uint8Array, start: number, tag: number): { end: number } {
  if (block[start] !== tag) throw new TypeError(`the bytes of a block have field ${block[start]} where ${tag} comes`);
  let length = 0;
  let at = start + 1;
  for (let shift = 0; ; shift += 7) {
    const byte = block[at++] ?? 0;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { end: at + length };
  }
}

function varintBytes(value: number): number {
  let count = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) count += 1;
  return count;
}

function writeVarint(target: Uint8Array, start: number, value: number): number {
  let at = start;
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) target[at++] = (left % 0x80) + 0x80;
  target[at++] = left;
  return at;
}

function changeOf({ transfer, position, cancelOwner, cancelTokenId }: TransferChange): Change {
  const change: Change = [
    transfer.seq,
    statusCode(transfer.status),
    transfer.broadcastAtMs ?? null,
    position ?? null,
    reasonCode(transfer.reason),
    transfer.reasonHash ?? null,
    transfer.executedAs ?? null,
    transfer.cancelRequestedAtMs ?? null,
    cancelOwner ?? null,
    cancelTokenId ?? null,
    transfer.expiryRequestedAtMs ?? null,
  ];
  while (change.length > CHANGE_MIN && change.at(-1) === null) change.pop();
  return change;
}

/** Up to `position`. */
const CHANGE_MIN = 4;

function changeFrom(
  [
    seq,
    status,
    broadcastAtMs,
    position,
    reason,
    reasonHash,
    executedAs,
    cancelRequestedAtMs,
    cancelOwner,
    cancelTokenId,
    expiryRequestedAtMs,
  ]: Change,
  { height, blockTimeMs }: { height: number; blockTimeMs: number },
): TransferChange {
  const isSettled = status !== PENDING;
  return {
    transfer: {
      seq,
      status: statusOfCode(status),
      reason: reasonOfCode(reason ?? null),
      reasonHash: reasonHash ?? undefined,
      executedAs: executedAs ?? undefined,
      broadcastAtMs: broadcastAtMs ?? undefined,
      cancelRequestedAtMs: cancelRequestedAtMs ?? undefined,
      expiryRequestedAtMs: expiryRequestedAtMs ?? undefined,
      height: isSettled ? height : undefined,
      blockTimeMs: isSettled ? blockTimeMs : undefined,
    },
    position: position ?? undefined,
    cancelOwner: cancelOwner ?? undefined,
    cancelTokenId: cancelTokenId ?? undefined,
  };
}

const PENDING = statusCode('pending');

/** Members that JSON leaves out. */
const ABSENT = {
  reference: undefined,
  validUntil: undefined,
  owner: undefined,
  reason: undefined,
  reasonHash: undefined,
  executedAs: undefined,
  broadcastAtMs: undefined,
  cancelRequestedAtMs: undefined,
  expiryRequestedAtMs: undefined,
  height: undefined,
  blockTimeMs: undefined,
} as const;

const base64 = (data: Uint8Array): string => Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64');
const optional = (data: Uint8Array | undefined): string | null => (data === undefined ? null : base64(data));
const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
