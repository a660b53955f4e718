/**
 * Stand-ins for the two images that the Containerfile is built from, which come from registries that not every machine reaches: the same
 * files from Debian's packages, and Node.js and npm of this machine. Their sizes are those of the real ones within a few megabytes.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What gcr.io/distroless/cc-debian12 is made of. */
const BASE = [
  'base-files',
  'ca-certificates',
  'netbase',
  'tzdata',
  'libc6',
  'libgcc-s1',
  'libgomp1',
  'libssl3',
  'libstdc++6',
];
/** And what a shell with its usual commands takes. */
const SHELL = [
  'bash',
  'dash',
  'coreutils',
  'libacl1',
  'libattr1',
  'libgmp10',
  'libpcre2-8-0',
  'libselinux1',
  'libtinfo6',
  'sed',
  'grep',
  'findutils',
  'zlib1g',
];

function unpack(packages: readonly string[], debs: string, root: string): void {
  execFileSync('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', ...packages], {
    cwd: debs,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const deb of readdirSync(debs)) execFileSync('dpkg-deb', ['--extract', path.join(debs, deb), root]);
}

/** @returns the root of the small image. */
export function baseRoot(scratch: string): string {
  const [root, debs] = [path.join(scratch, 'base'), path.join(scratch, 'base-debs')];
  for (const folder of [root, debs]) mkdirSync(folder);
  unpack(BASE, debs, root);
  // As in the real one: no documents of packages.
  execFileSync('rm', [
    '-rf',
    ...['doc', 'man', 'info', 'locale', 'bash-completion'].map((name) => path.join(root, 'usr/share', name)),
  ]);
  writeFileSync(
    path.join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
  );
  writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n');
  mkdirSync(path.join(root, 'tmp'), { recursive: true, mode: 0o1777 });
  return root;
}

/** @param node the binary. @returns the root of the image that builds: the small one with a shell, Node.js and npm. */
export function buildRoot(scratch: string, base: string, node: string): string {
  const [root, debs] = [path.join(scratch, 'build'), path.join(scratch, 'build-debs')];
  mkdirSync(debs);
  cpSync(base, root, { recursive: true, verbatimSymlinks: true });
  unpack(SHELL, debs, root);
  const local = path.join(root, 'usr/local');
  for (const folder of ['bin', 'lib/node_modules']) mkdirSync(path.join(local, folder), { recursive: true });
  cpSync(node, path.join(local, 'bin/node'));
  const npm = path.dirname(
    path.dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())),
  );
  cpSync(npm, path.join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
  return root;
}
