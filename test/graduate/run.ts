/**
 * A chain that graduates, with real processes: blocks by the embedded engine, then by a stock CometBFT v0.38.26 node with the same validator and
 * our application, a gateway on the copied store, three more validators, and the first one gone. Stock verifiers are asked about the seam.
 *
 *   COMETBFT=cometbft node test/graduate/run.ts [--kills 10] [--seed 1]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { parseValidatorKey } from '../../server/engine/validator-key.ts';
import { chance } from '../client/chaos/chance.ts';
import { chainOf } from '../e2e/support/chain.ts';
import { call, freePort, Server, txledger } from '../e2e/support/server.ts';
import { hasCometbft } from '../engine/support/cometbft-node.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { fingerprint, killRuns } from './kills.ts';
import { BLOCKS, copyFolder, govern, liveEmbedded, rawOf, shown, succeedsJson } from './life.ts';
import { verifiedHash } from './light.ts';
import { Node } from './node.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
if (!hasCometbft)
  throw new Error('COMETBFT names no program: go install github.com/cometbft/cometbft/cmd/cometbft@v0.38.26');
const random = chance(Number(values.seed));
const startedMs = performance.now();
const parent = mkdtempSync(path.join(tmpdir(), 'txledger-graduate-'));
const file = (name: string): string => path.join(parent, name);
const faults: string[] = [];
const tell = (line: string): void => console.log(`${line} (${Math.round((performance.now() - startedMs) / 1000)} s)`);
const expectSame = (what: string, found: unknown, expected: unknown): void => {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) faults.push(`${what}: ${a?.slice(0, 600)}, expected ${b?.slice(0, 600)}`);
};
const VALIDATORS = 4;
/** A header before the seam, which a light client may trust. */
const TRUSTED_HEIGHT = 20;

const nodes: Node[] = [];
let gateway: Server | undefined;
let postgres: PostgresCluster | undefined;

/** Statuses and everything else of what is decided; what waits may be said in other words. */
const settledOf = (transactions: readonly { txHash: string; status: string }[]): object[] =>
  transactions.filter(({ status }) => status !== 'pending');

/** Of a node that is stopped: CometBFT's own stores read every height, its own packages execute it again. */
function judgeHome(home: string): string {
  const { status, stdout, stderr } = spawnSync(
    'go',
    ['test', '-count=1', '-v', '-tags', 'home', '-run', 'StockStores', './...'],
    { cwd: path.join(ROOT, 'test/go'), env: { ...process.env, HOME_FOLDER: home }, encoding: 'utf8' },
  );
  if (status !== 0) faults.push(`stock packages refuse ${path.basename(home)}: ${stdout}${stderr}`);
  return /home_test\.go:\d+: (.*)/.exec(stdout)?.[1] ?? 'refused';
}

