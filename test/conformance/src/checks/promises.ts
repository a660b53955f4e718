/** Sentences of the contract with never, always, once, exactly or at least that no other check is about. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import type { Answer } from '../http.ts';
import { Receiver, signedBy } from '../receiver.ts';
import { cancelSignBytes, signText } from '../signer.ts';
import { eventPages, placeNow } from './events.ts';

const WAIT = { prefer: 'wait=30' };
const AMOUNT_MAX = 2n ** 128n - 1n;
const PER_PAGE_DEFAULT = 30;
const PER_PAGE_MAX = 100;
const VALID_S = 3;
const VALID_S_MAX = 48;
const OVERLAP_S = 600;
const EARLIER_SECRETS_MAX = 3;
const MESSAGES_MS_MAX = 60_000;

function nullsIn(value: unknown, at: string): string[] {
  if (value === null) return [at];
  if (typeof value !== 'object') return [];
  return Object.entries(value as object).flatMap(([name, member]) => nullsIn(member, `${at}/${name}`));
}

export const PROMISE_CHECKS: readonly Check[] = [
  {
    id: 'contract.no-nulls',
    promise: 'a member that does not apply is absent, never null',
    where: 'the description of the contract',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const signed = session.sign(account, { to, amount: '1', nonce: 0 });
      const answers = [
        await session.pay(signed),
        await session.submit(session.sign(account, { to, amount: '1', nonce: 3 })),
        await session.read(signed.txHash),
        await session.call(`/transactions?account=${to}`),
        await session.call(`/accounts/${account.address}`),
        await session.call(`/accounts/${account.address}/entries`),
        await session.call(`/events?account=${account.address}`),
        await session.call('/transactions/check', { body: signed }),
        await session.call('/chain'),
        await session.call('/readyz'),
        await session.call('/transactions?limit=0'),
      ];
      for (const { method, path, body } of answers)
        expectEqual(nullsIn(body, ''), [], `members of ${method} ${path} that are null`);
    },
  },
  {
    id: 'transfer.amount-bounds',
    promise: 'an amount is a whole number of minor units, at least 1 and at most 2^128-1',
    where: 'the contract, Amount',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      for (const amount of ['0', '-1', '1.5', '1e2', '01', '', String(AMOUNT_MAX + 1n)])
        expectProblem(
          await session.submit(session.sign(account, { to, amount, nonce: 0 })),
          'invalid_request',
          '/amount',
        );
      expectProblem(
        await session.submit(session.sign(account, { to, amount: String(AMOUNT_MAX), nonce: 0 })),
        'insufficient_funds',
      );
      expectProblem(await session.call('/transactions?cursor=never-made'), 'invalid_request', '#/query/cursor');
      await session.pay(session.sign(account, { to, amount: '1', nonce: 0 }));
    },
  },
  {
    id: 'transfer.expires',
    promise: 'a block whose time is later than validUntil never executes the transfer, which ends expired',
    where: 'the contract, ValidUntil',
    accounts: 1,
    background: true,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      // A busy server may judge it only when it has passed already: then one that is valid for longer shows the same.
      let [validS, validUntil] = [VALID_S, 0];
      let waiting: ReturnType<typeof session.sign>;
      let answer: Answer;
      do {
        validUntil = Math.floor(Date.now() / 1000) + validS;
        waiting = session.sign(account, { to, amount: '9', nonce: 1, validUntil });
        answer = await session.submit(waiting);
        validS *= 2;
      } while (answer.body?.code === 'validity_passed' && validS <= VALID_S_MAX);
      expectEqual(answer.status, 202, 'the status of a transfer that waits behind a gap');
      await new Promise((resolve) => setTimeout(resolve, (validUntil + 1) * 1000 - Date.now()));
      const first = session.sign(account, { to, amount: '1', nonce: 0 });
      await session.pay(first);
      // The void of its nonce is in the first or in a later block.
      expectEqual(await session.settled(waiting.txHash), 'expired', 'what became of a transfer whose end had passed');
      const replay = await session.submit(waiting);
      expectEqual([replay.status, replay.body?.status], [200, 'expired'], 'the same bytes sent again');
      expectEqual((await session.account(to)).balance, '1', 'what the receiver has: the other one');
    },
  },
  {
    id: 'transfer.history',
    promise: 'a history is told earliest first, never before the entry above, each event at most once',
    where: 'the contract, HistoryEntry',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const waiting = session.sign(account, { to, amount: '1', nonce: 1 });
      await session.submit(waiting);
      await session.cancel(waiting.txHash, WAIT);
      const paid = session.sign(account, { to, amount: '1', nonce: 0 });
      await session.pay(paid);
      for (const { txHash } of [waiting, paid]) {
        const { history } = (await session.ask('getTransaction', `/transactions/${txHash}`)).body;
        expect(history.length >= 2, `a history has what was done and what a block decided, got ${show(history)}`);
        const times = history.map(({ at }: any) => Date.parse(at));
        expectEqual(
          times,
          times.toSorted((a: number, b: number) => a - b),
          `the times of the history of ${txHash}`,
        );
        const events = history.map(({ event }: any) => event);
        expectEqual(events.length, new Set(events).size, `how many different events the history of ${txHash} has`);
      }
    },
  },
  {
    id: 'list.reference-exact',
    promise: 'a filter by reference finds exactly this reference, in the list and in the event log',
    where: 'the contract, ReferenceFilter and EventReference',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const reference = `Ref-${account.address.slice(-10)}`;
      const signed = session.sign(account, { to: session.receiver(), amount: '1', nonce: 0, reference });
      await session.pay(signed);
      for (const [asked, count] of [
        [reference, 1],
        [reference.slice(0, -1), 0],
        [`${reference}x`, 0],
        [reference.toLowerCase(), 0],
      ] as const) {
        const { transactions } = (await session.ask('listTransactions', `/transactions?reference=${asked}`)).body;
        expectEqual(transactions.length, count, `how many transfers are listed under ${asked}`);
        expectEqual(
          (await eventPages(session, `reference=${asked}`)).length,
          count,
          `how many events are found under ${asked}`,
        );
      }
    },
  },
  {
    id: 'event.unseen',
    promise:
      'when a cancel voids a nonce of a transfer that this service never saw, there is an event with neither to nor amount',
    where: 'the contract, EventTransaction',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      const after = await placeNow(session);
      const unseen = session.sign(account, { to: session.receiver(), amount: '1', nonce: 0 });
      const { txHash } = unseen;
      const cancel = { chainId: session.chainId, from: account.address, nonce: 0, signer: account.address, txHash };
      const signature = signText(account.seed, cancelSignBytes(cancel, txHash));
      const { chainId, from, nonce, signer } = cancel;
      const raw = JSON.stringify({ chainId, from, nonce, signature, signer, txHash });
      const { body } = await session.manage('postRpcBroadcastTxCommit', '/rpc/broadcast_tx_commit', {
        body: { tx: Buffer.from(raw).toString('base64') },
      });
      expectEqual(body.result?.tx_result?.code, 0, `the code of a cancel that was broadcast (${show(body)})`);
      const [event, ...more] = await eventPages(session, `after=${after}&account=${account.address}`);
      expectEqual(
        [event?.type, more.length],
        ['transaction.cancelled', 0],
        'type of the event, and how many more there are',
      );
      expectEqual(
        event.data.transaction,
        {
          txHash,
          from: account.address,
          nonce: 0,
          status: 'cancelled',
          ...pick(event.data.transaction, ['owner', 'cancelTxHash']),
        },
        'the transfer of the event',
      );
    },
  },
  {
    id: 'webhook.rotations',
    promise:
      'up to three earlier secrets sign beside the new one, one more is webhook_busy, and a rotation with overlapSeconds 0 is never refused and ends all of them',
    where: 'the contract, rotateWebhookSecret',
    run: async (session) => {
      const receiver = await Receiver.open(session, 'rotations');
      const made = await session.manage('createWebhook', '/webhooks', {
        body: { url: receiver.url, types: ['transaction.failed'] },
      });
      const path = `/webhooks/${made.body.id}`;
      try {
        const secrets: string[] = [made.body.secret];
        const rotate = async (overlapSeconds: number) =>
          session.ask('rotateWebhookSecret', `${path}/rotate-secret`, { body: { overlapSeconds } });
        const signatures = async (count: number): Promise<number> => {
          await session.ask('testWebhook', `${path}/test`, { method: 'POST' });
          await receiver.until(count, MESSAGES_MS_MAX);
          return signedBy(receiver.messages[count - 1]!, secrets);
        };
        for (let earlier = 1; earlier <= EARLIER_SECRETS_MAX; earlier++)
          secrets.push((await rotate(OVERLAP_S)).body.secret);
        expectEqual(
          await signatures(1),
          EARLIER_SECRETS_MAX + 1,
          'by how many secrets a message is signed after three rotations',
        );
        expectProblem(await rotate(OVERLAP_S), 'webhook_busy');
        const last = await rotate(0);
        expectEqual(last.status, 200, 'the status of a rotation with overlapSeconds 0');
        secrets.push(last.body.secret);
        expectEqual(await signatures(2), 1, 'by how many secrets a message is signed after it');
        expectEqual(signedBy(receiver.messages[1]!, [last.body.secret]), 1, 'whether the newest one is it');
      } finally {
        await session.call(path, { method: 'DELETE' });
        await receiver.close();
      }
    },
  },
  {
    id: 'webhook.resumed',
    promise:
      'a webhook that is enabled again goes on from its position, so that nothing is missed; other webhooks hear of one that was disabled',
    where: 'the contract, WebhookUpdateInput',
    accounts: 1,
    background: true,
    run: async (session) => {
      const account = await session.funded();
      const [receiver, other] = [await Receiver.open(session, 'resumed'), await Receiver.open(session, 'other')];
      const paths: string[] = [];
      try {
        const make = async (url: string): Promise<string> => {
          const { body } = await session.manage('createWebhook', '/webhooks', {
            body: { url, accounts: [account.address] },
          });
          paths.push(`/webhooks/${body.id}`);
          return body.id;
        };
        const id = await make(receiver.url);
        await make(other.url);
        let nonce = 0;
        const pay = async (): Promise<string> => {
          const signed = session.sign(account, { to: session.receiver(), amount: '1', nonce: nonce++ });
          await session.pay(signed);
          return signed.txHash;
        };
        receiver.answers.push(410);
        const hashes = [await pay()];
        await receiver.until(1, MESSAGES_MS_MAX);
        const deadline = Date.now() + MESSAGES_MS_MAX;
        const ofThis = () => other.notices.find(({ body }) => body.data.webhookId === id);
        while (ofThis() === undefined) {
          expect(Date.now() < deadline, 'another webhook of the owner hears that this one was disabled');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        expectEqual(
          [ofThis()?.body.type, typeof ofThis()?.body.data.reason],
          ['webhook.disabled', 'string'],
          'type of the notice, and of its reason',
        );
        hashes.push(await pay(), await pay());
        const enabled = await session.ask('updateWebhook', `/webhooks/${id}`, {
          method: 'PATCH',
          body: { status: 'enabled' },
        });
        expectEqual(enabled.body.status, 'enabled', 'the status of the webhook');
        await receiver.until(4, MESSAGES_MS_MAX);
        expectEqual(
          receiver.messages.slice(1).map(({ body }) => body.data.transaction.txHash),
          hashes,
          'the hashes of what arrives then',
        );
      } finally {
        for (const path of paths) await session.call(path, { method: 'DELETE' });
        await Promise.all([receiver.close(), other.close()]);
      }
    },
  },
  {
    id: 'documents.readiness',
    promise: 'readiness tells every check exactly once, and liveness is always ok',
    where: 'the contract, ReadinessChecks',
    run: async (session) => {
      const { body } = await session.ask('getReadiness', '/readyz');
      const names = body.checks.map(({ name }: any) => name);
      expectEqual(names.length, new Set(names).size, 'how many different checks there are');
      expect(names.length >= 4, `readiness has its checks, got ${show(names)}`);
      expectEqual(
        [body.status, (await session.ask('getLiveness', '/livez')).body.status],
        ['ready', 'ok'],
        'readiness and liveness',
      );
    },
  },
  {
    id: 'rpc.block-times',
    promise: 'times of blocks only grow, and each block names the one before it',
    where: 'the contract, tag Transactions',
    accounts: 1,
    run: async (session) => {
      const account = await session.funded();
      for (const nonce of [0, 1])
        await session.pay(session.sign(account, { to: session.receiver(), amount: '1', nonce }));
      const { block_metas } = (await session.ask('postRpcBlockchain', '/rpc/blockchain', { body: {} })).body.result;
      expect(block_metas.length > 1, 'the chain has blocks');
      for (const [at, { header }] of block_metas.slice(0, -1).entries()) {
        const before = block_metas[at + 1];
        // Zeros at the end of a fraction are left out (RFC 3339), so "…53.1Z" would come behind "…53.12Z" as text.
        expect(
          before.header.time.replace('Z', '') < header.time.replace('Z', ''),
          `the time of block ${header.height} is after that of the block before`,
        );
        expectEqual(header.last_block_id.hash, before.block_id.hash, `the block before block ${header.height}`);
      }
    },
  },
  {
    id: 'rpc.page-bounds',
    promise: 'a page of the RPC has 30 when per_page is left out, and never more than 100',
    where: 'the contract, RpcPerPage',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const transactions = Array.from({ length: PER_PAGE_MAX + 1 }, (_, nonce) =>
        session.sign(account, { to, amount: '1', nonce }),
      );
      for (let from = 0; from < transactions.length; from += 50)
        await session.ask('submitTransactionBatch', '/transactions/batch', {
          body: { transactions: transactions.slice(from, from + 50) },
        });
      for (const { txHash } of transactions.slice(-2))
        expectEqual(await session.settled(txHash), 'committed', 'what became of a transfer');
      const page = async (perPage: string): Promise<any> => {
        const { result } = (
          await session.ask('getRpcTxSearch', `/rpc/tx_search?query=%22transfer.to='${to}'%22${perPage}`)
        ).body;
        return [result.txs.length, result.total_count];
      };
      const deadline = Date.now() + 30_000;
      // The search follows the blocks.
      while ((await page(''))[1] !== String(transactions.length))
        expect(Date.now() < deadline, 'the search finds what was committed');
      expectEqual(await page(''), [PER_PAGE_DEFAULT, '101'], 'a page, and how many there are');
      expectEqual(
        await page('&per_page=1000'),
        [PER_PAGE_MAX, '101'],
        'a page with per_page=1000, and how many there are',
      );
    },
  },
  {
    id: 'rpc.constants',
    promise: 'what CometBFT has and this chain does not use is always the same',
    where: 'the contract, RpcQueryAnswer, RpcMempoolSize, RpcBlockResults',
    run: async (session) => {
      const { response } = (await session.ask('getRpcAbciQuery', '/rpc/abci_query?path=%22/governance%22')).body.result;
      expectEqual([response.info, response.index], ['', '0'], 'info and index of a query');
      const size = (await session.ask('getRpcNumUnconfirmedTxs', '/rpc/num_unconfirmed_txs')).body.result;
      expectEqual(size.txs, null, 'txs of the size of the mempool');
      const results = (await session.ask('getRpcBlockResults', '/rpc/block_results')).body.result;
      expectEqual(results.consensus_param_updates, null, 'consensus_param_updates of a block');
    },
  },
];

/** Members that may be there. */
const pick = (value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
