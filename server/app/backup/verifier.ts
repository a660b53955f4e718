/** What the verification of each kind of database is given, and gives. @module */
import type { DataDirFile } from '../data-dir-files.ts';
import type { Manifest } from './manifest.ts';

/** What the parts of a verification are given. */
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

/** @returns what was verified, in words. */
export type Verifier = (subject: Subject) => Promise<string[]>;
