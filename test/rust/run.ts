/**
 * Stock clients in Rust against a development server: every method of tendermint-rpc 0.41 over HTTP and over the websocket, subscriptions, and
 * tendermint-light-client-cli 0.41 from a trusted height to the latest. Needs cargo; says so and ends with 0 where there is none.
 *
 *   node test/rust/run.ts [--compile]
 *
 * The server asks for a token for everything (RPC_ACCESS=token), which these clients can only send as the password in the URL. CARGO_TARGET_DIR
 * keeps what was compiled for the next run, and `--compile` does no more than that; LIGHT_CLIENT names a tendermint-light-client-cli that is installed already. One line a step and a method.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeTransaction, signTransaction } from '../../server/ledger/index.ts';
import { chainOf, type Chain } from '../e2e/support/chain.ts';
import { call, freePort, Server } from '../e2e/support/server.ts';

const HERE = import.meta.dirname;
const LIGHT_CLIENT_VERSION = '0.41.0';
/** Three for each transport, and one that a subscription is to tell of. */
const UNSENT_TRANSFERS = 7;
const PAYMENTS = 5;

interface Outcome {
  code: number | null;
  output: string;
}

async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const child = spawn(program, [...args], {
    cwd: HERE,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

async function succeeds(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, output } = await run(program, args, env);
  if (code !== 0) throw new Error(`${path.basename(program)} ${args[0] ?? ''} ended with ${code}:\n${output}`);
  return output;
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
  return result;
}

/** Some payments in blocks. @returns the hash of the first and transfers that nobody knows yet, in base64. */
async function makePayments(chain: Chain): Promise<{ account: string; hash: string; transfers: string[] }> {
  const { address, seed } = chain.account(0);
  const to = chain.account(1).address;
  let hash = '';
  for (let nonce = 0; nonce < PAYMENTS; nonce += 1) {
    const { status, body } = await chain.submit(chain.signed(0, 1, 1n, nonce), { prefer: 'wait=30' });
    if (status !== 201) throw new Error(`a payment was answered ${status}: ${JSON.stringify(body)}`);
    hash ||= body.txHash as string;
  }
  const transfers = Array.from({ length: UNSENT_TRANSFERS }, (_, i) => {
    const transfer = signTransaction(
      { kind: 'transfer', chainId: chain.dev.chainId, from: address, to, amount: 2n, nonce: PAYMENTS + i },
      Buffer.from(seed, 'hex'),
    );
    return Buffer.from(encodeTransaction(transfer)).toString('base64');
  });
  return { account: address, hash, transfers };
}

/** The light client, at a height above the trusted one, with our RPC as primary and witness. */
async function lightClient(program: string, chain: Chain, rpc: string): Promise<void> {
  const commit = async (height: string): Promise<{ height: number; hash: string }> => {
    const { signed_header: header } = (
      await call(`${chain.server.baseUrl}/rpc/commit${height}`, { token: chain.dev.token })
    ).body.result;
    return { height: Number(header.header.height), hash: header.commit.block_id.hash };
  };
  const trusted = await commit('?height=2');
  const latest = await commit('');
  const verify = (hash: string): Promise<Outcome> =>
    run(
      program,
      [
        '--chain-id',
        chain.dev.chainId,
        '--primary',
        rpc,
        '--witnesses',
        rpc,
        '--trusted-height',
        String(trusted.height),
        '--trusted-hash',
        hash,
      ],
      { NO_COLOR: '1' },
    );
  const { code, output } = await verify(trusted.hash);
  const height = Number(/Verified to height (\d+) on primary/.exec(output)?.[1]);
  if (code !== 0 || !(height >= latest.height) || !output.includes('no divergence found'))
    throw new Error(`the light client ended with ${code}:\n${output}`);
  console.log(`light client: verified from height ${trusted.height} to ${height}, no divergence from its witness`);
  const wrong = await verify('7'.repeat(64));
  if (wrong.code === 0) throw new Error(`the light client trusted a header that does not exist:\n${wrong.output}`);
  console.log("light client: refuses a trusted hash that is not the chain's");
}

async function main(scratch: string): Promise<void> {
  const target = process.env['CARGO_TARGET_DIR'] ?? path.join(scratch, 'target');
  await step(`cargo: build against tendermint-rpc ${LIGHT_CLIENT_VERSION}`, () =>
    succeeds('cargo', ['build', '--quiet', '--locked'], { CARGO_TARGET_DIR: target }),
  );
  const installed = process.env['LIGHT_CLIENT'];
  const root = path.join(target, 'root');
  const install = [
    'install',
    '--quiet',
    '--locked',
    '--debug',
    '--root',
    root,
    'tendermint-light-client-cli',
    '--version',
    LIGHT_CLIENT_VERSION,
  ];
  if (installed === undefined)
    await step(`cargo: install tendermint-light-client-cli ${LIGHT_CLIENT_VERSION}`, () =>
      succeeds('cargo', install, { CARGO_TARGET_DIR: target }),
    );
  if (process.argv.includes('--compile')) return;
  const light = installed ?? path.join(root, 'bin', 'tendermint-light-client-cli');

  const dataDir = path.join(scratch, 'data');
  await mkdir(dataDir);
  const port = await freePort();
  const server = new Server({ dataDir, port, variables: { BLOCK_INTERVAL_MS: '100', RPC_ACCESS: 'token' } });
  try {
    await step('server: start', () => server.start());
    const chain = chainOf(server, await server.development());
    const payments = await makePayments(chain);
    const withToken = `:${chain.dev.token}@127.0.0.1:${port}/rpc`;
    const task = path.join(scratch, 'task.json');
    await writeFile(
      task,
      JSON.stringify({ http: `http://${withToken}`, websocket: `ws://${withToken}/websocket`, ...payments }),
      { mode: 0o600 },
    );
    const refused = (await call(`${server.baseUrl}/rpc/status`)).status;
    if (refused !== 401) throw new Error(`without a token the RPC answered ${refused}`);
    const { code, output } = await run(path.join(target, 'debug', 'txledger-rust-check'), [task]);
    process.stdout.write(output);
    if (code !== 0) throw new Error(`tendermint-rpc ended with ${code}`);
    await lightClient(light, chain, `http://${withToken}`);
    if (
      `${server.output}${await readFile(path.join(dataDir, 'log'), 'utf8').catch(() => '')}`.includes(
        Buffer.from(`:${chain.dev.token}`).toString('base64'),
      )
    )
      throw new Error('the server logged a credential');
  } finally {
    await server.stop('SIGKILL');
  }
}

if (spawnSync('cargo', ['--version']).status === 0) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'txledger-rust-'));
  try {
    await main(scratch);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
} else {
  console.log('skipped: there is no cargo on this machine, so the clients in Rust cannot be built');
}
