/**
 * Accepts groups of submissions: checks each in memory after those before it, and makes the good ones durable with one commit of the
 * journal. Nothing else is written while a client waits.
 */
import type { LocalEngine } from '../../engine/port.ts';
import { isVoid } from '../../ledger/index.ts';
import type { AcceptedEntry } from '../../store/embedded/journal.ts';
import type { LedgerLog } from '../../store/embedded/ledger-log.ts';
import type { KeyedTransfer, StoredAccount, StoredBinding, StoredTransfer } from '../../store/index.ts';
import type { AcceptedRow, GroupMoment, GroupNumbers, GroupRows } from '../accept/group.ts';
import { Group } from '../accept/group.ts';
import type { JudgedChain, JudgeLimits, Judgement } from '../accept/judge.ts';
import { judge } from '../accept/judge.ts';
import type { Submission } from '../core-api.ts';
import { NO_OWNER } from '../limits.ts';
import type { LiveTransfer, LiveTransfers } from './live-transfers.ts';
import type { SettledTransfers } from './settled.ts';

export interface AcceptanceParts {
  engine: Pick<LocalEngine, 'state' | 'tip'>;
  chain: JudgedChain;
  limits: JudgeLimits;
  live: LiveTransfers;
  log: Pick<LedgerLog, 'journal'>;
  settled: Pick<SettledTransfers, 'slots' | 'keyed'>;
  bindings(addresses: readonly string[]): readonly Pick<StoredBinding, 'address' | 'owner'>[];
  moment(): GroupMoment;
}

export interface AcceptedGroup {
  /** One for each submission, in order. */
  judgements: Judgement[];
  accepted: LiveTransfer[];
}

/** For an address without an account on the chain: it has no money, so it sends nothing. */
const NO_LEAF = -1;
/** Numbers by which a group distinguishes new receivers, far above those of leaves. */
const NEW_RECEIVER_IDS_FROM = 2 ** 52;

export class Acceptance {
  readonly #parts: AcceptanceParts;
  #nextSeq: number;

  constructor(parts: AcceptanceParts, nextSeq: number) {
    this.#parts = parts;
    this.#nextSeq = nextSeq;
  }

  /** For a transfer that a block contains and that was never submitted here. */
  takeSeq(): number {
    return this.#nextSeq++;
  }

  /** Returns when what was accepted is durable. Throws as `Store.write` does: then nothing was accepted. */
  accept(submissions: readonly Submission[]): AcceptedGroup {
    const { chain, limits, log, live, moment } = this.#parts;
    const numbers = this.#numbers();
    const group = new Group(this.#rows(submissions, numbers), moment());
    const judgements = submissions.map((submission) => judge(group, submission, chain, limits));
    const { accepted } = group.changes();
    if (accepted.length === 0) return { judgements, accepted: [] };
    log.journal(accepted.map(entryOf));
    this.#nextSeq = numbers.nextSeq;
    return {
      judgements,
      accepted: accepted.map(({ transfer, tokenId, idempotencyKey }) =>
        live.add(transfer, group.account(transfer.from) as StoredAccount, { tokenId, idempotencyKey }, true, false),
      ),
    };
  }

  /** The result of `accept` with this as the only submission of its group. Nothing is written, and memory stays as it is. */
  judge(submission: Submission): { judgement: Judgement; boundTo: string | undefined } {
    const { chain, limits, moment } = this.#parts;
    const group = new Group(this.#rows([submission], this.#numbers()), moment());
    return { judgement: judge(group, submission, chain, limits), boundTo: group.boundTo(submission.from) };
  }

  #numbers(): GroupNumbers & { nextSeq: number } {
    let pending = this.#parts.live.size;
    let nextAccountId = NEW_RECEIVER_IDS_FROM;
    let nextOwnerId = 1;
    let nextSeq = this.#nextSeq;
    return {
      get pending() {
        return pending;
      },
      get nextSeq() {
        return nextSeq;
      },
      takeSeq: () => nextSeq++,
      takeAccountId: () => nextAccountId++,
      takeOwnerId: () => nextOwnerId++,
      addPending: (_from, count) => void (pending += count),
    };
  }

  #rows(submissions: readonly Submission[], numbers: GroupNumbers): GroupRows {
    const { engine, live } = this.#parts;
    const accounts = new Map<string, StoredAccount>();
    const owners = new Map<string, { id: number; name: string; pending: number }>();
    const transfers = new Map<number, StoredTransfer>();
    const keyed: KeyedTransfer[] = [];
    for (const { from, to, nonce, owner = NO_OWNER, idempotencyKey } of submissions) {
      const sender = this.#account(accounts, from);
      this.#account(accounts, to);
      if (!owners.has(owner)) owners.set(owner, { id: 0, name: owner, pending: live.pendingOf(owner) });
      if (sender !== undefined) for (const transfer of this.#at(sender, nonce)) transfers.set(transfer.seq, transfer);
      if (idempotencyKey === undefined || owner === NO_OWNER) continue;
      const transfer = live.keyed(owner, idempotencyKey) ?? this.#parts.settled.keyed(owner, idempotencyKey);
      if (transfer !== undefined) keyed.push({ owner, key: idempotencyKey, transfer });
    }
    const { height, hash, timeMs } = engine.tip;
    return {
      numbers,
      follower: {
        chainId: '',
        genesisHash: '',
        height,
        hash,
        blockTimeMs: timeMs,
        uptimeMs: 0,
        verifiedHeight: height,
      },
      accounts: [...accounts.values()],
      transfers: [...transfers.values()],
      keyed,
      bindings: this.#parts.bindings([...accounts.keys()]),
      owners: [...owners.values()],
      taken: (account) => live.pending.takenBy(account.id),
    };
  }

  /** Accounts as `Group` uses them: on the chain, or named as a receiver since the last block; undefined for any other address. */
  #account(found: Map<string, StoredAccount>, address: string): StoredAccount | undefined {
    const known = found.get(address);
    if (known !== undefined) return known;
    const { engine, live } = this.#parts;
    const onChain = engine.state.account(address);
    if (onChain === undefined && !live.isNamed(address)) return undefined;
    const { balance, nonce, voids } = onChain ?? { balance: 0n, nonce: 0, voids: 0n };
    const account: StoredAccount = {
      id: engine.state.leafOf(address) ?? NO_LEAF,
      address,
      onChain: onChain !== undefined,
      balance,
      nonce,
      voids,
      reserved: live.reservedOf(address),
    };
    found.set(address, account);
    return account;
  }

  /** A nonce ahead of the account's that is not void is live or free: only the other nonces can have rows. */
  #at(sender: StoredAccount, nonce: number): StoredTransfer[] {
    const { live, settled } = this.#parts;
    const held = live.at(sender.address, nonce);
    if (nonce >= sender.nonce && !isVoid(sender, nonce)) return held === undefined ? [] : [held];
    return settled.slots(sender.address, nonce);
  }
}

function entryOf({ transfer, tokenId, idempotencyKey }: AcceptedRow): AcceptedEntry {
  return { kind: 'accepted', transfer, tokenId, idempotencyKey };
}
