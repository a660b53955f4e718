/** A manifest against the databases that it describes: hashes prove that the files are those of the manifest, and not that it tells the truth. @module */
import { BackupError } from './backup-error.ts';
import { factsIn } from './contents.ts';
import type { Manifest } from './manifest.ts';

/**
 * What the manifest says of the chain is what the databases say.
 * @throws BackupError for the first difference.
 */
export function compareFacts(manifest: Manifest, folder: string): void {
  const found = factsIn(manifest.kind, folder);
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
