import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { choosePorts, nodeUrlsFor, partStates } from '../../scripts/localnet/parts.ts';
import { localnetFolder } from '../../scripts/localnet/folder.ts';
import { gatewayVariables, readVariables } from '../../scripts/localnet/variables.ts';
import { PLAIN_VARIABLES, PREFIXED_VARIABLES, readConfig } from '../../server/app/config.ts';

describe('the environment of a network', () => {
  test('is empty by default: port 8080, and a folder that is not that of npm start', () => {
    expect(readVariables({ PATH: '/bin' })).toEqual({
      dataDir: './data-localnet',
      port: 8080,
      mempoolSize: undefined,
      base: { PATH: '/bin', RPC_ACCESS: 'reads' },
    });
  });

  test('hands on what gateways read, and keeps from them what is not theirs', () => {
    const { base, port, dataDir, mempoolSize } = readVariables({
      ...{ PATH: '/bin', PORT: '9000', DATA_DIR: 'd', LOG_LEVEL: 'warn', TXLEDGER_VALIDATE_RESPONSES: 'true' },
      ...{ TXLEDGER_TOKEN: 'txl_a_b', TXLEDGER_LOCALNET_MEMPOOL_SIZE: '100' },
    });
    expect(base).toEqual({ PATH: '/bin', RPC_ACCESS: 'reads', LOG_LEVEL: 'warn', TXLEDGER_VALIDATE_RESPONSES: 'true' });
    expect({ port, dataDir, mempoolSize }).toEqual({ port: 9000, dataDir: 'd', mempoolSize: 100 });
  });

  test.each([
    [{ PORT: '65535' }, 'expected at most 65534'],
    [{ PORT: 'x', LOG_LEVEL: 'loud' }, 'The configuration has 2 errors'],
    [{ TXLEDGER_PORT: '1' }, 'did you mean PORT?'],
    [{ ENGINE: 'embedded', HOST: '0.0.0.0' }, 'ENGINE, HOST cannot be set'],
    [{ DATABASE_URL: 'postgres://u:geheim@h/d' }, 'DATABASE_URL cannot be set'],
    [{ TXLEDGER_LOCALNET_MEMPOOL_SIZE: '0' }, 'expected a whole number from 1 to 1000000'],
  ])('is refused when it says %j', (env, message) => {
    expect(() => readVariables(env)).toThrow(message);
    expect(() => readVariables(env)).not.toThrow('geheim');
  });

  test('makes one for each gateway that `serve` accepts as it is', () => {
    const variables = gatewayVariables({
      ...{
        port: 8081,
        dataDir: '/d/gateway-1',
        databaseUrl: 'postgres://u:p@127.0.0.1:1/d',
        genesis: '/d/genesis.json',
        operatorKey: '/d/operator_key.json',
      },
      nodeUrls: nodeUrlsFor(
        1,
        [1, 2, 3, 4].map((rpc) => ({ rpc, p2p: 0, abci: 0 })),
      ),
    });
    const known: readonly string[] = [...PLAIN_VARIABLES, ...PREFIXED_VARIABLES];
    expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
    const result = readConfig(variables, { mode: 'production', cwd: '/' });
    expect(result).toMatchObject({
      ok: true,
      config: {
        engine: 'cometbft',
        nodeUrls: ['http://127.0.0.1:2', 'http://127.0.0.1:3', 'http://127.0.0.1:4', 'http://127.0.0.1:1'],
        rateLimits: { perTokenPerS: 1_000_000 },
      },
    });
  });
});

describe('the ports', () => {
  const all = ({ postgres, nodes, gateways }: Awaited<ReturnType<typeof choosePorts>>): number[] => [
    postgres,
    ...gateways,
    ...nodes.flatMap(({ rpc, p2p, abci }) => [rpc, p2p, abci]),
  ];

  test('are all different, below those that the kernel hands out, and the same at the next start', async () => {
    const first = await choosePorts(8080, []);
    expect(new Set(all(first)).size).toBe(1 + 2 + 4 * 3);
    expect(first.gateways).toEqual([8080, 8081]);
    expect(Math.max(...all(first))).toBeLessThan(32_768);
    expect(await choosePorts(8080, partStates(localnetFolder('/d'), first))).toEqual(first);
  });

  test('change where another program has taken one meanwhile, and nowhere else', async () => {
    const first = await choosePorts(8080, []);
    const stranger = createServer();
    stranger.listen(first.postgres, '127.0.0.1');
    await once(stranger, 'listening');
    try {
      const next = await choosePorts(8080, partStates(localnetFolder('/d'), first));
      expect(next.postgres).not.toBe((stranger.address() as AddressInfo).port);
      expect(next.nodes).toEqual(first.nodes);
    } finally {
      stranger.close();
      await once(stranger, 'close');
    }
  });

  test('of the parts stand in localnet.json by what they are for, in the order of the start', async () => {
    const parts = partStates(localnetFolder('/d'), await choosePorts(8080, []));
    expect(parts.map(({ name }) => name)).toEqual([
      'postgres',
      'app-0',
      'node-0',
      'app-1',
      'node-1',
      'app-2',
      'node-2',
      'app-3',
      'node-3',
      'gateway-0',
      'gateway-1',
    ]);
    expect(Object.keys(parts[2]?.ports ?? {})).toEqual(['rpc', 'p2p']);
  });
});
