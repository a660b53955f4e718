/**
 * Compares a manifest with the databases that it describes: hashes prove that the files are those of the manifest, but not that its facts
 * are true.
 *
 * @module
 */
import { StoreDamagedError } from '../../store/errors.ts';
import { BackupError } from './backup-error.ts';
import { factsIn } from './contents.ts';
import type { Manifest } from './manifest.ts';

/**
 * Checks that the manifest and the databases agree on the chain.
 * @throws BackupError for the first difference.
 */
export function compareFacts(manifest: Manifest, folder: string): void {
  const found = foundIn(manifest, folder);
  const pairs: readonly (readonly [what: string, stored: unknown, written: unknown])[] = [
    ['the chain id', found.chainId, manifest.chainId],
    ...Object.keys({ ...found.state, ...manifest.state }).map(
      (name) =>
        [
          `"${name}"`,
          found.state[name as keyof typeof found.state],
          manifest.state[name as keyof typeof found.state],
        ] as const,
    ),
    ['the last entry of the log', found.heads?.log, manifest.heads?.log],
    ['the last line of the audit trail', found.heads?.audit, manifest.heads?.audit],
    ...Object.keys({ ...found.counts, ...manifest.counts }).map(
      (name) => [`the number of ${name}`, found.counts[name], manifest.counts[name]] as const,
    ),
  ];
  for (const [what, stored, written] of pairs) {
    if (JSON.stringify(stored) !== JSON.stringify(written))
      throw new BackupError(
        `${what} is ${JSON.stringify(stored)} in the database, and ${JSON.stringify(written)} in the manifest.`,
      );
  }
}

function foundIn({ kind }: Manifest, folder: string): ReturnType<typeof factsIn> {
  try {
    return factsIn(kind, folder);
  } catch (error) {
    if (error instanceof StoreDamagedError) throw new BackupError(`${error.message}.`);
    throw error;
  }
}
