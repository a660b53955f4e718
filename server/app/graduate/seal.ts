/**
 * The seal of a data folder: from it on the chain continues elsewhere, and no embedded engine signs a block in this folder again.
 *
 * It is on disk before the validator's key is in the other place, so at no moment can both sign. It is never removed: a folder that was
 * sealed and is started again would sign heights that the nodes have signed.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import type { DataDirFile } from '../data-dir-files.ts';
import { writeSecretFile } from '../secret-file.ts';
import { StartError } from '../start-error.ts';

export interface Seal {
  readonly chainId: string;
  /** The last block of the embedded chain. */
  readonly height: number;
  /** 64 upper-case hex digits. */
  readonly blockHash: string;
  readonly appHash: string;
  /** Absolute. */
  readonly home: string;
  /** Absolute. */
  readonly appDir: string;
  readonly sealedAt: string;
  /** Everything is in its place: the node may have run since, so no file is changed again. */
  readonly isComplete: boolean;
}

type Files = Readonly<Record<DataDirFile, string>>;

/**
 * Undefined when the folder is not sealed. Throws StartError for a seal that cannot be read, because it shows that the folder was sealed.
 */
export function readSeal({ seal }: Files): Seal | undefined {
  if (!existsSync(seal)) return undefined;
  try {
    const read = JSON.parse(readFileSync(seal, 'utf8')) as Seal;
    if (typeof read.height === 'number' && typeof read.home === 'string' && typeof read.appDir === 'string')
      return read;
  } catch {
    // The error is thrown below, as for JSON that is not a seal.
  }
  throw new StartError(
    `${seal} cannot be read: it says where the chain of this folder goes on. Put it back from a copy; never start this folder without it.`,
  );
}

/** Durable when it returns, the name included. */
export function writeSeal({ seal }: Files, content: Seal): void {
  writeSecretFile(seal, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** @throws StartError for a folder whose chain continues elsewhere. */
export function refuseSealed(files: Files): void {
  const found = readSeal(files);
  if (found === undefined) return;
  throw new StartError(
    `The chain ${found.chainId} of this DATA_DIR goes on in the CometBFT home ${found.home} since block ${found.height} (${files.seal}). Blocks signed here would be a second ` +
      'history of it. Start that node with its application, and a gateway with ENGINE=cometbft.',
  );
}
