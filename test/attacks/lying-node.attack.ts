/**
 * One of two nodes lies: a proxy in front of it says that it is blocks ahead, and shows a newest block with a payment that the chain never
 * held.
 *
 *   COMETBFT=/path/to/cometbft node test/attacks/lying-node.attack.ts [--checkout DIR]
 *
 * The forged block follows the true one before it, names the true validators and carries the true commit of its parent; only the signature of
 * its own commit is not the validator's. The attacker is a node that the operator named, so no client and no address of a client has a part in it. The gateway must not settle the payment, must go on with the honest node (also over a change of
 * validators) and must count the lie.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerOfJson } from '../../server/engine/cometbft/blocks/header-json.ts';
import { blockIdJson, headerJson } from '../../server/engine/rpc/signed-header-json.ts';
import { headerHash, merkleRoot, sha256, type Header } from '../../server/engine/encoding/index.ts';
import {
  buildGenesis,
  encodeTransaction,
  parseGenesis,
  publicKeyOfSeed,
  signGovernance,
  signTransaction,
  type Transfer,
  txHash,
  withSignatures,
} from '../../server/ledger/index.ts';
import { call, freePort } from '../e2e/support/server.ts';
import { COMETBFT, CometbftPair } from '../engine/support/cometbft-pair.ts';
import { CHAIN_ID, checkoutOfArguments, PAYEE, PAYER, report, Target } from './target.ts';

const POLL_MS = 50;
const STEP_MS_MAX = 15_000;
const VALIDATOR_SEED = new Uint8Array(32).fill(9);
const SECOND_NS = 1_000_000_000n;
/** More than the blocks of the second between two questions of the gateway, or it would ask the honest node alone. */
const CLAIMED_AHEAD = 5;

function signed(nonce: number, amount: bigint): { hash: string; raw: Uint8Array; body: object } {
  const unsigned = {
    kind: 'transfer' as const,
    chainId: CHAIN_ID,
    from: PAYER.address,
    to: PAYEE.address,
    amount,
    nonce,
  };
  const tx = signTransaction<Transfer>(unsigned, PAYER.seed);
  const raw = encodeTransaction(tx);
  return {
    hash: txHash(raw),
    raw,
    body: { from: tx.from, to: tx.to, amount: String(amount), nonce, signature: tx.signature },
  };
}

/** Waits until it holds; false when it does not within the time. */
async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (const endMs = performance.now() + STEP_MS_MAX; performance.now() < endMs; await sleep(POLL_MS)) {
    if (await holds().catch(() => false)) return true;
  }
  return false;
}

/** In front of a node: hands on what it says, until it is to show a transaction: in the first block that it is asked for and that is the newest or still to come. */
class LyingProxy {
  readonly port: number;
  readonly #node: string;
  readonly #server: Server;
  /** The transaction that it is to forge a block for. */
  raw: Uint8Array | undefined;
  /** Answers to the methods about the forged block. */
  #forged: { height: number; answers: Record<string, unknown> } | undefined;
  lies = 0;

