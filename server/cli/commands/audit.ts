/**
 * `txledger audit list|submission`: reads the audit trail in the database, with or without a running server.
 *
 * @module
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { AUDIT_ACTIONS, type AuditAction } from '../../gateway/index.ts';
import type { AuditQuery, StoredAuditEntry } from '../../store/index.ts';
import { onDatabase } from '../database.ts';
import { parseDuration } from '../duration.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { parseMoment } from '../moment.ts';
import { facts, print, time, withJson, withWide } from '../output.ts';
import { table, type Column } from '../table.ts';
import { withValues } from '../values.ts';

const LIMIT_DEFAULT = 50;
/** Most entries, because they are held in memory; --before pages through more. */
const LIMIT_MAX = 10_000;
const TX_HASH = /^[0-9A-Fa-f]{64}$/;

interface ListOptions {
  readonly since?: number;
  readonly action?: readonly AuditAction[];
  readonly limit: number;
  readonly before?: number;
}

/** A moment, or a duration back from now. @returns milliseconds since 1970. */
function parseSince(text: string): number {
  const ms = parseMoment(text);
  if (!Number.isNaN(ms)) return ms;
  try {
    return Date.now() - parseDuration(text);
  } catch {
    throw new InvalidArgumentError(
      'expected a moment such as 2026-11-22 or 2026-11-22T10:30:00Z, or how long ago, such as 90s, 12h or 30d.',
    );
  }
}

function parseNumber(text: string, max: number): number {
  const value = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new InvalidArgumentError(`expected a whole number from 1 to ${max}.`);
  return value;
}

const parseAction = (text: string, actions: readonly AuditAction[] = []): readonly AuditAction[] => {
  const action = AUDIT_ACTIONS.find((known) => known === text);
  if (action === undefined) throw new InvalidArgumentError(`expected one of ${AUDIT_ACTIONS.join(', ')}.`);
  return [...actions, action];
};

function documentOf({ id, atMs, ...entry }: StoredAuditEntry): object {
  return { id, at: time(atMs), ...entry };
}

/** Formats the details for a person, on one line. */
const valueText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);

const detailsText = ({ details }: StoredAuditEntry): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ');

const COLUMNS: readonly Column<StoredAuditEntry>[] = [
  { header: 'id', kind: 'amount', value: ({ id }) => String(id) },
  { header: 'time', kind: 'time', value: ({ atMs }) => time(atMs) },
  { header: 'actor', kind: 'text', value: ({ actor }) => actor },
  { header: 'action', kind: 'plain', value: ({ action }) => action },
  { header: 'subject', kind: 'key', value: ({ subject }) => subject },
  { header: 'details', kind: 'text', value: detailsText },
];

async function list({ since, action, limit, before }: ListOptions): Promise<void> {
  const query: AuditQuery = {
    limit,
    ...(since === undefined ? {} : { sinceMs: since }),
    ...(action === undefined ? {} : { actions: action }),
    ...(before === undefined ? {} : { before }),
  };
  const entries = (await onDatabase((access) => access.audit(query))).toReversed();
  print({ entries: entries.map(documentOf) }, table(COLUMNS, entries, { none: 'no entries' }));
}

async function submission(txHash: string): Promise<void> {
  if (!TX_HASH.test(txHash))
    throw new CommandError(`${JSON.stringify(txHash.slice(0, 100))} is no transaction hash: expected 64 hex digits.`);
  const hash = txHash.toUpperCase();
  const found = await onDatabase((access) => access.submission(hash));
  if (found === undefined)
    throw new CommandError(`No transaction with the hash ${hash} is in this database.`, 'usage', {
      code: 'not_found',
      txHash: hash,
    });
  const { owner, tokenId, firstSeenAtMs, cancelTokenId, cancelRequestedAtMs } = found;
  const document = {
    txHash: found.hash,
    firstSeenAt: time(firstSeenAtMs),
    ...(owner === undefined ? {} : { owner }),
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(cancelRequestedAtMs === undefined ? {} : { cancelRequestedAt: time(cancelRequestedAtMs) }),
    ...(cancelTokenId === undefined ? {} : { cancelTokenId }),
  };
  const noToken =
    owner === undefined
      ? 'none: broadcast without a token, or first seen in a block'
      : 'not known: accepted before tokens were written down';
  const cancelled =
    cancelRequestedAtMs === undefined
      ? []
      : [['cancel asked for', `${time(cancelRequestedAtMs)} with token ${cancelTokenId ?? 'not known'}`] as const];
  print(
    document,
    facts([
      ['hash', found.hash],
      ['first seen', time(firstSeenAtMs)],
      ['owner', owner ?? 'none'],
      ['token', tokenId ?? noToken],
      ...cancelled,
    ]),
  );
}

export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('who did what: the audit trail, which the database lets no one change');
  const listing = audit
    .command('list')
    .description('list the newest entries, the newest last: id, time, who, what, on what, details')
    .addOption(
      new Option(
        '--since <when>',
        'entries of this moment or later: 2026-11-22, 2026-11-22T10:30:00Z, or how long ago (12h)',
      ).argParser(parseSince),
    )
    .addOption(
      withValues(
        new Option('--action <action>', `one of ${AUDIT_ACTIONS.join(', ')}; may be repeated`).argParser(parseAction),
        AUDIT_ACTIONS,
      ),
    )
    .addOption(
      new Option('--limit <count>', 'at most so many')
        .argParser((text) => parseNumber(text, LIMIT_MAX))
        .default(LIMIT_DEFAULT),
    )
    .addOption(
      new Option('--before <id>', 'only entries before this one').argParser((text) =>
        parseNumber(text, Number.MAX_SAFE_INTEGER),
      ),
    )
    .action((options: ListOptions) => runCommand(() => list(options)));
  withExamples(
    withJson(withWide(listing)),
    'txledger audit list',
    'txledger audit list --since 30d --action token.create --action token.revoke --limit 1000 --json',
  );

  const asking = audit
    .command('submission')
    .description('print which token submitted a transaction, and which asked for its cancel')
    .argument('<txHash>')
    .action((txHash: string) => runCommand(() => submission(txHash)));
  withExamples(withJson(asking), 'txledger audit submission "$HASH"', 'txledger audit submission "$HASH" --json');
}
