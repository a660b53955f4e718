/**
 * Configurations that would send tokens, the database's password or what nodes say over a network in the clear. Nothing
 * is started: `config check` decides as `serve` does, and a server of this kind would have to listen outside of loopback. So nobody sends anything,
 * from however many addresses.
 */
import { spawn } from 'node:child_process';
import { environment } from '../e2e/support/server.ts';
import { commandResult } from '../support/child-process.ts';
import { checkoutOfArguments } from './target.ts';

const EMBEDDED = { GENESIS_FILE: 'g', VALIDATOR_KEY_FILE: 'v', OPERATOR_KEY_FILE: 'o' };
const GATEWAY = {
  ENGINE: 'cometbft',
  GENESIS_FILE: 'g',
  OPERATOR_KEY_FILE: 'o',
  COMETBFT_RPC_URL: 'http://127.0.0.1:26657',
};
const database = (rest: string) => ({
  name: 'DATABASE_URL',
  env: { ...GATEWAY, DATABASE_URL: `postgres://u:p@${rest}` },
});

const EXPOSED: readonly { name: string; env: Record<string, string> }[] = [
  { name: 'HOST', env: { ...EMBEDDED, HOST: '0.0.0.0', ALLOWED_HOSTS: 'ledger.example' } },
  { name: 'HOST', env: { ...EMBEDDED, HOST: '10.0.0.21' } },
  database('10.0.0.31/x'),
  database('db.example/x?sslmode=require'),
  database('db.example/x?sslmode=verify-full&sslmode=no-verify'),
  database('127.0.0.1/x?host=db.example'),
  { name: 'COMETBFT_RPC_URL', env: { ...GATEWAY, COMETBFT_RPC_URL: 'https://a.example,http://10.0.0.11:26657' } },
];

const checkout = checkoutOfArguments();

/** Whether the configuration is refused for the variable that exposes something. */
async function isRefused({ name, env }: (typeof EXPOSED)[number]): Promise<boolean> {
  const args = ['server/cli/txledger.ts', 'config', 'check', '--for', 'serve', '--json'];
  const { stdout } = await commandResult(
    spawn(process.execPath, args, { cwd: checkout, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const { error } = JSON.parse(stdout) as { error?: { faults?: readonly { name: string }[] } };
  return error?.faults?.some((fault) => fault.name === name) === true;
}

let refused = 0;
for (const exposed of EXPOSED) refused += (await isRefused(exposed)) ? 1 : 0;
const held = refused === EXPOSED.length;
console.log(JSON.stringify({ attack: 'in-the-clear', checkout, configurations: EXPOSED.length, refused, held }));
process.exitCode = held ? 0 : 1;
