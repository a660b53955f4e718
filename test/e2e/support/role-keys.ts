/** Key files of cancellers and governors, as tests read them. */
import { readFileSync } from 'node:fs';

const read = (file: string): { address: string; seed: string } => JSON.parse(readFileSync(file, 'utf8'));

export const addressOfKeyFile = (file: string): string => read(file).address;
/** The 32-byte seed. */
export const seedOfKeyFile = (file: string): Buffer => Buffer.from(read(file).seed, 'hex');
