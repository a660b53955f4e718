/**
 * `npm run sbom` prints the software bill of materials in CycloneDX 1.5, as npm makes it from package-lock.json: every
 * package that a server runs on, with version, checksum and licence. It fails when one lacks any of these.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { LICENCES_READ } from './licences.ts';
import { ROOT } from './steps.ts';

interface Component {
  name?: string;
  version?: string;
  purl?: string;
  hashes?: readonly { alg?: string; content?: string }[];
  licenses?: readonly { license?: { id?: string } }[];
}

interface Bom {
  bomFormat?: string;
  specVersion?: string;
  serialNumber?: string;
  components?: readonly Component[];
}

const BOM_BYTES_MAX = 64 * 1024 * 1024;
/** Packages of this repository: they come from no registry, so they have no checksum. */
const OWN = /^pkg:npm\/(%40transaction-ledger\/|transaction-ledger@)/;
const SHA_512 = /^[0-9a-f]{128}$/;

/** @returns a sentence for each missing part. */
export function sbomFaults(text: string): string[] {
  let bom: Bom;
  try {
    bom = JSON.parse(text) as Bom;
  } catch {
    return ['The SBOM is no JSON.'];
  }
  const faults: string[] = [];
  if (bom.bomFormat !== 'CycloneDX' || bom.specVersion !== '1.5') faults.push('The SBOM is not CycloneDX 1.5.');
  if (!/^urn:uuid:[0-9a-f-]{36}$/.test(bom.serialNumber ?? '')) faults.push('The SBOM has no serial number.');
  const components = bom.components ?? [];
  if (components.length === 0) faults.push('The SBOM names no package.');
  for (const { name, version, purl, hashes, licenses } of components) {
    const what = `${name ?? '(no name)'} ${version ?? '(no version)'}`;
    if (!name || !version || !purl?.startsWith('pkg:npm/')) faults.push(`${what} has no name, version or package URL.`);
    else if (OWN.test(purl)) continue;
    if (!hashes?.some(({ alg, content }) => alg === 'SHA-512' && SHA_512.test(content ?? '')))
      faults.push(`${what} has no SHA-512.`);
    if (!licenses?.some(({ license }) => license?.id) && LICENCES_READ[`${name} ${version}`] === undefined)
      faults.push(`${what} has no licence.`);
  }
  return faults;
}

function makeSbom(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--loglevel=error'];
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: BOM_BYTES_MAX });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return stdout;
}

if (import.meta.main) {
  const text = makeSbom();
  const faults = sbomFaults(text);
  for (const fault of faults) console.error(fault);
  process.stdout.write(text);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
