/** `txledger validator statesync` and `cometbft-config` against a real chain, and answers that were changed on their way. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { nodeConfig, type NodeWishes } from '../../../server/cli/validator/node-settings.ts';
import type { TomlSettings } from '../../../server/engine/cometbft/home/toml.ts';
import { run, serveAnswers, withDevelopment } from '../support.ts';

const dev = withDevelopment();
/** Blocks above the one that is trusted. */
beforeAll(async () => {
  for (let i = 0; i < 2; i += 1)
    expect((await run(['send', '--to', 'dev-1', '--amount', '1', '--wait'], { variables: dev().variables })).code).toBe(
      0,
    );
});
const nodes: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});

/** A node that answers as the chain does, but for what `spoil` makes of it. */
async function node(spoil: (method: string, body: any) => any = (_, body) => body): Promise<string> {
  const served = await serveAnswers((request, response) => {
    const method = new URL(request.url ?? '', 'http://node').pathname.slice(1);
    void fetch(`${dev().server.baseUrl}/rpc${request.url}`).then(async (answer) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(spoil(method, await answer.json())));
    });
  });
  nodes.push(served);
  return served.url;
}

async function statesync(rpc: readonly string[], ...more: string[]): Promise<{ code: number | null; document: any }> {
  const { code, stdout, stderr } = await run(['validator', 'statesync', '--rpc', rpc.join(','), '--json', ...more]);
  if (stdout === '') throw new Error(stderr);
  const document = JSON.parse(stdout);
  return { code, document: document.error ?? document };
}

/** A config.toml with these settings and nothing else. */
function writeConfig(home: string, settings: TomlSettings): string {
  const file = path.join(home, 'config/config.toml');
  const lines = Object.entries(settings).flatMap(([section, values]) => [
    section === '' ? '# first' : `[${section}]`,
    ...Object.keys(values).map((key) => `${key} = ""`),
  ]);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  return file;
}

describe('a block to trust', () => {
  test('is one that all nodes show, and goes into the config of the home', async () => {
    const home = path.join(dev().folder, 'home');
    const file = writeConfig(home, { statesync: { enable: '', rpc_servers: '', trust_height: '', trust_hash: '' } });
    writeFileSync(path.join(home, 'config/genesis.json'), JSON.stringify({ chain_id: 'txledger-dev-1' }));
    const urls = [await node(), await node()];
    const { code, document } = await statesync(urls, '--height', '1', '--home', home);
    expect(code).toBe(0);
    const { result } = (await (await fetch(`${urls[0]}/commit?height=1`)).json()) as {
      result: { signed_header: { commit: { block_id: { hash: string } } } };
    };
    expect(document.hash).toBe(result.signed_header.commit.block_id.hash);
    expect(readFileSync(file, 'utf8')).toBe(
      [
        '[statesync]',
        'enable = true',
        `rpc_servers = "${urls.join(',')}"`,
        'trust_height = 1',
        `trust_hash = "${document.hash}"`,
      ].join('\n'),
    );
    writeFileSync(path.join(home, 'config/genesis.json'), JSON.stringify({ chain_id: 'other' }));
    expect((await statesync(urls, '--home', home)).document.code).toBe('wrong_chain');
  });

  test('may be asked of gateways that want a token, which is the password of their URL and in no message', async () => {
    const { baseUrl, token } = await dev().server.development();
    const as = (secret: string, user: string): string => baseUrl.replace('://', `://${user}:${secret}@`) + '/rpc';
    const { code, document } = await statesync([as(token, 'a'), as(token, 'b')]);
    expect([code, document.settings?.rpc_servers]).toEqual([0, [as(token, 'a'), as(token, 'b')].join(',')]);
    const wrong = `${token.slice(0, -4)}AAAA`;
    const refused = await statesync([as(wrong, 'a'), as(wrong, 'b')]);
    expect(refused.document.message).toContain('expired or revoked');
    expect(refused.document.message).not.toContain(wrong);
  });

  test('needs two nodes, and one alone is refused, however often it is named', async () => {
    const url = await node();
    expect((await statesync([url, `${url}/`])).document.message).toMatch(/Name 2 nodes/);
  });

  test.each<[string, string, (result: any) => void]>([
    [
      'a header that is not the one signed',
      'commit',
      ({ signed_header: { header } }) => void (header.app_hash = 'AB'.repeat(32)),
    ],
    [
      'a commit without a valid signature',
      'commit',
      ({ signed_header: { commit } }) => void (commit.signatures[0].signature = Buffer.alloc(64).toString('base64')),
    ],
    ['validators of its own', 'validators', ({ validators }) => void (validators[0].voting_power = '11')],
  ])('is refused with %s', async (_what, spoilt, change) => {
    const spoil = (method: string, body: any): any => {
      if (method === spoilt) change(body.result);
      return body;
    };
    const { code, document } = await statesync([await node(), await node(spoil)], '--height', '1');
    expect([code, document.code]).toEqual([3, 'false_answer']);
  });

  test('is refused when the nodes do not agree', async () => {
    // Block 2 in place of block 1 would not fit its height, so the other node is of another chain.
    const other = await node((method, body) =>
      method === 'commit'
        ? { ...body, result: JSON.parse(JSON.stringify(body.result).replaceAll('txledger-dev-1', 'txledger-dev-2')) }
        : body,
    );
    expect((await statesync([await node(), other], '--height', '1')).code).toBe(3);
  });
});

