/** The life of an embedded chain before it graduates: at least one of everything that a gateway keeps, settled, waiting, and in the journal. */
import path from 'node:path';
import { type Cancel, encodeTransaction, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { type Chain, chainOf, signedBody } from '../e2e/support/chain.ts';
import { call, freePort, Server, txledger } from '../e2e/support/server.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';

export const BLOCKS = 50;
/** The longest that there is: what is accepted in the first seconds after a block stays in the journal. */
const LATE_BLOCK_MS = '10000';

export interface Life {
  chain: Chain<Server>;
  /** Of another owner, for an address that is bound to them. */
  shopToken: string;
  revokedToken: string;
  /** Waits for a nonce that comes after the graduation. */
  gap: { hash: string; filler: Body };
  /** Cancelled on the embedded chain; its bytes are still valid. */
  cancelled: { hash: string; body: Body };
  /** Accepted and never in a block. */
  executable: string[];
  /** A cancel was asked for, and never in a block. */
  cancelling: string;
  /** With its Idempotency-Key, in the journal too. */
  keyed: { body: Body; key: string };
}

export type Body = ReturnType<Chain['signed']>;

export interface Shown {
  transactions: { txHash: string; status: string }[];
  events: unknown[];
  entries: unknown[];
  accounts: unknown[];
}

export const rawOf = ({ from, to, amount, nonce, signature }: Body, chainId: string): Uint8Array =>
  encodeTransaction({ kind: 'transfer', chainId, from, to, amount: BigInt(amount), nonce, signature } as Transfer);

/** All pages. */
async function all(chain: Chain, route: string, member: string): Promise<any[]> {
  const found: unknown[] = [];
  for (let cursor = ''; ;) {
    const { body } = await chain.get(`${route}${route.includes('?') ? '&' : '?'}limit=100${cursor}`);
    found.push(...body[member]);
    if (body.nextCursor === undefined) return found;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

/** What everybody is shown of the chain so far. */
export async function shown(chain: Chain): Promise<Shown> {
  const [transactions, events, entries, accounts] = await Promise.all([
    all(chain, '/transactions', 'transactions'),
    all(chain, '/events', 'events'),
    all(chain, `/accounts/${chain.account(0).address}/entries`, 'entries'),
    Promise.all(chain.dev.accounts.map(async ({ address }) => (await chain.get(`/accounts/${address}`)).body)),
  ]);
  return { transactions, events, entries, accounts };
}

export async function succeedsJson(args: readonly string[], variables: Record<string, string>): Promise<any> {
  const { code, stdout, stderr } = await txledger([...args, '--json'], variables);
  if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** One change by the chain's only governor, from proposal to block. */
export async function govern(
  options: { baseUrl: string; token: string; key: string; scratch: string },
  ...change: string[]
): Promise<{ height: number }> {
  const variables = { TXLEDGER_URL: options.baseUrl, TXLEDGER_TOKEN: options.token };
  const out = path.join(options.scratch, `proposal-${performance.now()}.json`);
  await succeedsJson(['governance', 'propose', ...change, '--out', out], variables);
  await succeedsJson(['governance', 'sign', out, '--key', options.key], variables);
  return await succeedsJson(['governance', 'submit', out], variables);
}

/** Runs the service until it has made its blocks, and kills it. */
export async function liveEmbedded(
  dataDir: string,
  scratch: string,
): Promise<{ life: Life; before: Shown; height: number }> {
  let server = new Server({
    dataDir,
    port: await freePort(),
    variables: { BLOCK_INTERVAL_MS: '40', LOG_LEVEL: 'error' },
  });
  await server.start();
  try {
    let chain = chainOf(server, await server.development());
    const { chainId, token } = chain.dev;
    const post = async (body: Body, headers: Record<string, string> = {}): Promise<any> => {
      const { status, body: answer } = await chain.submit(body, headers);
      if (status > 201 && status !== 202)
        throw new Error(`a transfer was refused: ${status} ${JSON.stringify(answer)}`);
      return answer;
    };
    const broadcast = async (raw: Uint8Array): Promise<void> => {
      const { body: answer } = await call(`${server.baseUrl}/rpc/broadcast_tx_sync`, {
        method: 'POST',
        token,
        body: JSON.stringify({ tx: Buffer.from(raw).toString('base64') }),
        headers: { 'content-type': 'application/json' },
      });
      if (answer.result?.code !== 0) throw new Error(`a broadcast was refused: ${JSON.stringify(answer)}`);
    };
    const wait = { prefer: 'wait=30' };

    // One that nobody submitted here; and a void that was meant for another transfer takes the nonce.
    await broadcast(rawOf(chain.signed(4, 1, 1n, 0), chainId));
    await post(chain.signed(7, 0, 5n, 1));
    const { address, seed } = chain.account(7);
    await broadcast(
      encodeTransaction(
        signTransaction<Cancel>(
          { kind: 'cancel', chainId, from: address, nonce: 1, signer: address, txHash: 'AB'.repeat(32) },
          Buffer.from(seed, 'hex'),
        ),
      ),
    );
    // Its bytes stay valid; its nonce does not.
    const cancelledBody = chain.signed(5, 0, 70n, 1);
    const cancelled = await post(cancelledBody);
    await chain.cancel(cancelled.txHash, wait);
    await post(chain.signed(5, 1, 7n, 0), wait);
    await post(chain.signed(5, 1, 7n, 2), wait);
    const gap = await post(chain.signed(6, 0, 60n, 1));
    await govern(
      { baseUrl: server.baseUrl, token, key: path.join(dataDir, 'governor_key.json'), scratch },
      '--kind',
      'canceller_add',
      '--subject',
      chain.account(9).address,
    );
    const shopToken = (
      await succeedsJson(
        ['token', 'create', '--owner', 'shop', '--scope', 'transactions:write', '--scope', 'transactions:read'],
        { DATA_DIR: dataDir },
      )
    ).token;
    const revoked = await succeedsJson(['token', 'create', '--owner', 'gone', '--scope', 'transactions:read'], {
      DATA_DIR: dataDir,
    });
    await succeedsJson(['token', 'revoke', revoked.tokenId ?? revoked.id], { DATA_DIR: dataDir });
    await succeedsJson(['address', 'bind', chain.account(8).address, '--owner', 'shop'], { DATA_DIR: dataDir });
    for (let height = 0; height < BLOCKS;) {
      const nonce = await chain.nextNonce(chain.account(0).address);
      ({ height } = await post(
        signedBody(chain.account(0), {
          chainId,
          to: chain.account(1).address,
          amount: 3n,
          nonce,
          reference: `invoice ${nonce}`,
        }),
        wait,
      ));
    }

    await server.stop();
    server = new Server({
      dataDir,
      port: await freePort(),
      variables: { BLOCK_INTERVAL_MS: LATE_BLOCK_MS, LOG_LEVEL: 'error' },
    });
    await server.start();
    chain = chainOf(server, await server.development());
    // The next block comes LATE_BLOCK_MS after this one.
    await post(chain.signed(0, 1, 3n, await chain.nextNonce(chain.account(0).address)), wait);
    const executable: string[] = [];
    const nonce0 = await chain.nextNonce(chain.account(0).address);
    for (let i = 0; i < 3; i += 1) executable.push((await post(chain.signed(0, 2, 11n, nonce0 + i))).txHash);
    const doomed = await post(chain.signed(1, 2, 13n, (await chain.nextNonce(chain.account(1).address)) + 1));
    await chain.cancel(doomed.txHash, { prefer: 'wait=0' });
    const keyed = { body: chain.signed(2, 3, 17n, await chain.nextNonce(chain.account(2).address)), key: 'order-17' };
    await post(keyed.body, { 'idempotency-key': `"${keyed.key}"` });
    const before = await shown(chain);
    const height = Number((await call(`${server.baseUrl}/rpc/status`)).body.result.sync_info.latest_block_height);
    const isWaiting = new Map(before.transactions.map(({ txHash, status }) => [txHash, status === 'pending']));
    if ([...executable, doomed.txHash, keyed.body.txHash].some((hash) => isWaiting.get(hash) !== true))
      throw new Error('a block came before the service was killed: the machine is too slow for this test');
    const life: Life = {
      chain,
      shopToken,
      revokedToken: revoked.token,
      gap: { hash: gap.txHash, filler: chain.signed(6, 1, 1n, 0) },
      cancelled: { hash: cancelled.txHash, body: cancelledBody },
      executable,
      cancelling: doomed.txHash,
      keyed,
    };
    return { life, before, height };
  } finally {
    await server.stop('SIGKILL');
  }
}

/** A copy of a stopped folder: the same chain with the same key, which only a test may have twice. */
export function copyFolder(from: string, to: string): string {
  copyDataDir(from, to);
  return to;
}
