/** What a client process has to remember over its own death: each signed transfer before it is sent, and how each payment ended. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { SignedTransfer } from '../../../client/src/index.ts';

export type Entry =
  /** About to be sent for payment `index`, in place of whatever was signed for it before. */
  | { kind: 'signed'; index: number; signed: SignedTransfer }
  /** The client said that this transfer will never execute. */
  | { kind: 'refused'; index: number; txHash: string; why: string }
  /** The client said how it ended. */
  | { kind: 'settled'; index: number; txHash: string; outcome: string };

export function readJournal(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // A process killed while it wrote leaves half a line; nothing was sent for that one.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Entry);
}

export class Journal {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  write(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
    // Tells whoever started this process how far it is.
    process.stdout.write(entry.kind === 'settled' ? 's' : '.');
  }

  close(): void {
    closeSync(this.#file);
  }
}
