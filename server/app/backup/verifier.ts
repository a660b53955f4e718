/** Input and result of the verification for each kind of database. @module */
import type { DataDirFile } from '../data-dir-files.ts';
import type { Manifest } from './manifest.ts';

/** Input of the parts of a verification. */
export interface Subject {
  /** Checks hashes and signatures alone. */
  isQuick: boolean;
  /** The first block that is checked, with `isQuick`. */
  from: number;
  onProgress: (what: string, done: number, all: number) => void;
  files: Readonly<Record<DataDirFile, string>>;
  /** The genesis file, if it is known. */
  genesisFile: string | undefined;
  /** A node whose blocks a gateway's database is compared with. */
  nodeUrl: string | undefined;
  /** Absent when a data folder is verified. */
  manifest: Manifest | undefined;
}

/** @returns the verified facts, as text. */
export type Verifier = (subject: Subject) => Promise<string[]>;
