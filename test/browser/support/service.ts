/** A development server for the checks, with payments on it, and its end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cancelTransaction,
  type Client,
  createClient,
  sendTransfer,
  signerFromSeed,
  waitForTransaction,
} from '../../../client/src/index.ts';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import { freePort, Server } from '../../e2e/support/server.ts';

export interface Service {
  readonly server: Server;
  readonly development: DevelopmentFile;
  readonly client: Client;
  stop(): Promise<void>;
}

/** Runs `use` on a server of its own, `npm start` with these variables. */
export async function withService(
  variables: Record<string, string>,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService(variables);
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

export async function startService(variables: Record<string, string> = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-browser-data-'));
  const server = new Server({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    variables: { BLOCK_INTERVAL_MS: '500', LOG_LEVEL: 'error', ...variables },
  });
  try {
    await server.start();
    const development = await server.development();
    const client = createClient({ baseUrl: server.baseUrl, token: development.token });
    const stop = async (): Promise<void> => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    return { server, development, client, stop };
  } catch (error) {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export interface Payments {
  readonly committed: string;
  readonly pending: string;
  readonly cancelled: string;
}

/** One payment of each kind that pages show, among others of the same block. */
export async function makePayments({ client, development: { accounts } }: Service): Promise<Payments> {
  const [faucet, shop, buyer] = accounts;
  if (faucet === undefined || shop === undefined || buyer === undefined)
    throw new Error('a development server has ten accounts');
  const signer = await signerFromSeed(faucet.seed);
  const hashes: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { transaction } = await sendTransfer(client, {
      signer,
      to: shop.address,
      amount: BigInt(1250 + i * 375),
      reference: `INV-2026-${100 + i}`,
    });
    hashes.push(transaction.txHash);
  }
  for (const txHash of hashes) await waitForTransaction(client, { txHash });
  const from = await signerFromSeed(buyer.seed);
  // Behind a gap, so that they stay pending.
  const waiting = await sendTransfer(client, { signer: from, to: shop.address, amount: 9900n, nonce: 3 });
  const given = await sendTransfer(client, { signer: from, to: shop.address, amount: 100n, nonce: 5 });
  await cancelTransaction(client, { txHash: given.transaction.txHash });
  return { committed: hashes[2] ?? '', pending: waiting.transaction.txHash, cancelled: given.transaction.txHash };
}
