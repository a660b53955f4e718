/** Submit queue of a gateway with a store of rows: a group is one transaction of the store, serialised with all other writes. */
import type { StoredAccount } from '../../store/index.ts';
import type { CoreState } from '../core-state.ts';
import { Intake } from '../intake.ts';
import type { Reflection } from '../reflection.ts';
import { restOf } from '../rest.ts';
import type { AcceptContext } from './accept-group.ts';
import { acceptGroup } from './accept-group.ts';
import type { GroupMoment } from './group.ts';

export function momentOf({
  clock,
  chainClock,
  uptime,
}: Pick<CoreState, 'clock' | 'chainClock' | 'uptime'>): GroupMoment {
  return { nowMs: clock.nowMs(), believedMs: chainClock.nowMs(), uptimeMs: uptime.nowMs() };
}

export function storeIntake(state: CoreState, reflection: Pick<Reflection, 'accepted'>): Intake {
  const { store, chain, limits, clock, logger, pending, lifecycle, counts, traces } = state;
  const moment: AcceptContext['moment'] = () => momentOf(state);
  // Where several gateways share the store, memory has the transfers that others accepted only a moment later.
  const alone = store.sharing === undefined && { takenBy: (account: StoredAccount) => pending.takenBy(account.id) };
  const context: AcceptContext = { store, chain, limits, moment, ...alone };
  return new Intake({
    lifecycle,
    counts,
    clock,
    logger,
    accept: async (group, waits) => {
      const {
        judgements,
        gapOf = ({ fromId }) => pending.gapOf(fromId),
        ...changes
      } = await acceptGroup(context, group, waits);
      reflection.accepted(changes);
      return { judgements, gapOf };
    },
    inTurn: (work) => state.lane.share(work),
    rest: restOf(state),
    traces,
  });
}
