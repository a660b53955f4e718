import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { ROOT } from '../../scripts/steps.ts';
import { signerFromSeed, signTransfer } from '../../client/src/index.ts';
import { COMMAND_VARIABLES } from '../../server/app/config.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT, EXIT_MEANINGS } from '../../server/cli/exit-codes.ts';
import { nodeConfig } from '../../server/cli/validator/node-settings.ts';
import { formatValidatorKey } from '../../server/engine/validator-key.ts';
import { createProgram } from '../../server/cli/program.ts';
import { environment } from '../e2e/support/server.ts';
import { validatorSeed } from '../ledger/support.ts';
import { documentOf, run, runProcess, TEST_MS_MAX, withDevelopment } from './support.ts';

/** The help shows examples; whatever it shows is run here, in one shell session against a real server. */

/** They run until they are stopped; the tests' own servers are started with them. */
const SERVERS = new Set(['start', 'serve', 'app']);
/** What acts on a network of nodes, which a development server is not. test/network/run.ts recovers a node. */
const OF_NETWORKS = new Set(['prune', 'graduate', 'store copy', 'validator recover']);
const isRunHere = (name: string): boolean => !SERVERS.has(name) && !OF_NETWORKS.has(name);

interface Leaf {
  readonly name: string;
  readonly help: string;
  readonly examples: readonly string[];
}

function leavesOf(command: Command, parents: readonly string[] = []): Leaf[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  if (children.length > 0) return children.flatMap((child) => leavesOf(child, [...parents, child.name()]));
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const examples = [...help.matchAll(/^  \$ (.+)$/gm)].map((match) => match[1] as string);
  return [{ name: parents.join(' '), help, examples }];
}

const leaves = leavesOf(await createProgram());

test('every command shows at least one example of itself', () => {
  expect(leaves.length).toBeGreaterThan(15);
  for (const { name, examples } of leaves) {
    expect({ name, examples: examples.length }).not.toEqual({ name, examples: 0 });
    for (const example of examples) expect(example).toContain(`txledger ${name}`);
  }
});

test('every command but the servers takes --json', () => {
  for (const { name, help } of leaves)
    expect({ name, json: help.includes('--json') }).toEqual({ name, json: !SERVERS.has(name) });
});

test('exit codes are told in the help and in docs/OPERATING.md, in the same words', async () => {
  const { stdout, code } = await run(['--help']);
  expect(code).toBe(0);
  const document = await readFile('docs/OPERATING.md', 'utf8');
  for (const [name, number] of Object.entries(EXIT)) {
    const meaning = EXIT_MEANINGS[name as keyof typeof EXIT];
    expect(stdout).toContain(`  ${number}  ${meaning}`);
    expect(document).toContain(`| ${number} | ${meaning} |`);
  }
});

test('the variables of the help are the ones that a server passes over', async () => {
  const { stdout } = await run(['--help']);
  expect([...stdout.matchAll(/^  (TXLEDGER_[A-Z_]+) /gm)].map((match) => match[1])).toEqual([...COMMAND_VARIABLES]);
});

