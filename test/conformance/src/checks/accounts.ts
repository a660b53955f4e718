/** What an account can spend and what holds its transfers up, many accounts of one moment, and dry runs, which have no effect. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import type { Answer } from '../http.ts';
import { ACCOUNT_FUNDS, type Session } from '../session.ts';

const WHERE = 'docs/PARTNERS.md, What an account can spend';
const DRY_RUN = 'docs/PARTNERS.md, Dry run';
const ACCOUNTS_MAX = 100;

async function accounts(session: Session, addresses: readonly string[]): Promise<Answer> {
  const answer = await session.call(`/accounts?${addresses.map((address) => `address=${address}`).join('&')}`);
  (await session.contract()).expectAnswer('listAccounts', answer);
  return answer;
}

async function dryRun(session: Session, body: object): Promise<any> {
  const answer = await session.call('/transactions/check', { body });
  (await session.contract()).expectAnswer('checkTransaction', answer);
  expect(answer.status === 200, `a dry run answered ${answer.status} ${show(answer.body)}`);
  return answer.body;
}

export const ACCOUNT_CHECKS: readonly Check[] = [
  {
    id: 'account.spendable',
    promise: 'an account tells what is pending, what is left to spend, and the nonces that hold up later ones',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const facts = async (): Promise<unknown[]> => {
        const { status, body } = await session.call(`/accounts/${account.address}`);
        expect(status === 200, `an account answered ${status} ${show(body)}`);
        return [body.balance, body.pendingOut, body.available, body.nextNonce, body.gaps];
      };
      const funds = String(ACCOUNT_FUNDS);
      expectEqual(
        await facts(),
        [funds, '0', funds, 0, []],
        'balance, pendingOut, available, nextNonce and gaps of an account with nothing pending',
      );
      for (const nonce of [2, 5])
        expectEqual(
          (await session.submit(session.sign(account, { to, amount: '100', nonce }))).status,
          202,
          `the status of a transfer with nonce ${nonce}`,
        );
      const gaps = [
        { first: 0, last: 1 },
        { first: 3, last: 4 },
      ];
      expectEqual(
        await facts(),
        [funds, '200', String(ACCOUNT_FUNDS - 200), 0, gaps],
        'the same with 100 pending at nonces 2 and 5',
      );
      for (const nonce of [0, 1]) await session.pay(session.sign(account, { to, amount: '10', nonce }));
      expectEqual(
        await session.settled(session.sign(account, { to, amount: '100', nonce: 2 }).txHash),
        'committed',
        'the status of the transfer with nonce 2',
      );
      expectEqual(
        await facts(),
        [String(ACCOUNT_FUNDS - 120), '100', String(ACCOUNT_FUNDS - 220), 3, gaps.slice(1)],
        'the same after nonces 0 to 2 were executed',
      );
      await session.cancel(session.sign(account, { to, amount: '100', nonce: 5 }).txHash, { prefer: 'wait=30' });
      expectEqual(
        await facts(),
        [String(ACCOUNT_FUNDS - 120), '0', String(ACCOUNT_FUNDS - 120), 3, []],
        'the same after the cancel of nonce 5',
      );
    },
  },
  {
    id: 'account.together',
    promise: 'accounts come in the order of the request, all of one moment, 1 to 100 of them, each once',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const [account, unknown] = [await session.funded(), session.receiver()];
      const { body } = await accounts(session, [unknown, account.address]);
      expectEqual(
        body.accounts?.map(({ address, balance }: any) => [address, balance]),
        [
          [unknown, '0'],
          [account.address, String(ACCOUNT_FUNDS)],
        ],
        'addresses and balances',
      );
      expectEqual(
        (await accounts(session, [account.address, unknown])).body.accounts?.map(({ address }: any) => address),
        [account.address, unknown],
        'the addresses in the other order',
      );
      for (const each of body.accounts)
        expectEqual(
          [each.height, each.blockTime],
          [body.height, body.blockTime],
          'height and time of an account of the list',
        );
      expectProblem(await accounts(session, [unknown, account.address, unknown]), 'invalid_request', '#/query/address');
      expectProblem(await accounts(session, []), 'invalid_request', '#/query/address');
      expectProblem(
        await accounts(
          session,
          Array.from({ length: ACCOUNTS_MAX + 1 }, () => session.receiver()),
        ),
        'invalid_request',
        '#/query/address',
      );
      const broken = `${unknown.slice(0, -1)}${unknown.endsWith('q') ? 'p' : 'q'}`;
      expectProblem(await accounts(session, [account.address, broken]), 'invalid_address', '#/query/address');
    },
  },
  {
    id: 'check.as-submitting',
    promise: 'a dry run says what submitting right after it is answered',
    where: DRY_RUN,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const good = session.sign(account, { to, amount: '5', nonce: 0 });
      const { txHash: _hash, ...unhashed } = session.sign(account, { to, amount: '6', nonce: 1 });
      const transfers = [
        good,
        good,
        session.sign(account, { to, amount: '7', nonce: 0 }),
        { ...unhashed, amount: '8' },
        { ...unhashed, txHash: '0'.repeat(64) },
        session.sign(account, { to, amount: '1000000', nonce: 1 }),
        session.sign(account, { to, amount: '1', nonce: 5000 }),
      ];
      for (const transfer of transfers) {
        const { outcome, problem, txHash } = await dryRun(session, transfer);
        const { status, body } = await session.submit(transfer);
        expectEqual(
          [outcome, problem?.code, problem?.detail],
          [status === 202 ? 'accepted' : status === 200 ? 'replayed' : 'refused', body.code, body.detail],
          'the outcome of a dry run',
        );
        if (outcome !== 'accepted') continue;
        expectEqual(txHash, body.txHash, 'the hash of a dry run');
        // A block between a dry run and its submission moves the account's nonce, and with it the words of both answers.
        await session.settled(txHash);
      }
    },
  },
  {
    id: 'check.no-effect',
    promise:
      'a dry run takes nothing in and holds nothing; without a signature it judges the rest and tells the bytes to sign',
    where: DRY_RUN,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const { txHash, signature, ...unsigned } = session.sign(account, { to, amount: '5', nonce: 0 });
      for (let i = 0; i < 2; i++) {
        const told = await dryRun(session, { ...unsigned, signature });
        expectEqual(
          [told.outcome, told.signatureStatus, told.txHash, told.account?.nextNonce, told.account?.pendingOut],
          ['accepted', 'valid', txHash, 0, '0'],
          'a dry run, and the same again',
        );
      }
      const bare = await dryRun(session, unsigned);
      expectEqual(
        [bare.outcome, bare.signatureStatus, bare.txHash],
        ['accepted', 'not_judged', undefined],
        'a dry run without a signature',
      );
      const { from, amount, nonce } = unsigned;
      expectEqual(
        bare.signBytes,
        `txledger-transfer-v1\n{"amount":"${amount}","chainId":"${session.chainId}","from":"${from}","nonce":${nonce},"to":"${to}"}`,
        'the bytes to sign',
      );
      expectEqual((await session.read(txHash)).status, 404, 'the status of a transfer that was only judged');
    },
  },
];
