/**
 * The entry of a change of tokens, bound addresses, webhooks or the audit trail: its writes of rows, in order. Its lines of the audit trail
 * are in it with their times, so chain.db has the same trail whenever it is written.
 */
import { LaterVersionError } from '../errors.ts';
import type { AccessWrite } from '../access-types.ts';
import type { StoredToken } from '../types.ts';
import { isLoggedWebhookWrite, type LoggedWebhookWrite } from './webhooks.ts';

export type EntryWrite = AccessWrite | LoggedWebhookWrite;

/** Names of the writes in an entry, the same as of the calls that write rows. */
const WRITES: Readonly<Record<AccessWrite[0], true>> = {
  insertToken: true,
  revokeToken: true,
  expireToken: true,
  setTokenScopes: true,
  setTokenLimits: true,
  saveBinding: true,
  removeBinding: true,
  markTokensUsed: true,
  appendAudit: true,
};

export function encodeAccess(writes: readonly EntryWrite[]): string {
  return JSON.stringify(
    writes.map((write) =>
      write[0] === 'insertToken'
        ? [write[0], { ...write[1], secretSha256: Buffer.from(write[1].secretSha256).toString('hex') }]
        : write,
    ),
  );
}

/**
 * Throws LaterVersionError for a change that this program does not have, and TypeError or SyntaxError for a text that is not a list of
 * changes.
 */
export function decodeAccess(text: string): EntryWrite[] {
  return (JSON.parse(text) as EntryWrite[]).map((write) => {
    if (!Array.isArray(write) || !(Object.hasOwn(WRITES, write[0]) || isLoggedWebhookWrite(write[0])))
      throw new LaterVersionError(
        `log.db has a change of access ${JSON.stringify(write)}, which this program does not know: a later version wrote it; run that one`,
      );
    if (write[0] !== 'insertToken') return write;
    const { secretSha256, ...token } = write[1] as Omit<StoredToken, 'secretSha256'> & { secretSha256: unknown };
    return [write[0], { ...token, secretSha256: Buffer.from(secretSha256 as string, 'hex') } as StoredToken];
  });
}
