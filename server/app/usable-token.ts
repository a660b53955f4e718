/**
 * Whether anybody could call the service: nothing is made behind the operator's back, so there has to be a token that he made.
 *
 * @module
 */
import type { Clock } from '../engine/ports.ts';
import type { AdminStore } from '../store/index.ts';
import { describeLocation, type AdminLocation } from './store-location.ts';

/** What leads a command to the database. */
const VARIABLES = { chain: 'DATA_DIR', sqlite: 'DATA_DIR and ENGINE=cometbft', postgres: 'DATABASE_URL' } as const;

/** @returns what to do when there is none; undefined when there is one. */
export async function missingToken(
  store: Pick<AdminStore, 'now'>,
  location: AdminLocation,
  clock: Clock,
): Promise<string | undefined> {
  const nowMs = clock.nowMs();
  const usable = (await store.now.tokens()).some(
    (token) => token.revokedAtMs === undefined && (token.expiresAtMs ?? Infinity) > nowMs,
  );
  if (usable) return undefined;
  return (
    `There is no usable token in ${describeLocation(location)}: nobody could call the service. ` +
    `Make one first, with the same ${VARIABLES[location.kind]}: ` +
    'txledger token create --owner NAME --scope transactions:read --scope transactions:write'
  );
}
