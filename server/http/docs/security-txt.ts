/**
 * /.well-known/security.txt (RFC 9116): the contact for reports of vulnerabilities.
 *
 * `Canonical` is present only with PUBLIC_URL: behind a proxy this process cannot determine its public address, and a wrong one makes the
 * file worthless. `Encryption` is left out: `Contact` may be an https page with more details.
 */
import { SECURITY_TXT_VALID_DAYS } from '../limits.ts';

const DAY_MS = 86_400_000;
const PATH = '.well-known/security.txt';

/** @param publicUrl ends in a slash. */
export function securityTxt(contact: string, publicUrl: string | undefined, nowMs: number): Buffer {
  // In whole days, so that the text is the same all day long.
  const expires = new Date((Math.floor(nowMs / DAY_MS) + SECURITY_TXT_VALID_DAYS) * DAY_MS)
    .toISOString()
    .replace('.000Z', 'Z');
  const canonical = canonicalUris(publicUrl).map((uri) => `Canonical: ${uri}\n`);
  return Buffer.from(`Contact: ${contact}\nExpires: ${expires}\n${canonical.join('')}Preferred-Languages: en\n`);
}

/**
 * Web URIs in the file must be https (section 2.5.2). With a base path the file applies at the root of the host (section 3), and a proxy
 * has to serve it there.
 */
function canonicalUris(publicUrl: string | undefined): string[] {
  if (publicUrl?.startsWith('https://') !== true) return [];
  return [...new Set([new URL(`/${PATH}`, publicUrl).href, `${publicUrl}${PATH}`])];
}
