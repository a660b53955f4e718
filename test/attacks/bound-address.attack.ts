/**
 * A stranger with a token of their own has seen the bytes of transfers that the owner of a bound address signed, and hands them to the
 * chain through every transport of the RPC. None may be taken; the owner goes on.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeTransaction, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { call } from '../e2e/support/server.ts';
import { CHAIN_ID, checkoutOfArguments, PAYEE, PAYER, report, Target } from './target.ts';

const AMOUNT = 5n;
/** Long enough for a few blocks: what was taken is executed by then. */
const BLOCKS_MS = 500;

const target = await Target.start({
  command: 'serve',
  checkout: checkoutOfArguments(),
  variables: { BLOCK_INTERVAL_MS: '50' },
});
try {
  const scopes = ['--scope', 'rpc:broadcast', '--scope', 'transactions:read'];
  const token = await target.txledger('token', 'create', '--owner', 'stranger', ...scopes);
  await target.txledger('address', 'bind', PAYER.address, '--owner', 'attacked');
  const rpc = `${target.baseUrl}/rpc`;
  const headers = { 'content-type': 'application/json' };
  const signed = (nonce: number) =>
    signTransaction<Transfer>(
      { kind: 'transfer', chainId: CHAIN_ID, from: PAYER.address, to: PAYEE.address, amount: AMOUNT, nonce },
      PAYER.seed,
    );
  const params = (nonce: number) => ({ tx: Buffer.from(encodeTransaction(signed(nonce))).toString('base64') });
  const entry = (nonce: number) => ({ jsonrpc: '2.0', id: nonce, method: 'broadcast_tx_sync', params: params(nonce) });
  const taken = (answer: any): number => Number((answer?.result?.check_tx ?? answer?.result)?.code === 0);

  let accepted = 0;
  accepted += taken(
    (
      await call(`${rpc}/broadcast_tx_sync?tx=0x${Buffer.from(encodeTransaction(signed(0))).toString('hex')}`, {
        token,
      })
    ).body,
  );
  accepted += taken(
    (await call(`${rpc}/broadcast_tx_async`, { method: 'POST', token, headers, body: JSON.stringify(params(1)) })).body,
  );
  accepted += taken(
    (await call(`${rpc}/broadcast_tx_commit`, { method: 'POST', token, headers, body: JSON.stringify(params(2)) }))
      .body,
  );
  accepted += taken((await call(rpc, { method: 'POST', token, headers, body: JSON.stringify(entry(3)) })).body);
  for (const answer of (await call(rpc, { method: 'POST', token, headers, body: JSON.stringify([entry(4), entry(5)]) }))
    .body)
    accepted += taken(answer);
  const socket = new WebSocket(`${rpc.replace('http', 'ws')}/websocket`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify(entry(6)));
  accepted += taken(JSON.parse(String((await answered)[0])));
  socket.terminate();

  await sleep(BLOCKS_MS);
  const moved = BigInt(
    (await call(`${target.baseUrl}/accounts/${PAYEE.address}`, { token: target.token })).body.balance,
  );
  const { from, to, amount, nonce, signature } = signed(7);
  const own = await call(`${target.baseUrl}/transactions`, {
    method: 'POST',
    token: target.token,
    headers,
    body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
  });
  report('bound-address', target, accepted === 0 && moved === 0n && own.status === 202, {
    broadcasts: 7,
    accepted,
    moved: Number(moved),
    owner: own.status,
  });
} finally {
  await target.stop();
}
