/**
 * /.well-known/security.txt (RFC 9116): where to report a vulnerability of this service.
 *
 * No `Canonical`: behind a proxy this process does not know the address under which it is read, and a wrong one makes the
 * file worthless. No `Encryption`: `Contact` may be an https page that says more.
 */
import { SECURITY_TXT_VALID_DAYS } from '../limits.ts';

const DAY_MS = 86_400_000;

export function securityTxt(contact: string, nowMs: number): Buffer {
  // Whole days, so that it reads the same all day long.
  const expires = new Date((Math.floor(nowMs / DAY_MS) + SECURITY_TXT_VALID_DAYS) * DAY_MS).toISOString().replace('.000Z', 'Z');
  return Buffer.from(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
}