/** The words of an example that needs nothing of a shell but its variables; a process for each of the others is enough. */
function wordsOf(example: string, variables: Record<string, string>): string[] | undefined {
  const [first, ...words] = example.split(' ');
  if (first !== 'txledger' || !/^[\w@:=,./$" -]+$/.test(example)) return undefined;
  return words.map((word) =>
    word.replaceAll('"', '').replace(/\$([A-Z_0-9]+)/g, (_, name: string) => variables[name] as string),
  );
}

/** A home as `cometbft init` makes one, as far as the commands read it. */
function makeHomeOfNode(home: string): string {
  for (const part of ['config', 'data']) mkdirSync(path.join(home, part), { recursive: true });
  const wishes = {
    role: 'full',
    peers: [],
    seeds: [],
    hidden: [],
    externalAddress: '',
    app: '',
    rpc: '',
    p2p: '',
    isPrivateNetwork: false,
    isSameHost: false,
    prometheus: false,
  } as const;
  const config = Object.entries(nodeConfig(wishes)).flatMap(([section, values]) => [
    ...(section === '' ? [] : [`[${section}]`]),
    ...Object.keys(values).map((key) => `${key} = ""`),
  ]);
  const files = {
    'config/config.toml': config.join('\n'),
    'config/genesis.json': '{"chain_id":"txledger-dev-1"}',
    'config/node_key.json': '{}',
    'config/priv_validator_key.json': formatValidatorKey(validatorSeed(5)),
    'data/priv_validator_state.json': '{"height":"0","round":0,"step":0}',
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(home, file), content, { mode: 0o600 });
  return home;
}

describe('the examples', () => {
  const dev = withDevelopment();
  let variables: Record<string, string>;

  beforeAll(async () => {
    const { server, token: TXLEDGER_TOKEN, folder } = dev();
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await writeFile(
      path.join(bin, 'txledger'),
      `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/server/cli/run.js' "$@"\n`,
      { mode: 0o700 },
    );
    const sender = developmentAccounts()[7];
    await writeFile(path.join(folder, 'key.hex'), `${sender?.seed}\n`, { mode: 0o600 });
    await writeFile(path.join(folder, 'payments.csv'), 'to,amount\ndev-1,5\ndev-2,7\n');
    const made = async (...args: string[]) =>
      documentOf(await run([...args, '--json'], { variables: dev().variables }));
    const token = async () =>
      (await made('token', 'create', '--owner', 'acme', '--scope', 'transactions:read')).id as string;
    const signed = await signTransfer({
      signer: await signerFromSeed(sender?.seed as string),
      chain: { chainId: 'txledger-dev-1', addressPrefix: 'txlt' },
      to: developmentAccounts()[1]?.address as string,
      amount: 1n,
      nonce: 0,
    });
    await writeFile(path.join(folder, 'transfer.json'), JSON.stringify(signed.input));
    const home = makeHomeOfNode(path.join(folder, 'home-of-node'));
    variables = {
      NODE: `${server.baseUrl}/rpc`,
      OTHER_NODE: `${server.baseUrl.replace('127.0.0.1', 'localhost')}/rpc`,
      HOME_OF_NODE: home,
      PEER_ID: 'ab'.repeat(20),
      PEER: `${'cd'.repeat(20)}@10.0.0.12:26656`,
      PATH: `${bin}:${process.env['PATH']}`,
      ...dev().variables,
      TXLEDGER_URL: server.baseUrl,
      TXLEDGER_TOKEN,
      ADDRESS: developmentAccounts()[5]?.address as string,
      BOUND_ADDRESS: (await made('address', 'bind', 'dev-6', '--owner', 'acme')).address,
      OPERATOR: (await made('operator-key', 'create', '--out', path.join(folder, 'made-before.json'))).address,
      GOVERNOR: (await made('governor-key', 'create', '--out', path.join(folder, 'governor-made-before.json'))).address,
      GOVERNOR_KEY: path.join(server.dataDir, 'governor_key.json'),
      NEW_CANCELLER: (
        await made('operator-key', 'create', '--prefix', 'txlt', '--out', path.join(folder, 'new-canceller.json'))
      ).address,
      VALIDATOR_1: (await made('validator-key', 'create', '--out', path.join(folder, 'validator-1.json'))).publicKey,
      VALIDATOR_2: (await made('validator-key', 'create', '--out', path.join(folder, 'validator-2.json'))).publicKey,
      BACKUP: (await made('backup', '--out', path.join(folder, 'made-before'))).folder,
      HASH: (await made('send', '--to', 'dev-1', '--amount', '1', '--wait')).txHash,
      PENDING_HASH: (await made('send', '--from', 'dev-8', '--to', 'dev-1', '--amount', '1', '--nonce', '9')).txHash,
      WEBHOOK: (await made('webhook', 'create', 'https://shop.example/hooks/of-the-examples')).id,
      OLD_WEBHOOK: (await made('webhook', 'create', 'https://shop.example/hooks/old')).id,
      TOKEN_ID: await token(),
      OTHER_TOKEN_ID: await token(),
      REVOKED_TOKEN_ID: await token(),
    };
  }, TEST_MS_MAX);

  test(
    'each runs as it stands and ends with 0',
    async () => {
      // The keys first, then genesis: examples read what those before them wrote.
      const FIRST = ['key create', 'key show', 'genesis create', 'validator backup'];
      const order = (name: string): number =>
        (FIRST.findIndex((each) => name.includes(each)) + FIRST.length + 1) % (FIRST.length + 1);
      const runnable = leaves.filter(({ name }) => isRunHere(name)).toSorted((a, b) => order(a.name) - order(b.name));
      const failed: unknown[] = [];
      for (const example of runnable.flatMap(({ examples }) => examples)) {
        const words = wordsOf(example, variables);
        const { code, stdout, stderr } = await (words
          ? run(words, { variables, cwd: dev().folder })
          : runProcess('bash', ['-euc', example], { variables, cwd: dev().folder }));
        if (code !== 0) failed.push({ example, code, stdout, stderr });
        if (example.includes('--json')) expect(() => JSON.parse(stdout)).not.toThrow();
      }
      expect(failed).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test('those of servers and networks are read as what they are', () => {
    for (const { name, examples } of leaves.filter((leaf) => !isRunHere(leaf.name))) {
      for (const example of examples) {
        // The same line with --help behind it: commander reads the command and ends before it runs.
        const { status, stdout } = spawnSync('bash', ['-euc', `${example} --help`], {
          cwd: dev().folder,
          env: environment(variables),
          encoding: 'utf8',
        });
        expect(status).toBe(0);
        expect(stdout).toContain(`Usage: txledger ${name} `);
      }
    }
  });

  test('the command that a development start prints is one of them, and works when pasted', async () => {
    const [, command = ''] = /^ {2}(DATA_DIR=.* send .*)$/m.exec(dev().server.output) ?? [];
    const { code, stdout } = await runProcess('bash', ['-euc', command]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^hash {7}[0-9A-F]{64}\nsigned .*\npays .*\naccepted .*\ncommitted {2}height [0-9]+, block time 20.*Z\n$/,
    );
  });
});
