/**
 * Ten owners park transfers behind a gap in their nonces until no more are taken. Then an eleventh sends ten that can execute: all of them
 * have to be taken and committed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from '../../server/app/dev-accounts.ts';
import { signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const PENDING_MAX = 1_000;
const PER_OWNER_MAX = 100;
const OWNERS = 10;
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

async function submit(token: string, from: number, nonce: number): Promise<{ status: number; txHash: string }> {
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
  const response = await fetch(`${target.baseUrl}/transactions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: unsigned.from, to, amount: String(amount), nonce, signature }),
  });
  const { txHash = '' } = (await response.json()) as { txHash?: string };
  return { status: response.status, txHash };
}

const tokenOf = (owner: string): Promise<string> =>
  target.txledger('token', 'create', '--owner', owner, '--scope', 'transactions:read', '--scope', 'transactions:write');

try {
  const tokens: string[] = [];
  for (let i = 0; i <= OWNERS; i += 4)
    tokens.push(
      ...(await Promise.all(Array.from({ length: Math.min(4, OWNERS + 1 - i) }, (_, k) => tokenOf(`owner-${i + k}`)))),
    );
  const late = tokens.pop()!;
  const parked: Record<number, number> = {};
  for (let nonce = 1; nonce <= PER_OWNER_MAX; nonce++) {
    // The tenth account is left to the one who comes late.
    const answers = await Promise.all(
      tokens.map((token, owner) => submit(token, owner % 9, owner === 9 ? nonce + 500 : nonce)),
    );
    for (const { status } of answers) parked[status] = (parked[status] ?? 0) + 1;
  }
  const answers: Awaited<ReturnType<typeof submit>>[] = [];
  for (let nonce = 0; nonce < LATE_TRANSFERS; nonce++) answers.push(await submit(late, 9, nonce));
  const taken = answers.filter(({ status }) => status === 202);
  let committed = 0;
  for (
    const endMs = performance.now() + SETTLE_MS_MAX;
    performance.now() < endMs && committed < taken.length;
    await sleep(100)
  ) {
    const found = await Promise.all(
      taken.map(({ txHash }) =>
        fetch(`${target.baseUrl}/transactions/${txHash}`, { headers: { authorization: `Bearer ${late}` } }).then(
          (response) => response.json() as Promise<{ status: string }>,
        ),
      ),
    );
    committed = found.filter(({ status }) => status === 'committed').length;
  }
  report('parked-nonces', target, committed === LATE_TRANSFERS, {
    parked,
    lateTaken: taken.length,
    lateStatuses: [...new Set(answers.map(({ status }) => status))],
    lateCommitted: committed,
  });
} finally {
  await target.stop();
}
