import { afterEach, describe, expect, test } from '@jest/globals';
import type { Comet38Client, RpcClient } from '@cosmjs/tendermint-rpc';
import { encodeTransaction, parseAddress, signTransaction } from '../../server/ledger/index.ts';
import { withDevelopmentChain } from './support/development.ts';
import { call } from './support/server.ts';

// A CommonJS package that requires ES modules which the imports above load: it must come after them.
const cosmjs = await import('@cosmjs/tendermint-rpc');
const { ReconnectingSocket } = await import('@cosmjs/socket');

// CosmJS 0.39 connects again after disconnect(), for ever: the timer that does it is stopped here.
const { disconnect } = ReconnectingSocket.prototype;
ReconnectingSocket.prototype.disconnect = function disconnectForGood(this: {
  reconnectTimeout?: NodeJS.Timeout;
}): void {
  disconnect.call(this as never);
  clearTimeout(this.reconnectTimeout);
} as typeof disconnect;

/**
 * CosmJS, the client that most wallets and explorers of CometBFT chains are built on, against the RPC: it decodes every
 * field, so that a wrong type throws. It can send no header over a websocket; the RPC is open here for that reason.
 */
const chain = withDevelopmentChain({
  RPC_ACCESS: 'open',
  BLOCK_INTERVAL_MS: '50',
  TXLEDGER_VALIDATE_RESPONSES: 'true',
});

const opened: { disconnect(): void }[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client.disconnect();
});

const rpcUrl = (scheme: 'http' | 'ws'): string => `${scheme}${chain().server.baseUrl.slice('http'.length)}/rpc`;

async function connect(scheme: 'http' | 'ws'): Promise<Comet38Client> {
  const { body } = await call(`${chain().server.baseUrl}/rpc/status`);
  // It knows no v0.39, which v0.40.0 says too, and would take it for the oldest; that its client for v0.38 fits both lines is shown here (test/cometbft-lines).
  const isOtherLine = String(body.result.node_info.version).startsWith('0.39.');
  const client = await (isOtherLine
    ? cosmjs.Comet38Client.connect(rpcUrl(scheme))
    : cosmjs.connectComet(rpcUrl(scheme)));
  opened.push(client);
  if (!(client instanceof cosmjs.Comet38Client))
    throw new Error('CosmJS takes the chain for another version of CometBFT');
  // A websocket of CosmJS 0.39 that opens before it has something to send never sends anything.
  await client.status();
  return client;
}

