/**
 * log_witness.json names the last entry of the log, so that a log which was set back to an older state is detected (protocol.md, rule 34).
 *
 * It is written every few seconds and never waited for: no acknowledgement costs an fsync more. So it is behind the log by some seconds at
 * most and never ahead, and an older copy of the log is detected when it lacks an entry from before that pause. A folder that is set back
 * as a whole has the witness of that time: then a second witness, on another disk (LOG_WITNESS_FILE), shows it.
 */
import { readFileSync } from 'node:fs';
import type { LogPlace } from '../../log/log.ts';
import { StoreDamagedError } from '../errors.ts';

const HASH = /^[0-9A-F]{64}$/;

export interface Witness extends LogPlace {
  chainId: string;
  genesisHash: string;
}

export const formatWitness = ({ chainId, genesisHash, seq, hash }: Witness): string =>
  `${JSON.stringify({ chainId, genesisHash, seq, hash: Buffer.from(hash).toString('hex').toUpperCase() }, undefined, 2)}\n`;

/** Undefined where there is no file: the folder is new, was restored, or was written by an earlier version. */
export function readWitness(file: string): Witness | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { chainId, genesisHash, seq, hash } = JSON.parse(text) as Record<string, unknown>;
    if (typeof chainId === 'string' && typeof genesisHash === 'string' && isCount(seq) && isHash(hash))
      return { chainId, genesisHash, seq, hash: Buffer.from(hash, 'hex') };
  } catch {
    // Reported below, as for JSON that is not a witness.
  }
  throw new StoreDamagedError(
    `${file} cannot be read: it names the last entry of log.db. Put it back from a copy; without one, remove it if no file of this folder was put back from an older state`,
  );
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);

export interface WitnessedLog {
  /** Path of the witness. */
  file: string;
  /** True when it is not in the data folder, so that it stays when another folder replaces that one. */
  isElsewhere?: boolean | undefined;
  chain: { chainId: string; genesisHash: string };
  /** The last entry that the rows of chain.db hold; undefined where they hold none. */
  held: LogPlace | undefined;
  /** The last entry of the log, and the hashes of those that it has; undefined where there is no log. */
  log: { head(): LogPlace; hashAt(seq: number): Uint8Array | undefined } | undefined;
}

/** Throws StoreDamagedError where neither the log nor chain.db has the entry that the witness names. */
export function refuseOlderLog(
  witness: Witness | undefined,
  { file, isElsewhere = false, chain, held, log }: WitnessedLog,
): void {
  if (witness === undefined) return;
  const wayOut = isElsewhere ? `${WAY_OUT}; then remove ${file}, which is consent to the loss` : WAY_OUT;
  if (witness.chainId !== chain.chainId || witness.genesisHash !== chain.genesisHash)
    throw new StoreDamagedError(
      `${file} is of chain ${witness.chainId} with genesis ${witness.genesisHash}, and this folder of chain ${chain.chainId} with genesis ${chain.genesisHash}: put the files of one chain together`,
    );
  const last = Math.max(log?.head().seq ?? 0, held?.seq ?? 0);
  if (witness.seq > last)
    throw new StoreDamagedError(
      `log.db is missing or an old copy: ${file} says that its last entry was ${witness.seq}, and log.db and chain.db end at entry ${last}. Payments that were acknowledged and blocks that were signed are not there. ${wayOut}`,
    );
  const there = held?.seq === witness.seq ? held.hash : log?.hashAt(witness.seq);
  if (there !== undefined && Buffer.compare(there, witness.hash) !== 0)
    throw new StoreDamagedError(
      `log.db is of another history: its entry ${witness.seq} is not the one that ${file} names. ${wayOut}`,
    );
}

const WAY_OUT =
  'Put the log.db and chain.db back that belong to it. If they are lost, make a new data folder of the newest backup, or of a backup of this folder, with `txledger restore`, which says what is lost';
