import { cpSync, lstatSync } from 'node:fs';

/** A data folder with all that is in it but the socket that a killed service left, which Node.js does not copy. */
export const copyDataDir = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (source) => !lstatSync(source).isSocket() });
