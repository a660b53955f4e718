/** The chain's RPC: CometBFT v0.38's envelope, over GET, POST, JSON-RPC and a websocket. */
import type { Check } from '../check.ts';
import { expect, expectEqual, show, Skipped } from '../expect.ts';
import type { Session } from '../session.ts';
import { rawBytes } from '../signer.ts';
import { loadVectors } from '../vectors.ts';

const WHERE = "docs/INTEGRATORS.md, The chain's RPC";
const BROADCAST = "docs/INTEGRATORS.md, The chain's RPC: broadcasting needs the scope rpc:broadcast";
const EVENT_MS_MAX = 30_000;
const SEARCH_MS_MAX = 30_000;

/** Each method that reads, with arguments, and the members that its result has at least. */
const METHODS: readonly (readonly [method: string, query: string, members: readonly string[]])[] = [
  ['abci_info', '', ['response']],
  ['abci_query', '?path=%22/store/accounts/key%22&data=0x00', ['response']],
  ['block', '?height=1', ['block_id', 'block']],
  [
    'block_results',
    '?height=1',
    ['height', 'txs_results', 'finalize_block_events', 'validator_updates', 'consensus_param_updates', 'app_hash'],
  ],
  ['block_search', '?query=%22block.height=1%22', ['blocks', 'total_count']],
  ['blockchain', '?minHeight=1&maxHeight=1', ['last_height', 'block_metas']],
  ['check_tx', '?tx=%22x%22', ['code', 'data', 'log', 'info', 'gas_wanted', 'gas_used', 'events', 'codespace']],
  ['commit', '?height=1', ['signed_header', 'canonical']],
  ['consensus_params', '', ['block_height', 'consensus_params']],
  ['consensus_state', '', ['round_state']],
  ['dump_consensus_state', '', ['round_state', 'peers']],
  ['genesis', '', ['genesis']],
  ['genesis_chunked', '', ['chunk', 'total', 'data']],
  ['header', '?height=1', ['header']],
  ['net_info', '', ['listening', 'listeners', 'n_peers', 'peers']],
  ['num_unconfirmed_txs', '', ['n_txs', 'total', 'total_bytes']],
  ['status', '', ['node_info', 'sync_info', 'validator_info']],
  ['tx_search', '?query=%22tx.height=1%22', ['txs', 'total_count']],
  ['unconfirmed_txs', '', ['n_txs', 'total', 'total_bytes', 'txs']],
  ['validators', '', ['block_height', 'validators', 'count', 'total']],
];

function expectEnvelope(body: any, id: unknown, name: string): any {
  expectEqual([body?.jsonrpc, body?.id], ['2.0', id], `jsonrpc and id of ${name}`);
  expect('result' in body !== 'error' in body, `${name} has either a result or an error, got ${show(body)}`);
  return body.result;
}

const jsonRpc = (session: Session, body: object, headers?: Record<string, string>): ReturnType<Session['call']> =>
  session.call('/rpc', { body, ...(headers === undefined ? {} : { headers }) });

async function broadcastOf(
  session: Session,
): Promise<{ txHash: string; to: string; base64: string; hex: string; raw: string }> {
  const [account, to] = [await session.funded(), session.receiver()];
  const signed = session.sign(account, { to, amount: '3', nonce: 0 });
  const raw = rawBytes({ chainId: session.chainId, ...signed }, signed.signature);
  return {
    txHash: signed.txHash,
    to,
    raw,
    base64: Buffer.from(raw).toString('base64'),
    hex: `0x${Buffer.from(raw).toString('hex')}`,
  };
}

