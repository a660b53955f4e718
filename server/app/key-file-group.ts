/**
 * The group that may read key files beside their owner (TXLEDGER_KEY_FILE_GROUP): where a container, a secret store or configuration management
 * owns the files as root and gives the service a group.
 *
 * @module
 */
import { readFileSync } from 'node:fs';

const GROUPS = '/etc/group';
/** The largest that Linux gives; the one above means "no change". */
const GID_MAX = 2 ** 32 - 2;
const NUMBER = /^(0|[1-9][0-9]{0,9})$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/;

/**
 * A number, or the name of a group of this machine. Groups of a directory service are not in the file: name those by their number.
 *
 * @returns the group's number; undefined where there is no such group.
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
