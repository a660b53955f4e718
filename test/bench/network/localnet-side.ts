/** `npm run localnet`: four validators, PostgreSQL and two gateways, of which one or both get the load. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { call } from '../../e2e/support/server.ts';
import { freePorts, Localnet } from '../../localnet/localnet.ts';
import { childrenOf } from '../../support/child-process.ts';
import { until } from './programs.ts';
import type { Side } from './side.ts';
import { type Sender, senders, signed, transfersOf } from './transfers.ts';

/** More than all rounds together move. */
const FUNDS = 10n ** 9n;
const FUNDED_MS_MAX = 60_000;
const PENDING_MAX = '1000000';

/** By the kind of a part, what its processes are called in the report. */
const ROLES = { node: 'node', app: 'application', gateway: 'gateway', postgres: 'postgres' } as const;

export interface RunningLocalnet {
  network: Localnet;
  chainId: string;
  token: string;
}

/** A network whose senders have money. */
export async function startLocalnet(folder: string): Promise<RunningLocalnet> {
  const dataDir = path.join(folder, 'localnet');
  mkdirSync(folder, { recursive: true });
  const network = new Localnet({
    dataDir,
    port: await freePorts(),
    // As operators run it.
    variables: {
      LOG_LEVEL: 'warn',
      TXLEDGER_VALIDATE_RESPONSES: 'false',
      TXLEDGER_PENDING_MAX: PENDING_MAX,
      TXLEDGER_PENDING_PER_OWNER_MAX: PENDING_MAX,
    },
  });
  try {
    await network.start();
    const { accounts, token, chainId } = await network.development();
    await fund(network, chainId, token, { seed: Buffer.from(accounts[0]!.seed, 'hex'), address: accounts[0]!.address });
    return { network, chainId, token };
  } catch (error) {
    await network.destroy();
    throw error;
  }
}

async function fund(network: Localnet, chainId: string, token: string, payer: Sender): Promise<void> {
  const [gateway] = network.state().gateways;
  const transactions = senders.map(
    ({ address }, nonce) => JSON.parse(signed(chainId, payer, address, FUNDS, nonce).body) as object,
  );
  const { status, body } = await call(`${gateway}/transactions/batch`, {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ transactions }),
  });
  if (status !== 200) throw new Error(`the senders were not paid: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  const last = senders.at(-1)!.address;
  await until(
    'the payment of the senders',
    async () => (await call(`${gateway}/accounts/${last}`, { token })).body.balance === String(FUNDS),
    FUNDED_MS_MAX,
  );
}

/** @param gateways so many of the two get the load. @param nextRound which nonces are free: every side on this network uses the same senders. */
export function localnetSide(
  { network, chainId, token }: RunningLocalnet,
  gateways: 1 | 2,
  nextRound: () => number,
): Side {
  const { parts } = network.state();
  const running = (kind: keyof typeof ROLES): number[] =>
    parts.filter((part) => part.kind === kind).map(({ pid }) => pid!);
  return {
    name: `network-${gateways}`,
    title: `four validators, PostgreSQL, ${gateways === 1 ? 'one gateway' : 'two gateways'}`,
    node: `http://127.0.0.1:${parts.find(({ name }) => name === 'node-3')!.ports['rpc']}`,
    pids: () => {
      const postgres = running('postgres').flatMap((pid) => [pid, ...childrenOf(pid)]);
      return { node: running('node'), application: running('app'), gateway: running('gateway'), postgres };
    },
    bodies: (count) => transfersOf(chainId, nextRound(), count).map(({ body }) => body),
    ports: parts
      .filter(({ kind }) => kind === 'gateway')
      .slice(0, gateways)
      .map(({ ports }) => ports['http']!),
    path: '/transactions',
    token,
    perRequest: 1,
    accepted: '"status":"pending"',
  };
}
