/** What a test can do to the database of a gateway, whichever database it is. */
export interface Faults {
  /** Called before each commit; a throw fails the commit. Where writes take turns of the event loop, a promise holds the commit back. */
  beforeCommit: (() => Promise<void> | void) | undefined;
  /** Called before each read; a throw is the read's. */
  beforeRead: (() => void) | undefined;
  /** Nothing works any more, as for a process that was killed. */
  dead: boolean;
  /** Dies after this many more steps inside write transactions. */
  callsLeft: number;
  /** Dies when the next commit is on the disk and before anybody learns of it. */
  dieAfterCommit: boolean;
  /** Write transactions that were begun. */
  readonly writes: number;
}
