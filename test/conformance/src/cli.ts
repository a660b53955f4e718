#!/usr/bin/env node
/** The command `txledger-conformance`. Exit code 0: every promise is kept; 1: one is not; 2: it could not be found out. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CHECKS, chosenChecks, runKit, type RunOptions } from './kit.ts';
import { countsOf, jsonOf, junitOf, textOfEnd, textOfResult } from './report.ts';
import { Session, type Receiver } from './session.ts';
import { accountOf, newAccount } from './signer.ts';
import { inputsOf, WORKFLOW_IDS } from './workflows/inputs.ts';

const USAGE = `Usage: txledger-conformance --base-url URL --token TOKEN --seed HEX [options]
       txledger-conformance --dev-file data/dev.json [options]

Checks whether a server keeps the contract of Transaction Ledger.

  --base-url URL       where the API is
  --token TOKEN        with transactions:read, transactions:write and rpc:broadcast
  --seed HEX           the Ed25519 seed of an account with money, used by nothing else meanwhile (or in TXLEDGER_SEED)
  --dev-file FILE      takes the three above from the file that a development server writes
  --read-token TOKEN   with transactions:read alone, for the checks of scopes
  --other-token TOKEN  of another owner, with transactions:read and transactions:write, for the checks of owners
  --admin-token TOKEN  with transactions:read, transactions:write and access:manage, for the checks of tokens and addresses
  --receiver-url URL   where a server on another machine reaches this one with webhooks, and
  --receiver-port PORT where this one listens for them
  --only NAMES         checks or groups, separated by commas; may be repeated
  --list               lists the checks, and sends nothing
  --inputs WORKFLOW    prints signed inputs for a workflow of spec/workflows, for other tools, and sends nothing
  --format FORMAT      text (default), json or junit

Exit code: 0 every promise is kept, 1 one is not, 2 it could not be found out.`;

/** What the caller got wrong. */
class UsageError extends Error {}

const FORMATS = ['text', 'json', 'junit'] as const;
const SEED = /^[0-9a-f]{64}$/i;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'base-url': { type: 'string' },
      token: { type: 'string' },
      seed: { type: 'string' },
      'dev-file': { type: 'string' },
      'read-token': { type: 'string' },
      'other-token': { type: 'string' },
      'admin-token': { type: 'string' },
      'receiver-url': { type: 'string' },
      'receiver-port': { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      inputs: { type: 'string' },
      format: { type: 'string', default: 'text' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return print(USAGE);
  const only = values.only.flatMap((names) => names.split(',')).filter((name) => name !== '');
  if (values.list)
    return print(
      chosenChecks(only)
        .map(({ id, promise, where }) => `${id}: ${promise} (${where})`)
        .join('\n'),
    );
  const format = FORMATS.find((each) => each === values.format);
  if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`);

  const dev = values['dev-file'] === undefined ? undefined : developmentFile(values['dev-file']);
  const seed = values.seed ?? process.env['TXLEDGER_SEED'] ?? dev?.seed;
  const baseUrl = (values['base-url'] ?? dev?.baseUrl)?.replace(/\/+$/, '');
  const token = values.token ?? dev?.token;
  if (baseUrl === undefined || token === undefined || seed === undefined)
    throw new UsageError('--base-url, --token and --seed are needed, or --dev-file');
  if (!/^https?:\/\//.test(baseUrl)) throw new UsageError('--base-url is a URL of http or https');
  if (!SEED.test(seed)) throw new UsageError('--seed is 64 hex digits');
  const options: RunOptions = {
    baseUrl,
    token,
    readToken: values['read-token'],
    otherToken: values['other-token'],
    adminToken: values['admin-token'],
    receiver: receiverOf(values['receiver-url'], values['receiver-port']),
    bankOf: (prefix) => accountOf(Buffer.from(seed, 'hex'), prefix),
    only,
  };
  if (values.inputs !== undefined) return print(await inputsFor(values.inputs, options));
  return run(options, format);
}

async function run(options: RunOptions, format: (typeof FORMATS)[number]): Promise<number> {
  const text = format === 'text';
  const report = await runKit({
    ...options,
    onStart: ({ baseUrl, chainId, bankAddress }, checks, funds) => {
      if (!text) return;
      print(`${checks.length} of ${CHECKS.length} checks of ${baseUrl}, chain ${chainId}`);
      print(`${bankAddress} gives ${funds} minor units to new accounts, which send it back at the end.`);
    },
    onResult: (result) => text && print(textOfResult(result)),
  });
  print(text ? textOfEnd(report) : format === 'json' ? jsonOf(report) : junitOf(report));
  return countsOf(report).failed === 0 ? 0 : 1;
}

async function inputsFor(
  workflowId: string,
  { baseUrl, bankOf, token, readToken, otherToken, adminToken, receiver }: RunOptions,
): Promise<string> {
  if (!WORKFLOW_IDS.includes(workflowId)) throw new UsageError(`--inputs is one of ${WORKFLOW_IDS.join(', ')}`);
  let sender = newAccount('txl');
  const session = await Session.open(baseUrl, { token }, (prefix) => (sender = bankOf(prefix)));
  const { nextNonce } = await session.account(sender.address);
  const scene = {
    chainId: session.chainId,
    sender,
    nonce: nextNonce,
    receiver: newAccount(session.prefix).address,
    token,
    readToken,
    otherToken,
    adminToken,
    webhookUrl: receiver?.url,
  };
  const inputs = inputsOf(workflowId, scene);
  if (inputs === undefined)
    throw new UsageError(`${workflowId} needs --read-token, --other-token, --admin-token or --receiver-url`);
  return JSON.stringify(inputs);
}

function receiverOf(url: string | undefined, port: string | undefined): Receiver | undefined {
  if (url === undefined && port === undefined) return undefined;
  if (url === undefined || !/^[1-9]\d{0,4}$/.test(port ?? ''))
    throw new UsageError('--receiver-url needs --receiver-port, and the other way round');
  return { url, port: Number(port) };
}

function developmentFile(file: string): { baseUrl: string; token: string; seed: string | undefined } {
  const { baseUrl, token, accounts } = JSON.parse(readFileSync(file, 'utf8')) as {
    baseUrl: string;
    token: string;
    accounts: { seed: string }[];
  };
  return { baseUrl, token, seed: accounts[0]?.seed };
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage =
    error instanceof UsageError ||
    error instanceof RangeError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage ? 'See --help.\n' : ''}`);
  process.exitCode = 2;
}
