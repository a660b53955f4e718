/** The package.json of the package: dependencies exactly those that are imported, each at the one version that is tested. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockedPackages } from '../locked-packages.ts';
import { commitOfCheckout } from '../../server/app/git-commit.ts';
import { NODE_VERSION_MIN, ROOT } from '../steps.ts';
import { DIST, SERVER, SHARE } from './places.ts';

interface Manifest {
  name: string;
  version: string;
  license: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

/** @param imported packages that the files import. */
export function writeManifest(imported: readonly string[]): void {
  const own = JSON.parse(readFileSync(path.join(SERVER, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = own;
  const isOptional = (dependency: string): boolean => dependency in own.optionalDependencies;
  write(path.join(DIST, 'package.json'), {
    name,
    version,
    description:
      'Transaction Ledger: an HTTP service in front of a blockchain ledger. Signed transfers in, real CometBFT blocks out.',
    keywords: ['ledger', 'payments', 'transfers', 'blockchain', 'cometbft', 'ed25519', 'openapi', 'server'],
    license,
    repository: { type: 'git', directory: 'server' },
    type: 'module',
    engines: { node: `>=${NODE_VERSION_MIN.join('.')}` },
    bin: { txledger: 'bin/txledger.js' },
    files: ['bin', 'lib', 'share', 'THIRD-PARTY-LICENCES.txt'],
    dependencies: versions(imported.filter((dependency) => !isOptional(dependency))),
    optionalDependencies: versions(imported.filter(isOptional)),
  });
  // server/app/version.ts reads it at its place in the repository.
  write(path.join(SHARE, 'server/package.json'), {
    name,
    version,
    type: 'module',
    command: `npx ${name}`,
    gitHead: commitOfCheckout(ROOT),
  });
}

/** Exact, because two servers of one network must run the same code. */
function versions(names: readonly string[]): Record<string, string> {
  const locked = lockedPackages();
  return Object.fromEntries(
    names.map((name) => {
      const found = locked.filter((entry) => entry.name === name);
      if (found.length !== 1 || found[0] === undefined) throw new Error(`package-lock.json must name ${name} once`);
      return [name, found[0].version];
    }),
  );
}

function write(file: string, content: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
