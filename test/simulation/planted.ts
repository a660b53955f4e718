/** Faults that somebody could make, each a function of one module that is exchanged for another. A life has to see them. */
import { Chain } from '../../server/engine/embedded/chain.ts';
import { ChainWriter } from '../../server/app/chain-writer.ts';
import { CurrentAccess } from '../../server/gateway/embedded/current-access.ts';
import { SettledTransfers } from '../../server/gateway/embedded/settled.ts';
import { CommitCount } from '../../server/store/embedded/commit-count.ts';
import type { LocalWebhookWrite } from '../../server/store/embedded/webhooks.ts';
import { LedgerLog } from '../../server/store/embedded/ledger-log.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import { JournalTail } from '../../server/store/embedded/tail.ts';
import { Disk } from './disk.ts';
import { MemoryLog } from './memory-log.ts';
import { settle } from './time.ts';

/** Exchanges a method; the answer puts it back. */
function swap<T extends object, K extends keyof T>(prototype: T, name: K, make: (original: T[K]) => T[K]): () => void {
  const original = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  Object.defineProperty(prototype, name, { ...original, value: make(original.value as T[K]) });
  return () => void Object.defineProperty(prototype, name, original);
}

const all =
  (...swaps: (() => void)[]) =>
  (): void => {
    for (const undo of swaps) undo();
  };

/** By name; each answers how to take it back. */
export const PLANTED: Readonly<Record<string, () => () => void>> = {
  'a group is answered before its commit': () =>
    swap(
      LedgerLog.prototype,
      'journal',
      (journal) =>
        function (this: LedgerLog, entries) {
          void settle()
            .then(() => journal.call(this, entries))
            .catch(() => undefined);
        },
    ),
  'the last of a group is left out': () =>
    swap(
      LedgerLog.prototype,
      'journal',
      (journal) =>
        function (this: LedgerLog, entries) {
          journal.call(this, entries.length > 1 ? entries.slice(0, -1) : entries);
        },
    ),
  'a cancel is answered without its entry': () =>
    swap(
      LedgerLog.prototype,
      'journal',
      (journal) =>
        function (this: LedgerLog, entries) {
          const accepted = entries.filter(({ kind }) => kind === 'accepted');
          if (accepted.length > 0) journal.call(this, accepted);
        },
    ),
  'an entry is applied twice after a start': () =>
    swap(
      ChainReader.prototype,
      'journal',
      (journal) =>
        function (this: ChainReader) {
          const entries = journal.call(this);
          const last = entries.findLast(({ kind }) => kind === 'accepted');
          return last === undefined ? entries : [...entries, last];
        },
    ),
  'entries are dropped before chain.db has them': () =>
    swap(
      MemoryLog.prototype,
      'drop',
      (drop) =>
        function (this: MemoryLog) {
          return drop.call(this, Number.MAX_SAFE_INTEGER);
        },
    ),
  'entries are dropped before chain.db is checkpointed': () =>
    swap(Disk.prototype, 'pagesNow', () => () => ({ busy: 0, log: 0, checkpointed: 0 })),
  'readers leave out the groups of the tail': () => swap(JournalTail.prototype, 'add', () => () => undefined),
  'readers leave out the blocks of the tail': () => swap(JournalTail.prototype, 'decide', () => () => undefined),
  'readers look for a second signature in rows alone': () =>
    swap(JournalTail.prototype, 'bySeq', () => () => undefined),
  'access is changed in memory, and not in the log': () =>
    swap(
      LedgerLog.prototype,
      'changeAccess',
      () =>
        function (this: LedgerLog) {
          return Number.MAX_SAFE_INTEGER;
        },
    ),
  'a change of access is looked for in chain.db alone': () =>
    swap(CurrentAccess.prototype, 'prepare', () => () => () => undefined),
  'how far webhooks have come is answered without its entry': () =>
    swap(
      LedgerLog.prototype,
      'changeAccess',
      (changeAccess) =>
        function (this: LedgerLog, writes) {
          return changeAccess.call(
            this,
            writes.filter(([name]) => name !== 'movePlaces'),
          );
        },
    ),
  'a place of a webhook is ahead of the events that it was sent': () =>
    swap(
      ChainWriter.prototype,
      'writeLocal',
      (writeLocal) =>
        function (this: ChainWriter, writes) {
          const ahead = writes.map((write): LocalWebhookWrite =>
            write[0] === 'advance'
              ? ([
                  ...write.slice(0, 3),
                  { ...write[3], height: write[3].height + 1 },
                  write[4],
                ] as unknown as LocalWebhookWrite)
              : write,
          );
          writeLocal.call(this, ahead);
        },
    ),
  'events do not wait for what was shown': () => {
    const original = Object.getOwnPropertyDescriptor(CommitCount.prototype, 'logHeight') as PropertyDescriptor;
    Object.defineProperty(CommitCount.prototype, 'logHeight', { ...original, get: () => 0 });
    return () => void Object.defineProperty(CommitCount.prototype, 'logHeight', original);
  },
  'the hash of the entry before is not compared': () =>
    all(
      swap(
        MemoryLog.prototype,
        'isBehind',
        () =>
          function (this: MemoryLog, { seq }) {
            return seq === this.head().seq;
          },
      ),
      swap(
        MemoryLog.prototype,
        'tail',
        () =>
          function (this: MemoryLog, { seq }, bytesMax) {
            return this.follow(seq, bytesMax);
          },
      ),
    ),
  'the clock is read twice for a block': () =>
    swap(
      Chain.prototype,
      'blockInSteps',
      (blockInSteps) =>
        function (this: Chain, prepared) {
          return blockInSteps.call(this, prepared, this.clockGuard.read());
        },
    ),
  'an append is not synced': () => swap(Disk.prototype, 'sync', () => () => undefined),
  'what blocks settled is looked for in chain.db alone': () =>
    swap(SettledTransfers.prototype, 'add', () => () => undefined),
};
