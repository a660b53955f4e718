/** The packages of package-lock.json: those that `npm install` installs, and which of them a server runs on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.ts';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Checksum of the tarball; without it npm accepts any answer of the registry. */
  readonly integrity: string | undefined;
  readonly licence: string | undefined;
  /** True if npm installs it without development dependencies, on any platform. */
  readonly production: boolean;
}

interface Entry {
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

const FOLDER = 'node_modules/';

/** Without the workspaces, which are this repository. */
export function lockedPackages(lockFile: string = join(ROOT, 'package-lock.json')): readonly LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, Entry> };
  return Object.entries(packages).flatMap(([place, { version = '', integrity, license, dev, link }]) => {
    if (!place.includes(FOLDER) || link === true) return [];
    return [
      {
        name: place.slice(place.lastIndexOf(FOLDER) + FOLDER.length),
        version,
        integrity,
        licence: license,
        production: dev !== true,
      },
    ];
  });
}
