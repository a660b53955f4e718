/**
 * While the service is stopped, its database is changed: the amounts of pending transfers of several owners, and a block that was executed. After the
 * next start many addresses broadcast what the rows say, too. No such transfer must ever be paid, the block must stop the start, and both have to be
 * logged.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from '../../server/app/dev-accounts.ts';
import { blockId, dataHash, decodeBlock, encodeBlock } from '../../server/engine/encoding/index.ts';
import { encodeTransaction, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { Client, HONEST, tokensOf } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const SETTLE_MS_MAX = 6_000;
const POLL_MS = 100;
/** Development accounts, of an owner each, whose transfers wait when the service stops. */
const PARKED = [2, 3, 4, 5, 6, 7, 8, 9];
const TAMPERED = 900_000n;
const accounts = developmentAccounts();

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { BLOCK_INTERVAL_MS: '50' },
});

function signed(from: number, nonce: number): Transfer {
  return signTransaction<Transfer>(
    {
      kind: 'transfer',
      chainId: DEVELOPMENT_CHAIN_ID,
      from: accounts[from]!.address,
      to: accounts[1]!.address,
      amount: 1n,
      nonce,
    },
    Buffer.from(accounts[from]!.seed, 'hex'),
  );
}

/** As the rows say after the change. */
const tampered = (at: number): Transfer => ({ ...signed(PARKED[at % PARKED.length]!, 1), nonce: 0, amount: TAMPERED });

async function submit(
  client: Client,
  token: string,
  { from, to, amount, nonce, signature }: Transfer,
  wait = 0,
): Promise<string> {
  const { text } = await client.ask({
    method: 'POST',
    path: '/transactions',
    headers: { authorization: `Bearer ${token}`, prefer: `wait=${wait}` },
    body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
  });
  return (JSON.parse(text) as { txHash: string }).txHash;
}

const statusOf = async (hash: string): Promise<string> =>
  (
    (await (
      await fetch(`${target.baseUrl}/transactions/${hash}`, { headers: { authorization: `Bearer ${target.token}` } })
    ).json()) as { status: string }
  ).status;

async function until(holds: () => boolean): Promise<boolean> {
  for (const endMs = performance.now() + SETTLE_MS_MAX; performance.now() < endMs && !holds();) await sleep(POLL_MS);
  return holds();
}

const chainFile = (): Database.Database => new Database(path.join(target.dataDir, 'chain.db'));

/** A transfer is in the journal until the next block. */
function pendingRows(): number {
  const database = chainFile();
  try {
    return database.prepare('select count(*) from pending').pluck().get() as number;
  } finally {
    database.close();
  }
}

try {
  const tokens = await tokensOf(target, PARKED.length);
  const honest = new Client(target, HONEST, 1);
  for (let nonce = 0; nonce < 3; nonce++) await submit(honest, target.token, signed(0, nonce), 10);
  const attackers = Client.attackers(target, 1);
  // Each waits for nonce 0, so that it is pending when the service stops.
  const parked = await Promise.all(PARKED.map((from, at) => submit(attackers[at]!, tokens[at]!, signed(from, 1))));
  for (const attacker of attackers) attacker.close();
  // The block of this one moves them from the journal to their rows.
  await submit(honest, target.token, signed(0, 3), 10);
  honest.close();
  if (!(await until(() => pendingRows() === PARKED.length))) throw new Error('the parked transfers were not written');
  await target.halt();

  const before = chainFile();
  before.exec("update transfers set amount = '900000' where status = 0");
  // The gap is closed too: by a row that looks as if it had been accepted, with a signature of no key.
  before.exec(
    'update by_slot set nonce = 0 where seq in (select seq from pending); update transfers set nonce = 0 where status = 0; update pending set nonce = 0',
  );
  before.close();
  // A gateway that pays finds itself in contradiction with its own database afterwards, and may never be ready.
  await Promise.race([target.resume(), sleep(SETTLE_MS_MAX)]).catch(() => undefined);
  const rowLogged = await until(() => target.output.includes('is not what its sender signed'));
  const broadcasters = Client.attackers(target, 1);
  const broadcasts = await Promise.all(
    broadcasters.map(async (client, at) => {
      const { text } = await client.ask({
        method: 'POST',
        path: '/rpc',
        headers: { authorization: `Bearer ${tokens[at % tokens.length]}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'broadcast_tx_sync',
          params: { tx: Buffer.from(encodeTransaction(tampered(at))).toString('base64') },
        }),
      });
      return /"code":(-?\d+)/.exec(text)?.[1] ?? 'none';
    }),
  );
  for (const client of broadcasters) client.close();
  await sleep(5 * POLL_MS);
  const statuses = await Promise.all(parked.map((hash) => statusOf(hash).catch(() => 'unknown')));
  await target.halt();
  const blocks = chainFile();
  const paid = (blocks.prepare('select bytes from blocks where transaction_count > 0').pluck().all() as Buffer[]).some(
    (bytes) => bytes.includes('"amount":"900000"'),
  );
  const row = blocks
    .prepare('select height, bytes from blocks where transaction_count > 0 order by height limit 1')
    .get() as { height: number; bytes: Buffer };
  const block = decodeBlock(row.bytes);
  const transactions = [encodeTransaction({ ...signed(3, 0), amount: 900_000n })];
  const header = { ...block.header, dataHash: dataHash(transactions) };
  const bytes = encodeBlock({ ...block, header, transactions });
  const id = blockId(header, bytes);
  blocks
    .prepare('update blocks set bytes = ?, hash = ?, parts_total = ?, parts_hash = ? where height = ?')
    .run(bytes, id.hash, id.parts.total, id.parts.hash, row.height);
  blocks.close();
  const started = await Promise.race([
    target.resume().then(
      () => true,
      () => false,
    ),
    sleep(SETTLE_MS_MAX).then(() => 'not ready'),
  ]);
  // By its hash, or earlier still by the rows that it does not fit.
  const blockLogged =
    /chain\.db is damaged(?:: block \d+ is not the one that block \d+ follows|, or a copy that was made while a service wrote it: )/.test(
      target.output,
    );
  const held = !paid && !broadcasts.includes('0') && rowLogged && started === false && blockLogged;
  report('tampered-database', target, held, {
    changedTransferPaid: paid,
    pending: parked.length,
    statuses: [...new Set(statuses)],
    broadcasts: [...new Set(broadcasts)],
    rowLogged,
    startsWithForgedBlock: started,
    blockLogged,
  });
} finally {
  await target.stop();
}
