/**
 * The version of this program, its command in a shell, and the commit that it was built from. A package names the commit as `gitHead` in
 * its package.json, as npm does; a checkout has it in `.git`.
 *
 * @module
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commitOfCheckout } from './git-commit.ts';

const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
  gitHead?: string;
  command?: string;
};

export const VERSION = own.version;
/**
 * Command of this program. The package of the server names its own: where it is not installed, `npx txledger` would download whatever
 * package of that name the registry has.
 */
export const COMMAND = own.command ?? 'npx txledger';

/** Hex digits of a commit that are shown: as many as git itself shows of a large repository. */
const COMMIT_DIGITS = 12;
/** Bytes of the contract that are read: its version is on one of the first lines. */
const CONTRACT_HEAD_BYTES = 1024;

export interface Build {
  version: string;
  /** The first hex digits; undefined if neither package nor checkout names a commit. */
  commit: string | undefined;
}

let build: Build | undefined;

/** Reads version and commit once, at the first call. */
export function buildOf(): Build {
  build ??= {
    version: VERSION,
    commit: (own.gitHead ?? commitOfCheckout(fileURLToPath(new URL('../../', import.meta.url))))?.slice(
      0,
      COMMIT_DIGITS,
    ),
  };
  return build;
}

/** The version of the contract. Only the beginning is read, so that `--version` does not wait for a megabyte of JSON. */
export function contractVersion(): string {
  const file = openSync(new URL('../../generated/openapi.json', import.meta.url), 'r');
  try {
    const head = Buffer.alloc(CONTRACT_HEAD_BYTES);
    const text = head.toString('utf8', 0, readSync(file, head));
    const version = /"version": "([^"]+)"/.exec(text)?.[1];
    if (version === undefined)
      throw new Error('generated/openapi.json does not begin with the version of the contract');
    return version;
  } finally {
    closeSync(file);
  }
}

/** The line that `--version` prints. */
export function versionLine(): string {
  const { version, commit } = buildOf();
  const facts = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    `contract ${contractVersion()}`,
    `Node.js ${process.version.slice(1)}`,
  ];
  return `${version} (${facts.join(', ')})`;
}
