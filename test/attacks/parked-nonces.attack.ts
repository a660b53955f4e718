/**
 * Twenty owners, each from an address of its own, park transfers behind a gap in their nonces until no more are taken. Then another one sends ten
 * that can execute: all of them have to be taken and committed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from '../../server/app/dev-accounts.ts';
import { signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { Client, HONEST, tokensOf } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const PENDING_MAX = 1_000;
const OWNERS = 20;
/** Less than the quarter of the free places that an owner may have. */
const PER_OWNER_MAX = PENDING_MAX / OWNERS;
/** The last development account is left to the one who comes late. */
const ATTACKERS_ACCOUNTS = 9;
/** Between the nonces of owners that share an account. */
const NONCES_APART = 300;
const LATE_TRANSFERS = 10;
const SETTLE_MS_MAX = 8_000;
const accounts = developmentAccounts();

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: {
    TXLEDGER_PENDING_MAX: String(PENDING_MAX),
    TXLEDGER_PENDING_PER_OWNER_MAX: String(PER_OWNER_MAX),
    BLOCK_INTERVAL_MS: '200',
  },
});

async function submit(
  client: Client,
  token: string,
  from: number,
  nonce: number,
): Promise<{ status: number; txHash: string }> {
  const unsigned = {
    kind: 'transfer',
    chainId: DEVELOPMENT_CHAIN_ID,
    from: accounts[from]!.address,
    to: accounts[(from + 1) % 10]!.address,
    amount: 1n,
    nonce,
  } as const;
  const { signature } = signTransaction<Transfer>(unsigned, Buffer.from(accounts[from]!.seed, 'hex'));
  const { to, amount } = unsigned;
  const { status, text } = await client.ask({
    method: 'POST',
    path: '/transactions',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ from: unsigned.from, to, amount: String(amount), nonce, signature }),
  });
  return { status, txHash: (JSON.parse(text) as { txHash?: string }).txHash ?? '' };
}

try {
  const tokens = await tokensOf(target, OWNERS + 1);
  const late = tokens.pop()!;
  const attackers = Client.attackers(target, 1, OWNERS);
  const honest = new Client(target, HONEST, LATE_TRANSFERS);
  const parked: Record<number, number> = {};
  for (let nonce = 1; nonce <= PER_OWNER_MAX; nonce++) {
    const answers = await Promise.all(
      attackers.map((client, owner) =>
        submit(
          client,
          tokens[owner]!,
          owner % ATTACKERS_ACCOUNTS,
          nonce + Math.floor(owner / ATTACKERS_ACCOUNTS) * NONCES_APART,
        ),
      ),
    );
    for (const { status } of answers) parked[status] = (parked[status] ?? 0) + 1;
  }
  const answers: Awaited<ReturnType<typeof submit>>[] = [];
  for (let nonce = 0; nonce < LATE_TRANSFERS; nonce++)
    answers.push(await submit(honest, late, ATTACKERS_ACCOUNTS, nonce));
  const taken = answers.filter(({ status }) => status === 202);
  let committed = 0;
  for (
    const endMs = performance.now() + SETTLE_MS_MAX;
    performance.now() < endMs && committed < taken.length;
    await sleep(100)
  ) {
    const found = await Promise.all(
      taken.map(async ({ txHash }) => {
        const { text } = await honest.ask({
          path: `/transactions/${txHash}`,
          headers: { authorization: `Bearer ${late}` },
        });
        return JSON.parse(text) as { status: string };
      }),
    );
    committed = found.filter(({ status }) => status === 'committed').length;
  }
  for (const client of [...attackers, honest]) client.close();
  report('parked-nonces', target, committed === LATE_TRANSFERS, {
    owners: OWNERS,
    parked,
    lateTaken: taken.length,
    lateStatuses: [...new Set(answers.map(({ status }) => status))],
    lateCommitted: committed,
  });
} finally {
  await target.stop();
}
