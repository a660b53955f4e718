/**
 * The version of this program, how a shell calls it, and the commit that it was made from: a package names it as `gitHead` in its package.json, as npm does, and a
 * checkout has it in `.git`.
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
/** The package of the server names itself: `npx txledger` would fetch whatever package of that name the registry has, where none is installed. */
export const COMMAND = own.command ?? 'npx txledger';

/** What is shown of a commit: as many hex digits as git itself shows of a large repository. */
const COMMIT_DIGITS = 12;
/** The version is on one of the first lines of the contract. */
const CONTRACT_HEAD_BYTES = 1024;

export interface Build {
  version: string;
  /** The first hex digits; undefined where neither package nor checkout tells it. */
  commit: string | undefined;
}

let build: Build | undefined;

/** Reads what it needs once, when it is first asked. */
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

/** The version of the contract, without reading all of it: a command that only tells its version is not kept waiting by a megabyte of JSON. */
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

/** One line: what `--version` prints. */
export function versionLine(): string {
  const { version, commit } = buildOf();
  const facts = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    `contract ${contractVersion()}`,
    `Node.js ${process.version.slice(1)}`,
  ];
  return `${version} (${facts.join(', ')})`;
}
