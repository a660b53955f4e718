/** The genesis document that a copy is verified against. @module */
import { readFileSync } from 'node:fs';
import { type GenesisDocument, parseGenesis } from '../../ledger/index.ts';
import { BackupError } from './backup-error.ts';

/** @throws BackupError when the file is missing or cannot be used. */
export function readGenesisFile(file: string | undefined): GenesisDocument {
  if (file === undefined)
    throw new BackupError('There is no genesis.json: set GENESIS_FILE to the genesis file of the chain.');
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new BackupError(`The genesis file cannot be read: ${(error as Error).message}.`);
  }
  const parsed = parseGenesis(bytes);
  if (!parsed.ok) throw new BackupError(`The genesis file ${file}: ${parsed.errors.join('; ')}.`);
  return parsed.genesis;
}
