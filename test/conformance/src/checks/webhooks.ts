/** Webhooks end to end: what is made, what arrives at a receiver of the kit's own, and what the log says of it. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, Skipped } from '../expect.ts';
import type { Answer } from '../http.ts';
import { Receiver, signedBy } from '../receiver.ts';
import type { Session } from '../session.ts';
import { eventPages, placeNow } from './events.ts';

const WHERE = 'the contract, tag Webhooks';
/** A message that was not taken is sent again after seconds. */
const MESSAGES_MS_MAX = 60_000;
/** After the answer that disables a webhook. */
const DISABLED_MS_MAX = 10_000;
const POLL_MS = 100;

async function withReceiver(
  session: Session,
  name: string,
  filters: object,
  use: (receiver: Receiver, webhook: any) => Promise<void>,
): Promise<void> {
  const receiver = await Receiver.open(session, name);
  let id: string | undefined;
  try {
    const { status, body } = await session.manage('createWebhook', '/webhooks', {
      body: { url: receiver.url, ...filters },
    });
    expectEqual([status, body?.status], [201, 'enabled'], 'status code and status of a new webhook');
    ({ id } = body);
    await use(receiver, body);
  } finally {
    if (id !== undefined) await session.call(`/webhooks/${id}`, { method: 'DELETE' });
    await receiver.close();
  }
}

const deliveriesOf = async (session: Session, id: string): Promise<any[]> =>
  (await session.ask('listWebhookDeliveries', `/webhooks/${id}/deliveries?limit=100`)).body.deliveries.filter(
    ({ kind }: any) => kind !== 'disabled',
  );

