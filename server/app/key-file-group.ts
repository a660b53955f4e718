/**
 * The group that may read key files beside their owner (TXLEDGER_KEY_FILE_GROUP): for containers, secret stores and configuration
 * management that own the files as root and give the service a group.
 *
 * @module
 */
import { readFileSync } from 'node:fs';

const GROUPS = '/etc/group';
/** The largest group number of Linux; the next number means "no change". */
const GID_MAX = 2 ** 32 - 2;
const NUMBER = /^(0|[1-9][0-9]{0,9})$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/;

/**
 * Parses the number, or the name, of a group of this machine. Groups of a directory service are not in the file: name them by number.
 *
 * @returns the group's number; undefined for an unknown group.
 */
export function parseGroup(text: string, file: string = GROUPS): number | undefined {
  if (NUMBER.test(text)) return Number(text) <= GID_MAX ? Number(text) : undefined;
  if (!NAME.test(text)) return undefined;
  let groups: string;
  try {
    groups = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const gid = groups
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === text)?.[2];
  // A line without a number must not become the group 0.
  return gid !== undefined && NUMBER.test(gid) ? Number(gid) : undefined;
}
