/**
 * Versions of the rules, and the height from which each is in force.
 *
 * A rule that changes the effect of a block cannot change in the middle of a chain on one replica before it does on another. So a later
 * version of the program brings its rule with a version number, the governors set the height from which that number is in force, and the
 * rule reads `rulesVersionAt`. Nodes are upgraded one by one before that height; one that was not stops there, because going on would be
 * another chain.
 */
import type { GovernanceState } from './state.ts';

/** The newest version of the rules that this program implements; 1 is the first there is. */
export const RULES_VERSION_KNOWN = 1;

/** The version of the rules under which the block at a height is made and executed. `governance` is that before the block. */
export function rulesVersionAt({ rules }: Pick<GovernanceState, 'rules'>, height: number): number {
  // The first is always in force from height 1 on.
  return rules.findLast((activation) => activation.height <= height)?.version ?? (rules[0]?.version as number);
}

/** The chain goes on under rules that this program does not have. */
export class UnknownRulesError extends Error {
  override readonly name = 'UnknownRulesError';
}

/** @throws UnknownRulesError when the block at this height is to be executed under rules that this program does not have. */
export function assertRulesKnown(governance: Pick<GovernanceState, 'rules'>, height: number): void {
  const version = rulesVersionAt(governance, height);
  if (version <= RULES_VERSION_KNOWN) return;
  throw new UnknownRulesError(
    `from height ${height} on the chain follows version ${version} of its rules, and this program knows version ${RULES_VERSION_KNOWN} at most: ` +
      'install a version of txledger that knows them and start it again. Nothing of that block was executed',
  );
}