/** The answer of the receiver is on record a moment after it was sent. */
async function logged(session: Session, id: string, count: number): Promise<any[]> {
  const deadline = Date.now() + MESSAGES_MS_MAX;
  for (;;) {
    const deliveries = await deliveriesOf(session, id);
    if (deliveries.length >= count) return deliveries;
    expect(Date.now() < deadline, `the log has ${deliveries.length} of ${count} attempts`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export const WEBHOOK_CHECKS: readonly Check[] = [
  {
    id: 'webhook.life',
    promise:
      'a webhook is made once for a URL, shown without its secret, changed member by member, and gone when it was deleted',
    where: WHERE,
    run: (session) =>
      withReceiver(session, 'life', { description: 'conformance' }, async (receiver, webhook) => {
        const path = `/webhooks/${webhook.id}`;
        expect(/^whsec_[A-Za-z0-9+/]{43}=$/.test(webhook.secret), 'a new webhook comes with its secret');
        const read = await session.ask('getWebhook', path);
        const listed = await session.ask('listWebhooks', '/webhooks');
        expectEqual(
          [read.body.url, read.body.description, read.body.id],
          [receiver.url, 'conformance', webhook.id],
          'URL, description and id of a webhook',
        );
        expect(
          listed.body.webhooks.some((each: any) => each.id === webhook.id),
          'the list has the webhook',
        );
        for (const { text, path: asked } of [read, listed])
          expect(!text.includes('whsec_'), `${asked} shows no secret`);
        expectProblem(
          await session.ask('createWebhook', '/webhooks', { body: { url: receiver.url } }),
          'webhook_exists',
        );
        const changed = await session.ask('updateWebhook', path, {
          method: 'PATCH',
          body: { types: ['transaction.failed'], status: 'disabled' },
        });
        expectEqual(
          [changed.body.types, changed.body.status, changed.body.description],
          [['transaction.failed'], 'disabled', 'conformance'],
          'what was changed, and what was left',
        );
        expectProblem(await session.ask('testWebhook', `${path}/test`, { method: 'POST' }), 'webhook_disabled');
        expectEqual(
          (await session.ask('deleteWebhook', path, { method: 'DELETE' })).status,
          204,
          'the status of a deletion',
        );
        expectProblem(await session.ask('deleteWebhook', path, { method: 'DELETE' }), 'not_found');
        expectProblem(await session.ask('getWebhook', path), 'not_found');
      }),
  },
  {
    id: 'webhook.changes',
    promise:
      'an empty value removes what a webhook had, null leaves it, and two spellings of a URL are one, as the URL standard writes it',
    where: 'the contract, WebhookUpdateInput and WebhookUrl',
    run: (session) => {
      const accounts = [session.receiver(), session.receiver()];
      const made = { description: 'conformance', accounts, types: ['transaction.failed'], submittedOnly: true };
      return withReceiver(session, 'changes', made, async (receiver, webhook) => {
        const path = `/webhooks/${webhook.id}`;
        const told = ({ description, accounts: of, types, submittedOnly }: any) => ({
          description,
          accounts: of,
          types,
          submittedOnly,
        });
        let expected: Record<string, unknown> = told(made);
        expectEqual(told(webhook), expected, 'description and filters of a new webhook');
        for (const [member, value] of Object.entries({
          description: '',
          accounts: [],
          types: [],
          submittedOnly: false,
        })) {
          for (const [sent, after] of [
            [null, expected[member]],
            [value, undefined],
          ]) {
            expected = { ...expected, [member]: after };
            const changed = await session.ask('updateWebhook', path, { method: 'PATCH', body: { [member]: sent } });
            expectEqual(told(changed.body), expected, `what is left with ${member} ${JSON.stringify(sent)}`);
          }
        }
        expectEqual(told((await session.ask('getWebhook', path)).body), expected, 'the same when it is read');
        const spelt = receiver.url
          .replace(/^https?/, (scheme) => scheme.toUpperCase())
          .replace(receiver.path, `/x/..${receiver.path}`);
        expectProblem(await session.ask('createWebhook', '/webhooks', { body: { url: spelt } }), 'webhook_exists');
        const other = await session.ask('createWebhook', '/webhooks', { body: { url: `${spelt}-2` } });
        try {
          expectEqual(other.body.url, `${receiver.url}-2`, 'how a URL is kept and shown');
          const taken = { method: 'PATCH', body: { url: spelt } };
          expectProblem(await session.ask('updateWebhook', `/webhooks/${other.body.id}`, taken), 'webhook_exists');
        } finally {
          await session.call(`/webhooks/${other.body.id}`, { method: 'DELETE' });
        }
      });
    },
  },
  {
    id: 'webhook.replayed',
    promise:
      'a replay sends the events of its range that match the filters as they are now, in the order of the chain, and no other',
    where: 'the contract, replayWebhook',
    accounts: 1,
    background: true,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      await withReceiver(session, 'replayed', { accounts: [account.address] }, async (receiver, webhook) => {
        const [to, another] = [session.receiver(), session.receiver()];
        for (const [nonce, receives] of [to, another, to, another].entries())
          await session.pay(session.sign(account, { to: receives, amount: '1', nonce }));
        await receiver.until(4, MESSAGES_MS_MAX);
        const log = await logged(session, webhook.id, 4);
        const path = `/webhooks/${webhook.id}`;
        await session.ask('updateWebhook', path, { method: 'PATCH', body: { accounts: [to] } });
        const ids = receiver.messages.map(({ id }) => id);
        const replay = await session.ask('replayWebhook', `${path}/replay`, {
          body: { after: String(after), until: ids[2] },
        });
        expectEqual(replay.status, 202, 'the status of a replay that was asked for');
        await receiver.until(6, MESSAGES_MS_MAX);
        // What a replay sends is sent before what is new, or beside it: then it is there when the next event is.
        await session.pay(session.sign(account, { to, amount: '1', nonce: 4 }));
        const fresh = (await eventPages(session, `account=${to}&limit=1`))[0]?.id;
        await receiver.until(7, MESSAGES_MS_MAX);
        const again = (await logged(session, webhook.id, log.length + 3)).filter(({ kind }) => kind === 'replay');
        expectEqual(
          again.map(({ eventId }) => eventId).toReversed(),
          [ids[0], ids[2]],
          'what was sent again, in its order',
        );
        expectEqual(
          receiver.messages.map(({ id }) => id).toSorted(),
          [...ids, ids[0], ids[2], fresh].toSorted(),
          'all that came',
        );

        // Its log has pages.
        const joined: any[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined;) {
          const { body }: { body: any } = await session.ask(
            'listWebhookDeliveries',
            `${path}/deliveries?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`,
          );
          expect(body.deliveries.length > 0, 'a page of the log has attempts, and the last one no nextCursor');
          joined.push(...body.deliveries);
          cursor = body.nextCursor;
        }
        const small: any[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined;) {
          const { body }: { body: any } = await session.ask(
            'listWebhookDeliveries',
            `${path}/deliveries?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
          );
          expect(
            body.deliveries.length > 0 && body.deliveries.length <= 2,
            'a page of the log has one or two attempts',
          );
          small.push(...body.deliveries);
          cursor = body.nextCursor;
        }
        // A notice of another webhook that is disabled may come at any time, at the beginning of the log.
        const withoutNotices = (log: readonly any[]): any[] => log.filter(({ kind }) => kind !== 'disabled');
        expectEqual(withoutNotices(small), withoutNotices(joined), 'the log in pages of two, and in one');
      });
    },
  },
  {
    id: 'webhook.passed-over',
    promise:
      'with resumeFrom now a webhook goes on behind what was not delivered, and with submittedOnly it gets only what its owner submitted',
    where: 'the contract, WebhookUpdateInput',
    accounts: 1,
    background: true,
    run: async (session) => {
      const account = await session.funded();
      const { otherToken } = session.tokens;
      if (otherToken === undefined) throw new Skipped('needs --other-token');
      const filters = { accounts: [account.address], submittedOnly: true };
      await withReceiver(session, 'passed-over', filters, async (receiver, webhook) => {
        const to = session.receiver();
        const signed = [0, 1, 2, 3].map((nonce) => session.sign(account, { to, amount: '1', nonce }));
        const [missed, byAnother, first, second] = signed;
        if (missed === undefined || byAnother === undefined) throw new Error('four were signed');
        const change = (body: object): Promise<Answer> =>
          session.ask('updateWebhook', `/webhooks/${webhook.id}`, { method: 'PATCH', body });
        await change({ status: 'disabled' });
        await session.pay(missed);
        expectEqual((await change({ status: 'enabled', resumeFrom: 'now' })).body.status, 'enabled', 'its status');
        await session.submit(byAnother, { authorization: `Bearer ${otherToken}` });
        expectEqual(await session.settled(byAnother.txHash), 'committed', 'the status of a transfer of another owner');
        for (const body of [first, second]) await session.pay(body ?? {});
        await receiver.until(2, MESSAGES_MS_MAX);
        expectEqual(
          receiver.messages.map(({ body }) => body.data.transaction.txHash),
          [first?.txHash, second?.txHash],
          'the transfers that the webhook is told of',
        );
      });
    },
  },
  {
    id: 'webhook.delivered',
    promise:
      'each event that matches arrives at least once, in the order of the chain, signed, and as the log has it; what was not taken comes again under the same id',
    where: WHERE,
    accounts: 1,
    background: true,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      const filters = { accounts: [account.address], types: ['transaction.committed'] };
      await withReceiver(session, 'delivered', filters, async (receiver, webhook) => {
        receiver.answers.push(500);
        const to = session.receiver();
        for (const nonce of [0, 1]) await session.pay(session.sign(account, { to, amount: '1', nonce }));
        // Another type, which the filter leaves out.
        const waiting = session.sign(account, { to, amount: '1', nonce: 9 });
        await session.submit(waiting);
        await session.cancel(waiting.txHash, { prefer: 'wait=30' });
        await session.pay(session.sign(account, { to, amount: '1', nonce: 2 }));
        await receiver.until(4, MESSAGES_MS_MAX);
        const events = (await eventPages(session, `after=${after}&account=${account.address}`)).filter(
          ({ type }) => type === 'transaction.committed',
        );
        const ids = events.map(({ id }) => id);
        expectEqual(
          receiver.messages.map(({ id }) => id),
          [ids[0], ...ids],
          'the ids of the messages, the first of which was not taken',
        );
        expectEqual(
          receiver.messages.slice(1).map(({ body }) => body),
          events,
          'the bodies of the messages and the events of the log',
        );
        for (const message of receiver.messages) {
          expectEqual(signedBy(message, [webhook.secret]), 1, `by how many secrets message ${message.id} is signed`);
          expectEqual(
            signedBy(message, [`whsec_${Buffer.alloc(32).toString('base64')}`]),
            0,
            'the same, of a secret that signs nothing',
          );
        }
        const deliveries = await logged(session, webhook.id, 4);
        expectEqual(
          deliveries.map(({ eventId, kind, attempt, outcome }) => [eventId, kind, attempt, outcome]),
          [
            [ids[2], 'event', 1, 'delivered'],
            [ids[1], 'event', 1, 'delivered'],
            [ids[0], 'event', 2, 'delivered'],
            [ids[0], 'event', 1, 'failed'],
          ],
          'the log of the webhook, newest first',
        );
      });
    },
  },
  {
    id: 'webhook.again',
    promise:
      'a test arrives once; a replay sends events again under the ids that they had; after a rotation both secrets sign',
    where: WHERE,
    accounts: 1,
    background: true,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      await withReceiver(session, 'again', { accounts: [account.address] }, async (receiver, webhook) => {
        const path = `/webhooks/${webhook.id}`;
        const queued = await session.ask('testWebhook', `${path}/test`, { method: 'POST' });
        expectEqual(queued.status, 202, 'the status of a test that was asked for');
        await receiver.until(1, MESSAGES_MS_MAX);
        const [test] = receiver.messages;
        expectEqual(
          [test?.id, test?.body.type, test?.body.data.webhookId],
          [queued.body.messageId, 'webhook.test', webhook.id],
          'id, type and webhook of a test',
        );
        await session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce: 0 }));
        await receiver.until(2, MESSAGES_MS_MAX);
        const event = receiver.messages[1];
        await logged(session, webhook.id, 2);
        const replay = await session.ask('replayWebhook', `${path}/replay`, { body: { after: String(after) } });
        expectEqual(replay.status, 202, 'the status of a replay that was asked for');
        await receiver.until(3, MESSAGES_MS_MAX);
        expectEqual(
          [receiver.messages[2]?.id, receiver.messages[2]?.body],
          [event?.id, event?.body],
          'id and body of what was sent again, and what they were',
        );
        const rotated = await session.ask('rotateWebhookSecret', `${path}/rotate-secret`, {
          body: { overlapSeconds: 600 },
        });
        expect(rotated.status === 200 && rotated.body.secret !== webhook.secret, 'a rotation makes another secret');
        await session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce: 1 }));
        await receiver.until(4, MESSAGES_MS_MAX);
        const secrets = [webhook.secret, rotated.body.secret];
        expectEqual(
          receiver.messages.map((message) => signedBy(message, secrets)),
          [1, 1, 1, 2],
          'by how many of the two secrets each message is signed',
        );
        const kinds = (await logged(session, webhook.id, 4)).map(({ kind, outcome }) => [kind, outcome]);
        expectEqual(
          kinds,
          [
            ['event', 'delivered'],
            ['replay', 'delivered'],
            ['event', 'delivered'],
            ['test', 'delivered'],
          ],
          'the log of the webhook, newest first',
        );
        // A receiver that says 410 wants no more.
        receiver.answers.push(410);
        await session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce: 2 }));
        await receiver.until(5, MESSAGES_MS_MAX);
        await logged(session, webhook.id, 5);
        const deadline = Date.now() + DISABLED_MS_MAX;
        // The attempt is on record first.
        while ((await session.ask('getWebhook', path)).body.status !== 'disabled') {
          expect(Date.now() < deadline, 'a webhook whose receiver has answered 410 is disabled');
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      });
    },
  },
];
