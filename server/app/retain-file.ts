/**
 * DATA_DIR/retain.json of an application: the lowest block that its node has to keep. `txledger prune` writes it once every gateway has
 * passed that block, and the application returns it to its node with each commit (ABCI 2.0, ResponseCommit.retain_height). Without the file
 * the node keeps every block.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Logger } from '../engine/ports.ts';
import { writeSecretFile } from './secret-file.ts';

export interface Retention {
  chainId: string;
  /** The lowest block that the node keeps. */
  height: number;
}

/**
 * A node never drops this many newest blocks, regardless of the file: light clients and gateways request them after a short outage. With
 * one block a second this is less than two minutes, the least that covers a restart; operators choose far more with --keep-blocks.
 */
export const KEPT_BLOCKS_MIN = 100;

/** @returns undefined if the text is not in the form that `txledger prune` writes. */
export function parseRetention(text: string): Retention | undefined {
  try {
    const { chainId, height } = JSON.parse(text) as Partial<Retention>;
    return typeof chainId === 'string' && Number.isSafeInteger(height) && (height as number) > 0
      ? { chainId, height: height as number }
      : undefined;
  } catch {
    return undefined;
  }
}

export function readRetention(file: string): Retention | undefined {
  return existsSync(file) ? parseRetention(readFileSync(file, 'utf8')) : undefined;
}

export function writeRetention(file: string, retention: Retention): void {
  writeSecretFile(file, `${JSON.stringify(retention)}\n`);
}

/**
 * @returns a function that gives the retain height of the application at a height; 0 keeps all blocks. An unusable file keeps all blocks
 * too, and is logged once.
 */
export function createRetention(file: string, logger: Logger): (height: number, chainId: string) => number {
  let complained = false;
  const complain = (problem: string): number => {
    if (!complained)
      logger.error(
        { file, problem },
        'no block is dropped: the file that says which blocks the node may drop cannot be used. Run `txledger prune` again, or remove the file',
      );
    complained = true;
    return 0;
  };
  const look = (chainId: string): number => {
    try {
      if (!existsSync(file)) return 0;
      const retention = parseRetention(readFileSync(file, 'utf8'));
      if (retention === undefined) return complain('it is not what `txledger prune` writes');
      if (retention.chainId !== chainId) return complain(`it is of chain ${retention.chainId}`);
      complained = false;
      return retention.height;
    } catch (error) {
      return complain((error as Error).message);
    }
  };
  return (height, chainId) => Math.max(0, Math.min(look(chainId), height - KEPT_BLOCKS_MIN));
}
