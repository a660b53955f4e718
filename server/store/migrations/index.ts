/** Every migration in order. The list is written by hand because a folder scan would run whatever lies in the folder. */
import type { Migration } from 'kysely/migration';
import type { SqlFragments } from '../sql-fragments.ts';
import * as initial from './0001-initial.ts';
import * as leases from './0002-leases.ts';
import * as leaseSessions from './0003-lease-sessions.ts';
import * as validatorSets from './0004-validator-sets.ts';
import * as placesWithoutOwner from './0005-places-without-owner.ts';
import * as audit from './0006-audit.ts';
import * as idempotencyKeys from './0007-idempotency-keys.ts';
import * as paymentMembers from './0008-payment-members.ts';
import * as governanceRecord from './0009-governance-record.ts';

export function migrations(fragments: SqlFragments): Record<string, Migration> {
  return {
    '0001-initial': { up: (db) => initial.up(db, fragments) },
    '0002-leases': { up: (db) => leases.up(db) },
    '0003-lease-sessions': { up: (db) => leaseSessions.up(db) },
    '0004-validator-sets': { up: (db) => validatorSets.up(db, fragments) },
    '0005-places-without-owner': { up: (db) => placesWithoutOwner.up(db) },
    '0006-audit': { up: (db) => audit.up(db, fragments) },
    '0007-idempotency-keys': { up: (db) => idempotencyKeys.up(db) },
    '0008-payment-members': { up: (db) => paymentMembers.up(db) },
    '0009-governance-record': { up: (db) => governanceRecord.up(db) },
  };
}
