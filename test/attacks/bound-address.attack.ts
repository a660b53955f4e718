/**
 * Strangers at many addresses, each with a token of their own, have seen the bytes of transfers that the owner of a bound address signed, and hand them
 * to the chain through every transport of the RPC. None may be taken; the owner goes on.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeTransaction, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { call } from '../e2e/support/server.ts';
import { ADDRESSES, addressOf, Client, tokensOf } from './load.ts';
import { CHAIN_ID, checkoutOfArguments, PAYEE, PAYER, report, Target } from './target.ts';

const AMOUNT = 5n;
const BROADCASTS_EACH = 7;
/** Long enough for a few blocks: what was taken is executed by then. */
const BLOCKS_MS = 500;

const target = await Target.start({
  command: 'serve',
  checkout: checkoutOfArguments(),
  variables: { BLOCK_INTERVAL_MS: '50' },
});
try {
  const tokens = await tokensOf(target, ADDRESSES);
  await target.txledger('address', 'bind', PAYER.address, '--owner', 'attacked');
  const signed = (nonce: number) =>
    signTransaction<Transfer>(
      { kind: 'transfer', chainId: CHAIN_ID, from: PAYER.address, to: PAYEE.address, amount: AMOUNT, nonce },
      PAYER.seed,
    );
  const params = (nonce: number) => ({ tx: Buffer.from(encodeTransaction(signed(nonce))).toString('base64') });
  const entry = (nonce: number) => ({ jsonrpc: '2.0', id: nonce, method: 'broadcast_tx_sync', params: params(nonce) });
  const taken = (answer: any): number => Number((answer?.result?.check_tx ?? answer?.result)?.code === 0);

  let [broadcasts, accepted] = [0, 0];
  const count = (answers: unknown): void => {
    for (const answer of [answers].flat()) {
      broadcasts += 1;
      accepted += taken(answer);
    }
  };
  /** Everything that one stranger can try, from an address of their own. */
  const broadcastAll = async (client: Client, at: number): Promise<void> => {
    const authorization = `Bearer ${tokens[at]}`;
    const raw = Buffer.from(encodeTransaction(signed(0))).toString('hex');
    const ask = async (to: string, body?: unknown): Promise<void> => {
      const asked = { path: `/rpc${to}`, headers: { authorization } };
      const { text } = await client.ask(
        body === undefined ? asked : { ...asked, method: 'POST', body: JSON.stringify(body) },
      );
      count(JSON.parse(text));
    };
    await ask(`/broadcast_tx_sync?tx=0x${raw}`);
    await ask('/broadcast_tx_async', params(1));
    await ask('/broadcast_tx_commit', params(2));
    await ask('', entry(3));
    await ask('', [entry(4), entry(5)]);
    const socket = new WebSocket(`${target.baseUrl.replace('http', 'ws')}/rpc/websocket`, {
      headers: { authorization },
      localAddress: addressOf(at),
    });
    await once(socket, 'open');
    const answered = once(socket, 'message');
    socket.send(JSON.stringify(entry(6)));
    count(JSON.parse(String((await answered)[0])));
    socket.terminate();
  };
  const strangers = Client.attackers(target, 1);
  await Promise.all(strangers.map(broadcastAll));
  for (const stranger of strangers) stranger.close();

  await sleep(BLOCKS_MS);
  const moved = BigInt(
    (await call(`${target.baseUrl}/accounts/${PAYEE.address}`, { token: target.token })).body.balance,
  );
  const { from, to, amount, nonce, signature } = signed(7);
  const own = await call(`${target.baseUrl}/transactions`, {
    method: 'POST',
    token: target.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
  });
  report(
    'bound-address',
    target,
    broadcasts === BROADCASTS_EACH * ADDRESSES && accepted === 0 && moved === 0n && own.status === 202,
    {
      strangers: strangers.length,
      broadcasts,
      accepted,
      moved: Number(moved),
      owner: own.status,
    },
  );
} finally {
  await target.stop();
}
