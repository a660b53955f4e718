/**
 * Puts the contract to the test with schemathesis: thousands of requests made from its schemas, valid and not, against a
 * development server. No 5xx, no status or media type that is not documented, no answer off its schema.
 *
 * SCHEMATHESIS names the program `st`. Signed transfers, and the hashes of one that is committed and of one that waits, are given to
 * it by hooks.py, since no schema makes signatures.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from '../../server/app/dev-accounts.ts';
import { encodeTransaction, signTransaction, type Transfer, type Unsigned } from '../../server/ledger/index.ts';
import { call, freePort, Server } from '../e2e/support/server.ts';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];
const EXAMPLES_PER_OPERATION = process.env['SCHEMATHESIS_EXAMPLES'] ?? '20';
/** Its answer is text that happens to be YAML; schemathesis parses it and then misses the text. */
const PARSED_FOR_US = 'getOpenapiYaml';
/** One account for each, so that every nonce is 0 and their order does not matter. */
const NAMES = [
  'rest',
  'get_sync',
  'get_async',
  'get_commit',
  'get_check',
  'post_sync',
  'post_async',
  'post_commit',
  'post_check',
];

function signedTransfers(): Record<string, object> {
  const accounts = developmentAccounts();
  return Object.fromEntries(
    NAMES.map((name, index) => {
      const [from, to] = [accounts[index], accounts[index + 1]];
      if (from === undefined || to === undefined) throw new RangeError(`there is no account for ${name}`);
      const unsigned: Unsigned<Transfer> = {
        kind: 'transfer',
        chainId: DEVELOPMENT_CHAIN_ID,
        from: from.address,
        to: to.address,
        amount: 5n,
        nonce: 0,
      };
      const transfer = signTransaction(unsigned, Buffer.from(from.seed, 'hex'));
      const raw = Buffer.from(encodeTransaction(transfer));
      const body = { from: from.address, to: to.address, amount: '5', nonce: 0, signature: transfer.signature };
      return [name, { hex: raw.toString('hex'), base64: raw.toString('base64'), body }];
    }),
  );
}

/** The last account pays twice: one transfer that a block decides, one whose nonce lies ahead. */
async function known(token: string): Promise<{ committed: string; pending: string }> {
  const submit = async (nonce: number): Promise<string> => {
    const [from, to] = [developmentAccounts()[NAMES.length], developmentAccounts()[0]];
    if (from === undefined || to === undefined) throw new RangeError('there is no account left');
    const unsigned: Unsigned<Transfer> = {
      kind: 'transfer',
      chainId: DEVELOPMENT_CHAIN_ID,
      from: from.address,
      to: to.address,
      amount: 1n,
      nonce,
    };
    const { signature } = signTransaction(unsigned, Buffer.from(from.seed, 'hex'));
    const body = JSON.stringify({ from: from.address, to: to.address, amount: '1', nonce, signature });
    const answer = await call(`${server.baseUrl}/transactions`, {
      method: 'POST',
      token,
      body,
      headers: { 'content-type': 'application/json', prefer: nonce === 0 ? 'wait=10' : 'wait=0' },
    });
    return answer.body.txHash;
  };
  return { committed: await submit(0), pending: await submit(5) };
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'txledger-schemathesis-'));
const variables = { BLOCK_INTERVAL_MS: '50', TXLEDGER_VALIDATE_RESPONSES: 'true' };
const server = new Server({ dataDir, port: await freePort(), variables });
try {
  await server.start();
  const { token } = await server.development();
  const { committed, pending } = await known(token);
  const st = spawn(
    process.env['SCHEMATHESIS'] ?? 'st',
    [
      'run',
      `${server.baseUrl}/openapi.json`,
      '--url',
      server.baseUrl,
      '-H',
      `Authorization: Bearer ${token}`,
      '-c',
      CHECKS.join(','),
      '--phases',
      'examples,coverage,fuzzing',
      '-n',
      EXAMPLES_PER_OPERATION,
      '--suppress-health-check',
      'all',
      '--exclude-operation-id',
      PARSED_FOR_US,
    ],
    {
      cwd: dataDir,
      stdio: 'inherit',
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: path.join(import.meta.dirname, 'hooks.py'),
        SIGNED_TRANSFERS: JSON.stringify(signedTransfers()),
        COMMITTED_HASH: committed,
        PENDING_HASH: pending,
      },
    },
  );
  const [code] = (await once(st, 'exit')) as [number | null];
  const listed = await call(`${server.baseUrl}/transactions?limit=100`, { token });
  const settled = (listed.body.transactions as { status: string }[]).filter(
    ({ status }) => status === 'committed',
  ).length;
  process.stdout.write(`signed transfers committed: ${settled}\n`);
  // check_tx only asks; everything else that is signed must have come through, and the one before.
  process.exitCode = settled < NAMES.length - 1 ? 1 : (code ?? 1);
} finally {
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}
