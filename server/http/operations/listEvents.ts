/** GET /events: a page of the event log, or the log as a stream of server-sent events. */
import { parsePlace } from '../../gateway/event-place.ts';
import { EVENT_TYPES } from '../../gateway/event-types.ts';
import type { EventQuery, Principal } from '../../gateway/types.ts';
import { scopeChallenge } from '../bearer.ts';
import { costOfEventRows } from '../cost.ts';
import { longPage } from '../events/long-page.ts';
import { handler } from '../typed/exact.ts';
import type { Call, Handler, ProblemReply } from '../typed/types.ts';
import { eventResource } from './event-resource.ts';
import type { HandlerParts } from './parts.ts';

/** The contract's default: the validator inserts it, and this is used if it ever does not. */
const LIMIT_DEFAULT = 10;

export function listEvents({ gateway, eventStreams }: HandlerParts): Handler<'listEvents'> {
  return handler('listEvents', async (call) => {
    const { query, principal, mediaType } = call;
    const fault = ownerFault(query.owner, principal) ?? typeFault(query.type);
    if (fault !== undefined) return fault;
    if (mediaType === 'text/event-stream') {
      if (eventStreams !== undefined) return await eventStreams.open(call);
      return {
        problem: {
          code: 'not_acceptable',
          detail: 'This service has the event log as pages only. Ask for application/json.',
        },
      };
    }
    const asked = pageQuery(query);
    if ('problem' in asked) return asked;
    const page = await longPage(gateway, asked);
    if (!page.ok) return { refusal: page };
    const { height, nextCursor, scanned } = page;
    return {
      status: 200,
      cost: costOfEventRows(scanned),
      ledgerHeight: height,
      body: { events: page.events.map(eventResource), height, ...(nextCursor === undefined ? {} : { nextCursor }) },
    };
  });
}

/** Transactions that an owner submitted are visible only to its own tokens, and to those that may act for all. */
function ownerFault(owner: string | undefined, principal: Principal): ProblemReply<'listEvents'> | undefined {
  if (owner === undefined || owner === principal.owner || principal.scopes.includes('transactions:cancel-any'))
    return undefined;
  const detail =
    `The token belongs to ${principal.owner}. What another owner submitted needs the scope transactions:cancel-any.` as const;
  return {
    problem: {
      code: 'insufficient_scope',
      detail,
      headers: { 'WWW-Authenticate': scopeChallenge(['transactions:read', 'transactions:cancel-any']) },
    },
  };
}

/** The contract's list of types may grow, so its schema has only a pattern: the types of this version are checked here. */
function typeFault(type: string | undefined): ProblemReply<'listEvents'> | undefined {
  if (type === undefined || (EVENT_TYPES as readonly string[]).includes(type)) return undefined;
  return {
    problem: {
      code: 'invalid_request',
      detail: 'The parameter type is no type of event that this version knows. Send one of those that errors names.',
      errors: [{ pointer: '#/query/type', message: `It must be one of ${EVENT_TYPES.join(', ')}.` }],
    },
  };
}

function pageQuery({ after, order, ...query }: Call<'listEvents'>['query']): EventQuery | ProblemReply<'listEvents'> {
  const { limit = LIMIT_DEFAULT, cursor, account, owner, type, reference, status } = query;
  const filters = { limit, cursor, account, owner, type, reference, status };
  if (after === undefined) return { ...filters, order: order ?? 'desc' };
  if (order === 'desc') {
    return {
      problem: {
        code: 'invalid_request',
        detail: 'What comes after a place is told in the order of the chain. Leave order out, or after.',
        errors: [{ pointer: '#/query/order', message: 'With after it is asc.' }],
      },
    };
  }
  const place = parsePlace(after);
  if (place === undefined) {
    return {
      problem: {
        code: 'invalid_request',
        detail: 'The parameter after is no place in the log. Send the id of an event or the height of a block.',
        errors: [{ pointer: '#/query/after', message: 'It must be at most 2^53 - 1 in both numbers.' }],
      },
    };
  }
  return { ...filters, order: 'asc', after: place };
}