async function rawTransfer(from: number, to: number, amount: bigint): Promise<Uint8Array> {
  const nonce = await chain().nextNonce(chain().account(from).address);
  const { address, seed } = chain().account(from);
  const unsigned = {
    kind: 'transfer',
    chainId: chain().dev.chainId,
    from: address,
    to: chain().account(to).address,
    amount,
    nonce,
  } as const;
  return encodeTransaction(signTransaction(unsigned, Buffer.from(seed, 'hex')));
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

async function settled(hash: string): Promise<string> {
  for (;;) {
    const { status, body } = await chain().get(`/transactions/${hash}`);
    if (status === 200 && body.status !== 'pending') return body.status;
  }
}

describe.each(['http', 'ws'] as const)('a Comet38Client over %s', (scheme) => {
  test('reads status, genesis, blocks, results, commits, headers and validators', async () => {
    const client = await connect(scheme);
    await client.broadcastTxCommit({ tx: await rawTransfer(0, 1, 1n) });
    const status = await client.status();
    expect(status.nodeInfo).toMatchObject({ network: 'txledger-dev-1', version: expect.stringMatching(/^0\.3[89]\./) });
    const height = status.syncInfo.latestBlockHeight;
    expect(height).toBeGreaterThanOrEqual(1);
    const genesis = await client.genesis();
    expect(genesis.chainId).toBe('txledger-dev-1');

    const { block, blockId } = await client.block(height);
    expect(block.header.height).toBe(height);
    expect((await client.blockResults(height)).height).toBe(height);
    const commit = await client.commit(height);
    expect(hex(commit.commit.blockId.hash)).toBe(hex(blockId.hash));
    expect(hex(commit.header.appHash)).toBe(hex(block.header.appHash));
    const validators = await client.validatorsAll(height);
    expect(validators.validators).toHaveLength(genesis.validators.length);
    expect(validators.validators.map(({ address }) => hex(address))).toContain(hex(block.header.proposerAddress));
  });

  test('broadcasts in three ways, and each transfer is listed and settles like one submitted over REST', async () => {
    const client = await connect(scheme);
    const committed = await client.broadcastTxCommit({ tx: await rawTransfer(1, 2, 10n) });
    expect(committed).toMatchObject({ checkTx: { code: 0 }, txResult: { code: 0 } });
    expect(committed.height).toBeGreaterThan(0);
    // Whoever was told of the commit finds it in the list at once.
    const listed = await chain().list();
    expect(listed.find(({ txHash }) => txHash === hex(committed.hash))).toMatchObject({
      status: 'committed',
      height: committed.height,
    });

    const sync = await client.broadcastTxSync({ tx: await rawTransfer(1, 2, 11n) });
    expect(sync.code).toBe(0);
    // The row is there before the answer: also a crash now would not lose it.
    expect((await chain().get(`/transactions/${hex(sync.hash)}`)).status).toBe(200);
    expect(await settled(hex(sync.hash))).toBe('committed');
    const { hash } = await client.broadcastTxAsync({ tx: await rawTransfer(1, 2, 12n) });
    expect(await settled(hex(hash))).toBe('committed');
  });

  test('finds transactions and blocks, with a proof that leads to the header', async () => {
    const client = await connect(scheme);
    const { hash, height } = await client.broadcastTxCommit({ tx: await rawTransfer(2, 3, 7n) });
    const found = await client.tx({ hash, prove: true });
    const { header } = await client.commit(height);
    expect(hex(found.proof?.rootHash ?? new Uint8Array())).toBe(hex(header.dataHash));
    const { address } = chain().account(2);
    const search = await client.txSearch({ query: `transfer.from='${address}' AND tx.height=${height}` });
    expect(search.txs.map((tx) => hex(tx.hash))).toEqual([hex(hash)]);
    const blocks = await client.blockSearch({ query: `block.height=${height}` });
    expect(blocks.blocks.map(({ block }) => block.header.height)).toEqual([height]);
  });

  test('asks the ledger for itself and its state', async () => {
    const client = await connect(scheme);
    expect((await client.abciInfo()).data).toBe('txledger');
    const { address } = chain().account(9);
    const answer = await client.abciQuery({ path: '/store/accounts/key', data: Buffer.from(address), prove: true });
    expect(answer.code).toBe(0);
    expect(JSON.parse(Buffer.from(answer.value).toString())).toMatchObject({ nonce: 0 });
    expect(answer.proof?.ops.map(({ type }) => type)).toEqual(['simple:v', 'simple:v']);
    expect(parseAddress(address, 'txlt').ok).toBe(true);
  });
});

/** Resolves with the first value of a stream; the stream stays subscribed until the client disconnects. */
function first<T>(stream: { addListener(listener: object): void }): Promise<T> {
  return new Promise((resolve, reject) => {
    stream.addListener({ next: resolve, error: reject, complete: () => reject(new Error('the stream ended')) });
  });
}

test('subscriptions tell of new blocks and transactions', async () => {
  const client = await connect('ws');
  const block = first<{ header: { height: number } }>(client.subscribeNewBlock());
  const tx = first<{ hash: Uint8Array; height: number }>(client.subscribeTx());
  // Answers come in the order of requests: after this one both subscriptions stand.
  await client.status();
  const { hash } = await client.broadcastTxSync({ tx: await rawTransfer(3, 4, 5n) });
  expect((await block).header.height).toBeGreaterThan(0);
  expect(hex((await tx).hash)).toBe(hex(hash));
});

test('a broadcast that nothing can include is answered with the code and the hash, not with an exception', async () => {
  const client = await connect('http');
  const answer = await client.broadcastTxSync({ tx: Buffer.from('garbage') });
  expect(answer.code).toBeGreaterThanOrEqual(10);
  const commit = await client.broadcastTxCommit({ tx: Buffer.from('garbage') });
  expect(commit).toMatchObject({ height: 0, checkTx: { code: answer.code } });
});

test('the low-level clients reach the RPC with a trailing slash too', async () => {
  const makers: (() => RpcClient)[] = [
    () => new cosmjs.HttpClient(`${rpcUrl('http')}/`),
    () => new cosmjs.WebsocketClient(`${rpcUrl('ws')}/`),
  ];
  for (const make of makers) {
    const client = make();
    opened.push(client);
    expect(await client.execute({ jsonrpc: '2.0', id: 1, method: 'health', params: {} })).toMatchObject({ result: {} });
  }
  expect((await call(`${rpcUrl('http')}//health/`)).body).toMatchObject({ id: -1, result: {} });
});
