/**
 * Checks that someone can call the service: production makes no token itself, so the operator must have made one.
 *
 * @module
 */
import type { Clock } from '../engine/ports.ts';
import type { AdminStore } from '../store/index.ts';
import { describeLocation, type AdminLocation } from './store-location.ts';

/** Variables by which a command finds the database. */
const VARIABLES = { chain: 'DATA_DIR', sqlite: 'DATA_DIR and ENGINE=cometbft', postgres: 'DATABASE_URL' } as const;

/** @returns the remedy if there is no usable token; otherwise undefined. */
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
