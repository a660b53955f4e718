/** Input and result of the verification of each kind of database. @module */
import type { DataDirFile } from '../data-dir-files.ts';
import type { Manifest } from './manifest.ts';

/** Input of the parts of a verification. */
export interface Subject {
  /** Hashes and signatures alone. */
  isQuick: boolean;
  /** With `isQuick`: from this block on. */
  from: number;
  onProgress: (what: string, done: number, all: number) => void;
  files: Readonly<Record<DataDirFile, string>>;
  /** Where it is known. */
  genesisFile: string | undefined;
  /** A node whose blocks a gateway's database is compared with. */
  nodeUrl: string | undefined;
  /** Absent for a data folder. */
  manifest: Manifest | undefined;
}

/** @returns the verified facts, as text. */
export type Verifier = (subject: Subject) => Promise<string[]>;
