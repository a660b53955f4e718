/**
 * Every part of the network: its name, its ports, its folder, and the command that runs it.
 *
 * @module
 */
import path from 'node:path';
import { DEVELOPMENT_CHAIN_ID } from '../../server/app/dev-accounts.ts';
import { ROOT } from '../steps.ts';
import type { LocalnetFolder } from './folder.ts';
import type { Command } from './launch.ts';
import { VALIDATORS, type NodePorts } from './nodes.ts';
import { Ports } from './ports.ts';
import { postgresCommand, type Cluster } from './postgres.ts';
import type { PartKind, PartState } from './state.ts';
import { gatewayVariables, type LocalnetVariables } from './variables.ts';

export const GATEWAYS = 2;

/** The stop signal and the grace time of each kind. A gateway drains; a fast shutdown of PostgreSQL is SIGINT. */
export const STOP: Readonly<Record<PartKind, { signal: NodeJS.Signals; graceMs: number }>> = {
  gateway: { signal: 'SIGTERM', graceMs: 10_000 },
  node: { signal: 'SIGTERM', graceMs: 4000 },
  app: { signal: 'SIGTERM', graceMs: 3000 },
  postgres: { signal: 'SIGINT', graceMs: 5000 },
};

export interface NetworkPorts {
  postgres: number;
  nodes: NodePorts[];
  gateways: number[];
}

/** Inner ports are those of the previous run, where they are still free. */
export async function choosePorts(port: number, before: readonly PartState[]): Promise<NetworkPorts> {
  const gateways = Array.from({ length: GATEWAYS }, (_, index) => port + index);
  const ports = new Ports(gateways);
  const remembered = (name: string, use: string): number | undefined =>
    before.find((part) => part.name === name)?.ports[use];
  const postgres = await ports.take(remembered('postgres', 'postgres'));
  const nodes: NodePorts[] = [];
  for (let index = 0; index < VALIDATORS; index += 1) {
    nodes.push({
      rpc: await ports.take(remembered(`node-${index}`, 'rpc')),
      p2p: await ports.take(remembered(`node-${index}`, 'p2p')),
      abci: await ports.take(remembered(`app-${index}`, 'abci')),
    });
  }
  return { postgres, nodes, gateways };
}

/** In the order in which they are started. */
export function partStates(folder: LocalnetFolder, ports: NetworkPorts): PartState[] {
  const part = (kind: PartKind, name: string, home: string, own: Record<string, number>): PartState => ({
    ...{ name, kind, pid: null, startedAt: null, ports: own, home },
    log: path.join(folder.logs, `${name}.log`),
    restarts: 0,
  });
  return [
    part('postgres', 'postgres', folder.postgres, { postgres: ports.postgres }),
    ...ports.nodes.flatMap(({ rpc, p2p, abci }, index) => [
      part('app', `app-${index}`, folder.app(index), { abci }),
      part('node', `node-${index}`, folder.node(index), { rpc, p2p }),
    ]),
    ...ports.gateways.map((http, index) => part('gateway', `gateway-${index}`, folder.gateway(index), { http })),
  ];
}

export interface NetworkSetup {
  folder: LocalnetFolder;
  ports: NetworkPorts;
  variables: LocalnetVariables;
  cometbft: string;
  cluster: Cluster;
  databaseUrl: string;
}

const TXLEDGER = path.join(ROOT, 'server/cli/txledger.ts');

function indexOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

/** The first node answers the reads of a gateway; each gateway has a different first node. */
export function nodeUrlsFor(gateway: number, nodes: readonly NodePorts[]): string[] {
  const urls = nodes.map(({ rpc }) => `http://127.0.0.1:${rpc}`);
  const first = gateway % urls.length;
  return [...urls.slice(first), ...urls.slice(0, first)];
}

export function commandOf({ kind, name, home, log }: PartState, setup: NetworkSetup): Command {
  const { folder, ports, variables, cometbft, cluster, databaseUrl } = setup;
  const index = indexOf(name);
  const server = (command: string, own: Record<string, string>): Command => ({
    program: process.execPath,
    args: [TXLEDGER, command],
    env: { ...variables.base, ...own },
    cwd: home,
    log,
  });
  switch (kind) {
    case 'postgres':
      return postgresCommand(cluster, log);
    case 'app':
      return server('app', {
        ABCI_LISTEN: `tcp://127.0.0.1:${ports.nodes[index]?.abci}`,
        DATA_DIR: home,
        TXLEDGER_CHAIN_ID: DEVELOPMENT_CHAIN_ID,
      });
    case 'node':
      return { program: cometbft, args: ['node', '--home', home], env: variables.base, cwd: home, log };
    case 'gateway':
      return server(
        'serve',
        gatewayVariables({
          port: ports.gateways[index] as number,
          dataDir: home,
          databaseUrl,
          genesis: folder.genesis,
          operatorKey: folder.operatorKey,
          nodeUrls: nodeUrlsFor(index, ports.nodes),
        }),
      );
  }
}