try {
  const data = file('data');
  postgres = await PostgresCluster.start();
  const { life, before, height: seam } = await liveEmbedded(data, parent);
  if (seam < BLOCKS) faults.push(`only ${seam} embedded blocks`);
  const waiting = before.transactions.filter(({ status }) => status === 'pending').length;
  const statuses = new Set(before.transactions.map(({ status }) => status));
  for (const status of ['committed', 'failed', 'cancelled', 'pending'])
    if (!statuses.has(status)) faults.push(`no transfer is ${status}: the life lacks what it is there for`);
  tell(
    `${seam} embedded blocks, ${before.transactions.length} transfers: ${['committed', 'failed', 'cancelled', 'pending'].map((status) => `${before.transactions.filter((each) => each.status === status).length} ${status}`).join(', ')}`,
  );

  // Copies for the kills, before anything is sealed.
  const pristine = copyFolder(data, file('pristine'));

  const home = file('validator-1');
  Node.init(home);
  const graduated = await succeedsJson(['graduate', '--data-dir', data, '--home', home], {});
  expectSame('the height of the home', graduated.height, seam);
  const copy = { DATABASE_URL: await postgres.database() };
  const copied = await succeedsJson(['store', 'copy', '--from', data], copy);
  expectSame(
    'what was copied',
    [copied.height, copied.counts.transfers, copied.counts.pending],
    [seam, before.transactions.length, waiting],
  );
  expectSame('the copy once more', (await succeedsJson(['store', 'copy', '--from', data], copy)).wasThere, true);
  const refused = await txledger(['start'], { DATA_DIR: data });
  expectSame(
    'start in the sealed folder',
    [refused.code, refused.stderr.includes('goes on in the CometBFT home')],
    [2, true],
  );
  tell('graduated and copied');

  const atOnce = copyFolder(pristine, file('plain-data'));
  const plain = file('plain-home');
  await succeedsJson(['graduate', '--data-dir', atOnce, '--home', plain], {});
  const expected = await fingerprint(plain);
  tell(`stock packages: ${judgeHome(plain)}`);
  faults.push(
    ...(await killRuns({
      count: Number(values.kills),
      random,
      folders: (index) => ({
        dataDir: copyFolder(pristine, file(`killed-${index}`)),
        home: file(`killed-home-${index}`),
      }),
      expected,
      tell,
    })),
  );

  const first = await Node.at(home);
  nodes.push(first);
  first.configure();
  for (let kill = 0; kill < 3; kill += 1) {
    first.spawn();
    await sleep(random() * 2500);
    await first.stop('SIGKILL');
  }
  await first.start();
  expectSame(
    'the last embedded block',
    (await first.rpc(`commit?height=${seam}`)).signed_header.commit.block_id.hash,
    graduated.blockHash,
  );
  if (/WAL does not contain/.test(first.output)) faults.push('the node misses the end of the last height in its log');
  await first.waitForHeight(seam + 2);
  expectSame(
    'the block after it names it',
    (await first.rpc(`block?height=${seam + 1}`)).block.header.last_block_id.hash,
    graduated.blockHash,
  );
  tell(`the node goes on, killed three times while it started for the first time: height ${await first.height()}`);

  const gatewayDir = file('gateway');
  const gatewayVariables = (urls: readonly string[]): Record<string, string> => ({
    ENGINE: 'cometbft',
    COMETBFT_RPC_URL: urls.join(','),
    GENESIS_FILE: path.join(data, 'genesis.json'),
    OPERATOR_KEY_FILE: path.join(data, 'operator_key.json'),
    LOG_LEVEL: 'error',
    ...copy,
  });
  gateway = new Server({
    command: 'serve',
    dataDir: gatewayDir,
    port: await freePort(),
    variables: gatewayVariables([first.rpcUrl]),
  });
  await gateway.start();
  const { dev } = life.chain;
  let chain = chainOf(gateway, dev);
  const statusOf = async (hash: string): Promise<string> => (await chain.get(`/transactions/${hash}`)).body.status;
  const until = async (what: string, hash: string, status: string): Promise<void> => {
    for (const endMs = performance.now() + 30_000; (await statusOf(hash)) !== status; await sleep(50)) {
      if (performance.now() > endMs) return void faults.push(`${what} is ${await statusOf(hash)}, expected ${status}`);
    }
  };

  // What was accepted by the embedded engine is decided by the network.
  for (const hash of life.executable) await until('what the journal held', hash, 'committed');
  await until('what a cancel was asked for', life.cancelling, 'cancelled');
  await until('what came with a key', life.keyed.body.txHash, 'committed');
  expectSame(
    'the same request again',
    (await chain.submit(life.keyed.body, { 'idempotency-key': `"${life.keyed.key}"` })).status,
    200,
  );
  expectSame('what waits for its nonce', await statusOf(life.gap.hash), 'pending');
  await chain.submit(life.gap.filler, { prefer: 'wait=30' });
  await until('what waited for its nonce', life.gap.hash, 'committed');
  // A void holds: the bytes are refused by the node, and by the gateway.
  expectSame('what was cancelled', await statusOf(life.cancelled.hash), 'cancelled');
  const again = await call(`${gateway.baseUrl}/rpc/broadcast_tx_sync`, {
    method: 'POST',
    token: dev.token,
    body: JSON.stringify({ tx: Buffer.from(rawOf(life.cancelled.body, dev.chainId)).toString('base64') }),
    headers: { 'content-type': 'application/json' },
  });
  if (again.body.result?.code === 0) faults.push('a node takes what was cancelled before the seam');

  // Tokens and bindings.
  expectSame(
    'a revoked token',
    (await call(`${gateway.baseUrl}/transactions`, { token: life.revokedToken })).status,
    401,
  );
  const bound = chain.signed(8, 0, 1n, 0);
  expectSame('another owner for a bound address', (await chain.submit(bound)).status, 403);
  const ofShop = await call(`${gateway.baseUrl}/transactions`, {
    method: 'POST',
    token: life.shopToken,
    body: JSON.stringify(bound),
    headers: { 'content-type': 'application/json', prefer: 'wait=30' },
  });
  expectSame('the owner of a bound address', [ofShop.status, ofShop.body.status], [201, 'committed']);

  // Fifty more.
  for (let height = 0; height < seam + BLOCKS;) {
    const { body } = await chain.submit(chain.signed(3, 1, 2n, await chain.nextNonce(chain.account(3).address)), {
      prefer: 'wait=30',
    });
    height = body.height;
  }
  const after = await shown(chain);
  const there = new Map(after.transactions.map((each) => [each.txHash, each]));
  const lost = before.transactions.filter(({ txHash }) => !there.has(txHash));
  if (lost.length > 0)
    faults.push(
      `${lost.length} transfers are gone: ${lost
        .map(({ txHash }) => txHash)
        .slice(0, 3)
        .join(', ')}`,
    );
  expectSame(
    'what was settled before',
    settledOf(before.transactions).map(({ txHash }: any) => there.get(txHash)),
    settledOf(before.transactions),
  );
  expectSame('the event log up to the seam', after.events.slice(-before.events.length), before.events);
  expectSame('the statement up to the seam', after.entries.slice(-before.entries.length), before.entries);
  if (after.entries.length < before.entries.length + life.executable.length)
    faults.push(
      `the statement does not go on: ${after.entries.length} entries, ${before.entries.length} before the seam`,
    );
  tell(
    `${await first.height()} blocks, ${after.transactions.length} transfers, ${after.transactions.filter(({ status }) => status === 'pending').length} pending; list, events and statement whole`,
  );

  // Three more validators, then the first one goes.
  for (let index = 2; index <= VALIDATORS; index += 1) {
    const folder = file(`validator-${index}`);
    Node.init(folder);
    cpSync(path.join(home, 'config/genesis.json'), path.join(folder, 'config/genesis.json'));
    const node = await Node.at(folder);
    node.configure(nodes.map(({ peer }) => peer).join(','));
    nodes.push(node);
    node.spawn();
  }
  const others = nodes.slice(1);
  for (const node of others) await node.waitForHeight(seam + BLOCKS);
  tell('three nodes have every block, those before the seam too');
  const publicKeyOf = (node: Node): string => {
    const parsed = parseValidatorKey(readFileSync(path.join(node.home, 'config/priv_validator_key.json'), 'utf8'));
    if (!parsed.ok) throw new Error(parsed.message);
    return Buffer.from(parsed.key.publicKey).toString('hex');
  };
  const governor = {
    baseUrl: gateway.baseUrl,
    token: dev.token,
    key: path.join(data, 'governor_key.json'),
    scratch: parent,
  };
  let steps = 0;
  const power = async (node: Node, ...powers: number[]): Promise<number> => {
    let height = 0;
    for (const each of powers)
      ({ height } = await govern(
        governor,
        '--kind',
        'validator_power',
        '--subject',
        publicKeyOf(node),
        '--power',
        String(each),
      ));
    steps += powers.length;
    return height;
  };
  // Each step moves less than a third of all power: 10, 13, 17, 20, 26, 30.
  await power(others[0] as Node, 3, 7, 10);
  await power(others[1] as Node, 6, 10);
  await power(others[2] as Node, 9, 10);
  const gone = await power(first, 0);
  await (others[0] as Node).waitForHeight(gone + 3);
  const signers = (await (others[0] as Node).rpc(`validators?height=${gone + 2}`)).validators.map(
    ({ voting_power: each }: any) => Number(each),
  );
  expectSame('who signs', signers, [10, 10, 10]);
  await first.stop();
  await gateway.stop();
  gateway = new Server({
    command: 'serve',
    dataDir: gatewayDir,
    port: await freePort(),
    variables: gatewayVariables(others.map(({ rpcUrl }) => rpcUrl)),
  });
  await gateway.start();
  chain = chainOf(gateway, dev);
  const { body: last } = await chain.submit(chain.signed(3, 1, 2n, await chain.nextNonce(chain.account(3).address)), {
    prefer: 'wait=30',
  });
  expectSame('a transfer without the first validator', last.status, 'committed');
  expectSame('nothing is lost', (await chain.list()).length, after.transactions.length + 1);
  tell(`${steps} steps of power; the first validator is gone, and the chain goes on at height ${last.height}`);

  // Stock verifiers across the seam.
  const second = others[0] as Node;
  const trusted = {
    height: TRUSTED_HEIGHT,
    hash: (await second.rpc(`commit?height=${TRUSTED_HEIGHT}`)).signed_header.commit.block_id.hash as string,
  };
  const hash = (await second.rpc(`commit?height=${last.height}`)).signed_header.commit.block_id.hash as string;
  for (const mode of ['sequential', 'skipping'] as const) {
    expectSame(
      `cometbft light, ${mode}`,
      await verifiedHash({ chainId: dev.chainId, rpcUrl: second.rpcUrl, trusted, height: last.height, mode }),
      hash,
    );
  }
  tell(`cometbft light verifies height ${last.height} from height ${TRUSTED_HEIGHT}, sequentially and skipping`);
  for (const node of others) await node.stop();
  for (const node of [first, second]) tell(`stock packages, ${path.basename(node.home)}: ${judgeHome(node.home)}`);
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await gateway?.stop('SIGKILL');
  for (const node of nodes) await node.stop('SIGKILL');
  await postgres?.stop();
  rmSync(parent, { recursive: true, force: true });
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else tell('one chain');
