/** The event log: no gap and nothing twice across pages and streams. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, Skipped } from '../expect.ts';
import type { Session } from '../session.ts';
import type { Account } from '../signer.ts';

const WHERE = 'the contract, listEvents';
const EVENT_MS_MAX = 30_000;
const WAIT = { prefer: 'wait=30' };

export async function eventPages(session: Session, query: string): Promise<any[]> {
  const events: any[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { body }: { body: any } = await session.ask(
      'listEvents',
      `/events?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    events.push(...body.events);
    cursor = body.nextCursor;
  }
  return events;
}

/** The last block whose events can be read. */
export const placeNow = async (session: Session): Promise<number> =>
  (await session.ask('listEvents', '/events?limit=1')).body.height;

const isBefore = (a: string, b: string): boolean => {
  const [[heightA = 0, indexA = 0], [heightB = 0, indexB = 0]] = [a, b].map((id) => id.split('-').map(Number)) as [
    number[],
    number[],
  ];
  return heightA < heightB || (heightA === heightB && indexA < indexB);
};

function expectInOrder(events: readonly { id: string }[], what: string): void {
  for (const [at, { id }] of events.slice(1).entries())
    expect(isBefore(events[at]?.id ?? '', id), `${what}: ${events[at]?.id} comes before ${id}`);
}

/** Three that are committed and one that is cancelled, the last of all. @returns their hashes. */
async function payAndCancel(session: Session, account: Account, reference: string): Promise<string[]> {
  const to = session.receiver();
  const hashes: string[] = [];
  for (const nonce of [0, 1, 2]) {
    const signed = session.sign(account, { to, amount: '1', nonce, reference });
    await session.pay(signed);
    hashes.push(signed.txHash);
  }
  const waiting = session.sign(account, { to, amount: '1', nonce: 5, reference });
  await session.submit(waiting);
  await session.cancel(waiting.txHash, WAIT);
  return [...hashes, waiting.txHash];
}

const referenceOf = (account: Account): string => `EV-${account.address.slice(-12)}`;