export const RPC_CHECKS: readonly Check[] = [
  ...METHODS.map(([method, query, members]): Check => ({
    id: `rpc.${method}`,
    promise: `GET and POST /rpc/${method} and JSON-RPC answer in CometBFT's envelope, with a stock node's members`,
    where: WHERE,
    run: async (session) => {
      const get = await session.call(`/rpc/${method}${query}`);
      expectEqual(
        [get.status, get.headers['content-type']],
        [200, 'application/json'],
        `status and media type of GET /rpc/${method}`,
      );
      const result = expectEnvelope(get.body, -1, `GET /rpc/${method}`);
      const missing = members.filter((member) => typeof result !== 'object' || result === null || !(member in result));
      expectEqual(missing, [], `members that the result of ${method} lacks`);
      const posted = await jsonRpc(session, {
        jsonrpc: '2.0',
        id: 'a',
        method,
        params: Object.fromEntries(paramsOf(query)),
      });
      const same = expectEnvelope(posted.body, 'a', `JSON-RPC ${method}`);
      expectEqual(Object.keys(same), Object.keys(result), `the members of ${method} over JSON-RPC`);
      const typed = await session.call(`/rpc/${method}`, { body: Object.fromEntries(paramsOf(query)) });
      expectEqual(typed.status, 200, `the status of POST /rpc/${method}`);
      const third = expectEnvelope(typed.body, -1, `POST /rpc/${method}`);
      expectEqual(Object.keys(third), Object.keys(result), `the members of POST /rpc/${method}`);
    },
  })),
  {
    id: 'rpc.one-block',
    promise: 'every method that tells of a block tells of the same one, and a block leads to the one before it',
    where: WHERE,
    accounts: 1,
    run: async (session) => {
      const signed = session.sign(await session.funded(), { to: session.receiver(), amount: '1', nonce: 0 });
      const { body: paid } = await session.pay(signed);
      // The commit of a block is canonical once the next one has it.
      await session.ask('getReceipt', `/transactions/${signed.txHash}/receipt`, { headers: { prefer: 'wait=30' } });
      const height = String(paid.height);
      const result = async (operationId: string, path: string, body?: object): Promise<any> =>
        (await session.ask(operationId, path, body === undefined ? {} : { body })).body.result;
      const block = await result('getRpcBlock', `/rpc/block?height=${height}`);
      const { hash } = block.block_id;
      const base64 = Buffer.from(hash, 'hex').toString('base64');
      const { header, data } = block.block;
      expectEqual(await result('postRpcBlock', '/rpc/block', { height }), block, 'the block by POST');
      expectEqual(
        await result('getRpcBlockByHash', `/rpc/block_by_hash?hash=0x${hash}`),
        block,
        'the block by its hash',
      );
      expectEqual(
        await result('postRpcBlockByHash', '/rpc/block_by_hash', { hash: base64 }),
        block,
        'the same by POST',
      );
      expectEqual(await result('getRpcHeader', `/rpc/header?height=${height}`), { header }, 'its header');
      expectEqual(
        await result('getRpcHeaderByHash', `/rpc/header_by_hash?hash=0x${hash}`),
        { header },
        'its header by its hash',
      );
      expectEqual(await result('postRpcHeaderByHash', '/rpc/header_by_hash', { hash }), { header }, 'the same by POST');
      const { signed_header, canonical } = await result('getRpcCommit', `/rpc/commit?height=${height}`);
      expectEqual(
        [signed_header.header, signed_header.commit.block_id.hash, canonical],
        [header, hash, true],
        'header, hash and state of its commit',
      );
      const { block_metas } = await result(
        'getRpcBlockchain',
        `/rpc/blockchain?minHeight=${height}&maxHeight=${height}`,
      );
      expectEqual(
        block_metas.map((meta: any) => [meta.block_id.hash, meta.header, meta.num_txs]),
        [[hash, header, String(data.txs.length)]],
        'the list of blocks',
      );
      const { blocks } = await result('postRpcBlockSearch', '/rpc/block_search', { query: `block.height=${height}` });
      expectEqual(blocks, [block], 'the search of blocks');
      const { txs_results, app_hash } = await result('getRpcBlockResults', `/rpc/block_results?height=${height}`);
      const next = (await result('getRpcBlock', `/rpc/block?height=${paid.height + 1}`)).block;
      expectEqual(
        [txs_results.length, app_hash],
        [data.txs.length, Buffer.from(next.header.app_hash, 'hex').toString('base64')],
        'results and application hash of the block',
      );
      expectEqual(next.header.last_block_id.hash, hash, 'the block before the next one');
      expectEqual(
        next.last_commit.signatures,
        signed_header.commit.signatures,
        'the signatures under it, in the next block',
      );
      const tx = await result('getRpcTx', `/rpc/tx?hash=0x${signed.txHash}`);
      expectEqual(
        [tx.height, data.txs[tx.index], txs_results[tx.index]?.code],
        [height, tx.tx, 0],
        'height, bytes and code of a transaction of the block',
      );
      const posted = await result('postRpcTx', '/rpc/tx', {
        hash: Buffer.from(signed.txHash, 'hex').toString('base64'),
      });
      expectEqual(posted, tx, 'the transaction by POST');
      const { txs } = await result('getRpcTxSearch', `/rpc/tx_search?query=%22tx.hash='${signed.txHash}'%22`);
      expectEqual(txs, [tx], 'the search of transactions');
      const { validators } = await result('getRpcValidators', `/rpc/validators?height=${height}`);
      const signers = signed_header.commit.signatures
        .map((each: any) => each.validator_address)
        .filter((address: string) => address !== '');
      expect(
        signers.every((address: string) => validators.some((each: any) => each.address === address)),
        'who signed is a validator',
      );
    },
  },
  {
    id: 'rpc.search-order',
    promise:
      'the pages of a search joined are all that it finds, and with order_by=desc the same from the end; a list of blocks has both of its ends',
    where: 'the contract, tx_search and block_search',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      for (const nonce of [0, 1, 2]) await session.pay(session.sign(account, { to, amount: '1', nonce }));
      const query = encodeURIComponent(`"transfer.to='${to}'"`);
      const joined = async (operationId: string, path: string, of: string, keyOf: (each: any) => string) => {
        const found: string[] = [];
        for (let page = 1, total = 1; found.length < total; page++) {
          const { body } = await session.ask(operationId, `${path}&page=${page}&per_page=2`);
          expect(body?.result !== undefined, `page ${page} of ${path} is there, got ${show(body)}`);
          const { result } = body;
          total = Number(result.total_count);
          expect(result[of].length > 0, `page ${page} of ${path} has something`);
          found.push(...result[of].map(keyOf));
        }
        return found;
      };
      const hashes = (order: string) =>
        joined('getRpcTxSearch', `/rpc/tx_search?query=${query}&order_by="${order}"`, 'txs', ({ hash }) => hash);
      const deadline = Date.now() + SEARCH_MS_MAX;
      // The search follows the blocks.
      const found = async (): Promise<string> =>
        (await session.ask('getRpcTxSearch', `/rpc/tx_search?query=${query}`)).body.result?.total_count;
      while ((await found()) !== '3') expect(Date.now() < deadline, 'the search finds what was committed');
      const sent = [0, 1, 2].map((nonce) => session.sign(account, { to, amount: '1', nonce }).txHash);
      expectEqual(await hashes('asc'), sent, 'the pages of tx_search, oldest first');
      expectEqual(await hashes('desc'), sent.toReversed(), 'the pages of tx_search, newest first');
      const listed = (await session.ask('getRpcBlockchain', '/rpc/blockchain?minHeight=1&maxHeight=3')).body.result;
      expectEqual(
        listed.block_metas.map(({ header }: any) => header.height),
        ['3', '2', '1'],
        'the blocks from 1 to 3, both included, newest first',
      );
      const blocks = encodeURIComponent('"block.height<4"');
      const heights = (order: string) =>
        joined(
          'getRpcBlockSearch',
          `/rpc/block_search?query=${blocks}&order_by="${order}"`,
          'blocks',
          (each) => each.block.header.height,
        );
      expectEqual(await heights('asc'), ['1', '2', '3'], 'the pages of block_search, oldest first');
      expectEqual(await heights('desc'), ['3', '2', '1'], 'the pages of block_search, newest first');
    },
  },
  {
    id: 'rpc.broadcast-forms',
    promise: 'each method that broadcasts takes a transfer by GET and by POST; evidence that is none is refused',
    where: BROADCAST,
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      let nonce = 0;
      for (const [method, name] of [
        ['broadcast_tx_async', 'RpcBroadcastTxAsync'],
        ['broadcast_tx_sync', 'RpcBroadcastTxSync'],
        ['broadcast_tx_commit', 'RpcBroadcastTxCommit'],
      ] as const)
        for (const verb of ['get', 'post'] as const) {
          const signed = session.sign(account, { to, amount: '1', nonce: nonce++ });
          const raw = Buffer.from(rawBytes({ chainId: session.chainId, ...signed }, signed.signature));
          const { status, body } =
            verb === 'get'
              ? await session.manage(`get${name}`, `/rpc/${method}?tx=0x${raw.toString('hex')}`)
              : await session.manage(`post${name}`, `/rpc/${method}`, { body: { tx: raw.toString('base64') } });
          const { hash, code = body.result?.tx_result?.code } = body.result ?? {};
          expectEqual([status, hash, code], [200, signed.txHash, 0], `status, hash and code of ${verb} ${method}`);
          expectEqual(await session.settled(signed.txHash), 'committed', `what became of what ${method} was given`);
        }
      expectEqual((await session.account(to)).balance, String(nonce), 'what the receiver has');
      for (const answer of [
        await session.ask('getRpcBroadcastEvidence', '/rpc/broadcast_evidence?evidence={}'),
        await session.ask('postRpcBroadcastEvidence', '/rpc/broadcast_evidence', { body: { evidence: {} } }),
      ])
        expectEqual(
          [answer.status, 'error' in (answer.body ?? {})],
          [400, true],
          `status of ${answer.method} ${answer.path}`,
        );
    },
  },
  {
    id: 'rpc.chain',
    promise: 'status and genesis name the chain that GET /chain names; 64-bit integers are strings',
    where: WHERE,
    run: async (session) => {
      const { node_info, sync_info } = (await session.call('/rpc/status')).body.result;
      expectEqual(node_info.network, session.chainId, 'node_info.network');
      expect(
        typeof sync_info.latest_block_height === 'string' && /^[1-9]\d*$/.test(sync_info.latest_block_height),
        `latest_block_height is a string of digits, got ${show(sync_info.latest_block_height)}`,
      );
      expect(/^[0-9A-F]{64}$/.test(sync_info.latest_block_hash), 'latest_block_hash is upper-case hex');
      expectEqual(
        (await session.call('/rpc/genesis')).body.result.genesis.chain_id,
        session.chainId,
        'chain_id of the genesis',
      );
    },
  },
  {
    id: 'rpc.health',
    promise: 'GET /rpc/health is an empty result',
    where: WHERE,
    run: async (session) => {
      expectEqual((await session.ask('getRpcHealth', '/rpc/health')).body?.result ?? {}, {}, 'the result of health');
      expectEqual(
        (await session.ask('postRpcHealth', '/rpc/health', { body: {} })).body?.result ?? {},
        {},
        'the same by POST',
      );
    },
  },
  {
    id: 'rpc.batch',
    promise: 'a JSON-RPC batch is answered entry by entry, each under its id',
    where: WHERE,
    run: async (session) => {
      const methods = ['status', 'net_info', 'no_such_method'];
      const { status, body } = await jsonRpc(
        session,
        methods.map((method, i) => ({ jsonrpc: '2.0', id: i + 1, method, params: {} })),
      );
      expectEqual([status, Array.isArray(body)], [200, true], 'status of a batch, and whether the answer is a list');
      expectEqual(body.map((entry: { id: number }) => entry.id).sort(), [1, 2, 3], 'the ids of the answers');
      const byId = new Map<number, any>(body.map((entry: { id: number }) => [entry.id, entry]));
      expectEqual(byId.get(1).result.node_info.network, session.chainId, 'the network in the first entry');
      expectEqual(byId.get(3).error?.code, -32601, 'the error of an unknown method');
    },
  },
  {
    id: 'rpc.errors',
    promise: 'what a method refuses is told in its envelope, with a code and a message',
    where: WHERE,
    run: async (session) => {
      const { body } = await jsonRpc(session, {
        jsonrpc: '2.0',
        id: 7,
        method: 'block',
        params: { height: '999999999' },
      });
      expectEqual(
        [body.jsonrpc, body.id, body.error?.code],
        ['2.0', 7, -32603],
        'jsonrpc, id and code for a height that does not exist',
      );
      expect(
        typeof body.error.message === 'string' && typeof body.error.data === 'string',
        `an error has message and data, got ${show(body.error)}`,
      );
    },
  },
  {
    id: 'rpc.tx',
    promise: 'a committed transfer is in the chain under its hash, byte for byte',
    where: 'docs/INTEGRATORS.md, Verify',
    accounts: 1,
    run: async (session) => {
      const [account, to] = [await session.funded(), session.receiver()];
      const signed = session.sign(account, { to, amount: '3', nonce: 0 });
      const { body: paid } = await session.pay(signed);
      const { hash, height, tx, tx_result, proof } = (await session.call(`/rpc/tx?hash=0x${signed.txHash}&prove=true`))
        .body.result;
      expectEqual([hash, height, tx_result.code], [signed.txHash, String(paid.height), 0], 'hash, height and code');
      expectEqual(
        Buffer.from(tx, 'base64').toString(),
        rawBytes({ chainId: session.chainId, ...signed }, signed.signature),
        'the bytes in the block',
      );
      const { data_hash } = (await session.call(`/rpc/header?height=${height}`)).body.result.header;
      expectEqual(proof.root_hash, data_hash, 'root of the proof and data_hash of the header');
    },
  },
  {
    id: 'rpc.check-tx',
    promise: 'check_tx decides as the published vectors do',
    where: 'spec/vectors/transactions.json',
    run: async (session) => {
      const { chain, valid, refused, codes } = loadVectors();
      const decide = async (raw: Buffer): Promise<number> =>
        (await jsonRpc(session, { jsonrpc: '2.0', id: 1, method: 'check_tx', params: { tx: raw.toString('base64') } }))
          .body.result?.code;
      for (const { name, raw, rawHex, code } of refused.filter(
        (each) => each.code === codes['malformed'] && (each.raw !== '' || each.rawHex !== undefined),
      )) {
        expectEqual(
          await decide(rawHex === undefined ? Buffer.from(raw ?? '') : Buffer.from(rawHex, 'hex')),
          code,
          `the code of "${name}"`,
        );
      }
      if (session.chainId === chain.chainId) return;
      for (const { name, raw } of valid)
        expectEqual(
          await decide(Buffer.from(raw)),
          codes['wrong_chain'],
          `the code of "${name}", which is of another chain`,
        );
    },
  },
  {
    id: 'rpc.broadcast',
    promise: 'what is broadcast is listed and settles like any other transfer',
    where: BROADCAST,
    accounts: 1,
    run: async (session) => {
      const { txHash, to, base64 } = await broadcastOf(session);
      const { body } = await jsonRpc(session, {
        jsonrpc: '2.0',
        id: 1,
        method: 'broadcast_tx_sync',
        params: { tx: base64 },
      });
      if (body.error?.code === -32001) throw new Skipped('the token lacks the scope rpc:broadcast');
      expectEqual([body.result?.code, body.result?.hash], [0, txHash], 'code and hash of broadcast_tx_sync');
      expectEqual(await session.settled(txHash), 'committed', 'what became of it');
      const { transactions } = (await session.call(`/transactions?to=${to}`)).body;
      expectEqual(
        transactions.map((each: { txHash: string }) => each.txHash),
        [txHash],
        'the list by receiver',
      );
    },
  },
  {
    id: 'rpc.broadcast-token',
    promise: 'nothing is broadcast without a token, over GET and JSON-RPC alike',
    where: BROADCAST,
    accounts: 1,
    run: async (session) => {
      const { txHash, base64, hex } = await broadcastOf(session);
      const get = await session.call(`/rpc/broadcast_tx_sync?tx=${hex}`, { headers: { authorization: '' } });
      expectEqual([get.status, get.body?.code], [401, 'unauthenticated'], 'GET /rpc/broadcast_tx_sync without a token');
      const { body } = await jsonRpc(
        session,
        { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: base64 } },
        { authorization: '' },
      );
      expectEqual(
        body.error?.code ?? body.code,
        -32001,
        'the error of broadcast_tx_sync over JSON-RPC without a token',
      );
      expectEqual((await session.read(txHash)).status, 404, 'GET of what was not broadcast');
    },
  },
  {
    id: 'rpc.websocket',
    promise: 'a subscription hears of a committed transfer, under the id of its request',
    where: 'the contract, tag RPC',
    accounts: 1,
    run: async (session) => {
      if (typeof WebSocket === 'undefined') throw new Skipped('this Node.js has no WebSocket; 22 has');
      if ((await session.call('/rpc/health', { headers: { authorization: '' } })).status === 401)
        throw new Skipped('reads need a token here, which the WebSocket of Node.js cannot send');
      const [account, to] = [await session.funded(), session.receiver()];
      const signed = session.sign(account, { to, amount: '3', nonce: 0 });
      const socket = new WebSocket(`${session.baseUrl.replace(/^http/, 'ws')}/rpc/websocket`);
      try {
        const messages: any[] = [];
        const heard = (count: number): Promise<void> =>
          new Promise((resolve, reject) => {
            const timer = setTimeout(
              () => reject(new Error(`the websocket sent ${messages.length} messages within ${EVENT_MS_MAX / 1000} s`)),
              EVENT_MS_MAX,
            );
            const look = (): void => {
              if (messages.length < count) return;
              clearTimeout(timer);
              resolve();
            };
            socket.addEventListener('message', look);
            socket.addEventListener('error', () => reject(new Error('the websocket failed')));
            look();
          });
        socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
        await new Promise((resolve, reject) => {
          socket.addEventListener('open', resolve);
          socket.addEventListener('error', () => reject(new Error('the websocket cannot be opened')));
        });
        const query = `tm.event='Tx' AND transfer.to='${to}'`;
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'events', method: 'subscribe', params: { query } }));
        await heard(1);
        expectEqual(messages[0], { jsonrpc: '2.0', id: 'events', result: {} }, 'the answer to subscribe');
        await session.pay(signed);
        await heard(2);
        const { id, result } = messages[1];
        expectEqual(
          [id, result?.query, result?.data?.type],
          ['events', query, 'tendermint/event/Tx'],
          'id, query and type of the event',
        );
        expectEqual(result.events['tx.hash'], [signed.txHash], 'the hash in the event');
      } finally {
        socket.close();
      }
    },
  },
];

/** The arguments of a query string as JSON-RPC has them: text without its quotes. */
function* paramsOf(query: string): Iterable<[string, string]> {
  for (const [name, value] of new URLSearchParams(query)) {
    const text = value.replaceAll('"', '');
    yield [
      name,
      name === 'tx' ? Buffer.from(text).toString('base64') : name === 'data' ? text.replace(/^0x/, '') : text,
    ];
  }
}