  private constructor(node: string, port: number) {
    this.#node = node;
    this.port = port;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.#answer(Buffer.concat(chunks).toString()).then(
          (text) => response.setHeader('content-type', 'application/json').end(text),
          () => response.destroy(),
        );
      });
    });
    this.#server.on('upgrade', (_, socket) => socket.destroy());
  }

  static async start(node: string): Promise<LyingProxy> {
    const proxy = new LyingProxy(node, await freePort());
    await new Promise<void>((resolve) => proxy.#server.listen(proxy.port, '127.0.0.1', resolve));
    return proxy;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get height(): number {
    return this.#forged?.height ?? 0;
  }

  async #latest(): Promise<number> {
    return Number((await this.#ask('status', {})).sync_info.latest_block_height);
  }

  /** Makes the block after the newest one, with this transaction. */
  async #forge(raw: Uint8Array, parent: number): Promise<void> {
    const at = { height: String(parent) };
    const [block, results, commit] = [
      await this.#ask('block', at),
      await this.#ask('block_results', at),
      await this.#ask('commit', at),
    ];
    const height = parent + 1;
    const before = headerOfJson(block.block.header);
    const header: Header = {
      ...before,
      height,
      timeNs: before.timeNs + SECOND_NS,
      lastBlockId: {
        hash: Buffer.from(block.block_id.hash, 'hex'),
        parts: { total: block.block_id.parts.total, hash: Buffer.from(block.block_id.parts.hash, 'hex') },
      },
      dataHash: merkleRoot([sha256(raw)]),
      appHash: Buffer.from(results.app_hash, 'base64'),
    };
    const id = blockIdJson({ hash: headerHash(header), parts: { total: 1, hash: sha256(raw) } });
    const [signature] = commit.signed_header.commit.signatures;
    const result = {
      code: 0,
      data: null,
      log: '',
      info: '',
      gas_wanted: '0',
      gas_used: '0',
      events: [],
      codespace: '',
    };
    const forgedCommit = { height: String(height), round: 0, block_id: id, signatures: [signature] };
    this.#forged = {
      height,
      answers: {
        block: {
          block_id: id,
          block: {
            header: headerJson(header),
            data: { txs: [Buffer.from(raw).toString('base64')] },
            evidence: { evidence: [] },
            last_commit: commit.signed_header.commit,
          },
        },
        block_results: {
          height: String(height),
          txs_results: [result],
          finalize_block_events: null,
          validator_updates: null,
          consensus_param_updates: null,
          app_hash: results.app_hash,
        },
        commit: { signed_header: { header: headerJson(header), commit: forgedCommit }, canonical: false },
        header: { header: headerJson(header) },
      },
    };
  }

  async #ask(method: string, params: object): Promise<any> {
    return (await call(this.#node, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }))
      .body.result;
  }

  async #answer(body: string): Promise<string> {
    const asked = JSON.parse(body) as
      | { id: number; method: string; params: { height?: string } }
      | { id: number; method: string; params: { height?: string } }[];
    const requests = [asked].flat();
    const wanted = Number(requests.find(({ method }) => method === 'block')?.params.height);
    if (this.raw !== undefined && this.#forged === undefined && wanted >= (await this.#latest())) {
      // Its own node may be behind: the block before the forged one has to be a true one.
      await until(async () => (await this.#latest()) >= wanted - 1);
      await this.#forge(this.raw, wanted - 1);
    }
    const text = await (await fetch(this.#node, { method: 'POST', body, headers: { connection: 'close' } })).text();
    if (this.raw === undefined) return text;
    const { height = 0, answers = {} } = this.#forged ?? {};
    const reply = JSON.parse(text);
    const replies = [reply].flat();
    for (const [i, { id, method, params }] of requests.entries()) {
      if (method === 'status')
        replies[i].result.sync_info.latest_block_height = String(
          Math.max(height, Number(replies[i].result.sync_info.latest_block_height) + CLAIMED_AHEAD),
        );
      if (params.height !== String(height) || answers[method] === undefined) continue;
      this.lies += 1;
      replies[i] = { jsonrpc: '2.0', id, result: answers[method] };
    }
    return JSON.stringify(Array.isArray(reply) ? replies : replies[0]);
  }
}

if (!existsSync(COMETBFT)) {
  console.log(
    JSON.stringify({ attack: 'lying-node', skipped: 'the variable COMETBFT names no program of CometBFT v0.38.26' }),
  );
  process.exit(0);
}

const publicKey = Buffer.from(publicKeyOfSeed(VALIDATOR_SEED)).toString('hex');
const parsed = parseGenesis(
  buildGenesis({
    genesisTime: new Date().toISOString().replace(/\.?0*Z$/, 'Z'),
    chainId: CHAIN_ID,
    addressPrefix: 'txl',
    validators: [{ publicKey, power: 10, name: 'validator' }],
    accounts: [{ address: PAYER.address, balance: 10n ** 12n }],
    cancellers: [PAYER.address],
    governors: [PAYER.address],
    threshold: 1,
    currency: { code: 'TST', scale: 2 },
  }),
);
if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
const { genesis } = parsed;

const ends: (() => Promise<void> | void)[] = [];
try {
  const config = { 'consensus.timeout_commit': '"400ms"' };
  const honest = await CometbftPair.create({ genesis, validatorSeed: VALIDATOR_SEED, config });
  ends.unshift(() => honest.dispose());
  const second = await CometbftPair.create({
    genesis,
    config: { ...config, 'p2p.persistent_peers': JSON.stringify(honest.peer) },
  });
  ends.unshift(() => second.dispose());
  await Promise.all([honest.start(), second.start()]);
  await Promise.all([honest.waitForHeight(2), second.waitForHeight(2)]);
  const liar = await LyingProxy.start(second.rpcUrl);
  ends.unshift(() => liar.close());

  const genesisFile = path.join(honest.folder, 'genesis.json');
  writeFileSync(genesisFile, genesis.bytes);
  const nodes = `http://127.0.0.1:${liar.port},${honest.rpcUrl}`;
  const variables = { ENGINE: 'cometbft', COMETBFT_RPC_URL: nodes, GENESIS_FILE: genesisFile, VALIDATOR_KEY_FILE: '' };
  const target = await Target.start({ command: 'serve', checkout: checkoutOfArguments(), variables });
  ends.unshift(() => target.stop());

  const statusOf = async (hash: string): Promise<string> => {
    const { status, body } = await call(`${target.baseUrl}/transactions/${hash}`, { token: target.token });
    return status === 200 ? body.status : 'unknown';
  };
  const pay = async (nonce: number): Promise<boolean> => {
    const payment = signed(nonce, 5n);
    const headers = { 'content-type': 'application/json', prefer: 'wait=5' };
    await call(`${target.baseUrl}/transactions`, {
      method: 'POST',
      token: target.token,
      headers,
      body: JSON.stringify(payment.body),
    }).catch(() => undefined);
    return await until(async () => (await statusOf(payment.hash)) === 'committed');
  };
  const before = await pay(0);

  // The payer's own signature, shown to the liar alone.
  const forged = signed(1, 777n);
  liar.raw = forged.raw;
  await until(async () => liar.lies > 0);
  // Long enough for every node to be asked how it is, and for the chain to pass the forged block.
  const seen = new Set<string>();
  await until(async () => {
    seen.add(await statusOf(forged.hash).catch(() => 'unreachable'));
    return liar.height > 0 && (await honest.height()) > liar.height + 2;
  });
  const unsigned = {
    kind: 'governance' as const,
    chainId: CHAIN_ID,
    action: 'validator_power' as const,
    subject: publicKey,
    power: 11,
    sequence: 0,
  };
  await honest.broadcast(
    encodeTransaction(withSignatures(unsigned, [signGovernance(unsigned, PAYER.address, PAYER.seed)])),
  );
  await until(async () => (await honest.rpc('validators')).validators[0].voting_power === '11');
  const after = await pay(1);
  const onChain =
    (await honest.rpc('abci_info')).response.last_block_height !== undefined &&
    (await call(`${honest.rpcUrl}/tx?hash=0x${forged.hash}`)).body.result !== undefined;
  const readyz = await call(`${target.baseUrl}/readyz`).then(
    ({ status }) => status,
    () => 'gone',
  );
  const metrics = await call(`${target.baseUrl}/metrics`).then(
    ({ body }) => String(body),
    () => '',
  );
  const lies = Number(/^txledger_engine_nodes_distrusted_total (\d+)/m.exec(metrics)?.[1] ?? 0);
  const isNamed =
    target.output.includes(`http://127.0.0.1:${liar.port}`) && target.output.includes('answered what cannot be true');
  const held =
    before && after && !seen.has('committed') && !onChain && readyz === 200 && liar.lies > 0 && lies > 0 && isNamed;
  report('lying-node', target, held, {
    forged: [...seen],
    shown: liar.lies > 0,
    forgedOnChain: onChain,
    honestBefore: before,
    honestAfter: after,
    readyz,
    lies,
    isNamed,
  });
} finally {
  for (const end of ends) await end();
}