export const EVENT_CHECKS: readonly Check[] = [
  {
    id: 'event.pages',
    promise:
      'the pages joined are the whole log: every transfer that a block decided, once, in the order of the chain, and the same when it is read again',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      const hashes = await payAndCancel(session, account, referenceOf(account));
      const all = await eventPages(session, `after=${after}&limit=2`);
      expectInOrder(all, 'the log');
      const again = await eventPages(session, `after=${after}&limit=1000`);
      expectEqual(again.slice(0, all.length), all, 'the log in larger pages, and in pages of two');
      const own = all.filter(({ data }) => data.transaction.from === account.address);
      expectEqual(
        own.map(({ type, data }) => [type, data.transaction.txHash, data.transaction.status]),
        hashes.map((txHash, at) =>
          at < 3 ? ['transaction.committed', txHash, 'committed'] : ['transaction.cancelled', txHash, 'cancelled'],
        ),
        'type, hash and status of the events of an account',
      );
      for (const { id, data } of own) {
        expectEqual(id, `${data.height}-${data.index}`, 'the id of an event');
        if (data.transaction.status === 'committed')
          expectEqual(
            (await session.read(data.transaction.txHash)).body.height,
            data.height,
            'height of event and transfer',
          );
      }
      expectEqual(
        await eventPages(session, `after=${after}&account=${account.address}&limit=1`),
        own,
        'the log of the account, page by page',
      );
      expectEqual(
        await eventPages(session, `reference=${referenceOf(account)}&order=desc`),
        own.toReversed(),
        'the log of the reference, newest first',
      );
      expectEqual(
        await eventPages(session, `after=${own[1].id}&account=${account.address}`),
        own.slice(2),
        'what comes after the second',
      );
      expectEqual(
        (await eventPages(session, `after=${after}&account=${account.address}&status=cancelled`)).map(({ id }) => id),
        [own[3].id],
        'what was cancelled',
      );
      expectProblem(
        await session.ask('listEvents', `/events?after=${after}&order=desc`),
        'invalid_request',
        '#/query/order',
      );
    },
  },
  {
    id: 'event.filters',
    promise:
      'all filters that are given must match, in pages and in a stream alike; a cursor under others and a type that is unknown are 400',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      const to = session.receiver();
      const reference = referenceOf(account);
      const filters = [
        `account=${account.address}`,
        `account=${to}`,
        `account=${to}&status=cancelled`,
        `account=${to}&type=transaction.committed`,
        `reference=${reference}`,
        `account=${to}&reference=${reference}&status=committed&type=transaction.committed`,
      ];
      // Those of a filter that takes what comes last are there when all are.
      const streams = await Promise.all(filters.map((filter) => session.follow(`/events?${filter}&after=${after}`)));
      try {
        await session.pay(session.sign(account, { to, amount: '1', nonce: 0, reference }));
        const waiting = session.sign(account, { to, amount: '1', nonce: 2 });
        await session.submit(waiting);
        await session.cancel(waiting.txHash, WAIT);
        await session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce: 1 }));
        for (const [at, count] of [3, 2, 1, 1, 1, 1].entries()) {
          const pages = await eventPages(session, `after=${after}&${filters[at]}&limit=1`);
          expectEqual(pages.length, count, `how many events there are with ${filters[at]}`);
          const stream = streams[at];
          await stream?.until(
            () => stream.events().length >= count,
            EVENT_MS_MAX,
            `what a stream has with ${filters[at]}`,
          );
          expectEqual(
            stream?.events().map(({ data }) => data),
            pages,
            `the events of a stream and those of the pages, with ${filters[at]}`,
          );
        }
      } finally {
        for (const stream of streams) stream.close();
      }
      for (const none of ['type=transaction.committed&status=cancelled', `reference=${reference}&status=cancelled`])
        expectEqual(await eventPages(session, `account=${account.address}&${none}`), [], `what there is with ${none}`);
      const { nextCursor } = (await session.ask('listEvents', `/events?account=${account.address}&order=asc&limit=1`))
        .body;
      expect(typeof nextCursor === 'string', 'the first of three pages has a nextCursor');
      for (const other of [
        'order=asc',
        `account=${account.address}`,
        `account=${account.address}&order=asc&status=committed`,
      ])
        expectProblem(
          await session.ask('listEvents', `/events?${other}&cursor=${nextCursor}`),
          'invalid_request',
          '#/query/cursor',
        );
      expectProblem(
        await session.ask('listEvents', '/events?type=transaction.imagined'),
        'invalid_request',
        '#/query/type',
      );
    },
  },
  {
    id: 'event.owner',
    promise: 'what another owner submitted is 403 without transactions:cancel-any, as a page and as a stream',
    where: 'the contract, the parameter owner',
    run: async (session) => {
      const { readToken } = session.tokens;
      if (readToken === undefined) throw new Skipped('needs --read-token');
      for (const accept of ['application/json', 'text/event-stream'])
        expectProblem(
          await session.ask('listEvents', '/events?owner=conformance-nobody', {
            headers: { accept, authorization: `Bearer ${readToken}` },
          }),
          'insufficient_scope',
        );
    },
  },
  {
    id: 'event.stream',
    promise:
      'a stream that is connected again with the last id misses nothing and repeats nothing, and has what the pages have',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      const open = (headers: Record<string, string> = {}) =>
        session.follow(`/events?account=${account.address}&after=${after}`, headers);
      const live = await open();
      try {
        expectEqual([live.status, live.mediaType], [200, 'text/event-stream'], 'status and media type of a stream');
        await payAndCancel(session, account, referenceOf(account));
        await live.until(() => live.events().length >= 4, EVENT_MS_MAX, 'the fourth event of a stream');
        const pages = await eventPages(session, `after=${after}&account=${account.address}`);
        expectEqual(
          live.events().map(({ data }) => data),
          pages,
          'the events of the stream and those of the pages',
        );
        for (const { id, event, data } of live.events())
          expectEqual([id, event], [data.id, data.type], 'the id and event lines of an event');
        expect(
          /^retry: \d+$/m.test(live.text()) && /^: height \d+$/m.test(live.text()),
          'a stream begins with retry and height',
        );
        const again = await open({ 'last-event-id': pages[0].id });
        try {
          await again.until(
            () => again.events().length >= 3,
            EVENT_MS_MAX,
            'the third event of a stream that was connected again',
          );
          await session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce: 3 }));
          await again.until(
            () => again.events().length >= 4,
            EVENT_MS_MAX,
            'a new event of a stream that was connected again',
          );
          expectEqual(
            again.events().map(({ data }) => data),
            (await eventPages(session, `after=${after}&account=${account.address}`)).slice(1),
            'the events behind the last id',
          );
        } finally {
          again.close();
        }
      } finally {
        live.close();
      }
      const refused = await session.ask('listEvents', '/events?limit=2', { headers: { accept: 'text/event-stream' } });
      expectProblem(refused, 'invalid_request', '#/query/limit');
    },
  },
];