describe('the config of a node', () => {
  const wishes: NodeWishes = {
    role: 'validator',
    peers: [`${'a'.repeat(40)}@10.0.0.12:26656`],
    seeds: [],
    hidden: [],
    externalAddress: '',
    app: 'tcp://127.0.0.1:26658',
    rpc: 'tcp://127.0.0.1:26657',
    p2p: 'tcp://0.0.0.0:26656',
    isPrivateNetwork: true,
    isSameHost: false,
    prometheus: false,
  };

  test('keeps a validator to the peers that it names, and a sentry from telling of it', () => {
    expect(nodeConfig(wishes)['p2p']).toMatchObject({
      pex: false,
      addr_book_strict: false,
      unconditional_peer_ids: 'a'.repeat(40),
    });
    const sentry = nodeConfig({
      ...wishes,
      role: 'sentry',
      hidden: ['b'.repeat(40)],
      isPrivateNetwork: false,
      externalAddress: 'node.example:26656',
    })['p2p'];
    expect(sentry).toMatchObject({
      pex: true,
      private_peer_ids: 'b'.repeat(40),
      unconditional_peer_ids: `${'a'.repeat(40)},${'b'.repeat(40)}`,
      external_address: 'node.example:26656',
      addr_book_strict: true,
    });
  });

  test('is written to the file, each setting once', async () => {
    const home = path.join(dev().folder, 'configured');
    const file = writeConfig(home, nodeConfig(wishes));
    const { code, stdout } = await run([
      'cometbft-config',
      '--home',
      home,
      '--validator',
      '--peers',
      wishes.peers.join(','),
      '--private-network',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).settings).toEqual(nodeConfig(wishes));
    expect(readFileSync(file, 'utf8')).toContain(`persistent_peers = "${wishes.peers.join(',')}"`);
  });

  test.each([
    [['--validator'], /Name|name those/],
    [['--sentry', '--peers', wishes.peers.join(',')], /--hide/],
    [['--validator', '--sentry'], /or a sentry/],
    [['--validator', '--peers', '10.0.0.12:26656'], /ID@HOST:PORT/],
    [['--hide', 'abc'], /40 hex digits/],
    [['--external-address', 'tcp://node.example:26656'], /HOST:PORT/],
  ])('is refused for %j', async (options, words) => {
    const { code, stderr } = await run(['cometbft-config', '--home', dev().folder, ...options]);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});
