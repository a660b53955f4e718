/** Backups of a gateway's database on PostgreSQL while transfers are accepted and blocks settle them. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import { createGatewayCore, createGatewayFront, type Principal } from '../../server/gateway/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { txledger } from '../e2e/support/server.ts';
import { TestEngine } from '../gateway/support/test-engine.ts';
import { DEV_ACCOUNTS, operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import { PostgresCluster } from '../support/postgres.ts';

const ALICE: Principal = {
  tokenId: 'token-of-alice',
  owner: 'alice',
  scopes: ['transactions:read', 'transactions:write'],
};
/** Of each account, before a block settles some. */
const AHEAD = 32;

export async function gatewayRun(rounds: number, parent: string): Promise<{ transfers: number; faults: string[] }> {
  const faults: string[] = [];
  const cluster = await PostgresCluster.start();
  try {
    const url = await cluster.database();
    const genesisFile = path.join(parent, 'gateway-genesis.json');
    const clock = createClock();
    const engine = new TestEngine(testGenesis(), clock);
    writeFileSync(genesisFile, engine.genesis.bytes);
    const store = await openPostgresStore({ url });
    const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const fatal = (error: Error): void => void faults.push(error.message);
    const core = await createGatewayCore({
      store,
      engine,
      genesis: engine.genesis,
      clock,
      operatorSeed: operatorSeed(0),
      gatewayId: 'gateway-1',
      limits: {},
      logger: silent,
      onFatal: fatal,
    });
    const gateway = createGatewayFront(core, { chain: engine.genesis, clock });
    const acknowledged: string[] = [];
    const state = { isStopped: false };
    const sending = Array.from({ length: DEV_ACCOUNTS }, async (_, from) => {
      for (let nonce = 0; !state.isStopped; nonce += 1) {
        const { tx } = signedTransfer({ from, nonce });
        const answer = await gateway.submit(
          { from: tx.from, to: tx.to, amount: tx.amount.toString(), nonce, signature: tx.signature },
          ALICE,
        );
        if (!answer.ok) return void faults.push(`${answer.code}: ${answer.detail}`);
        acknowledged.push(answer.transaction.txHash);
        while (!state.isStopped && nonce - (engine.ledger.account(tx.from)?.nonce ?? 0) >= AHEAD) await turn();
      }
    });
    const blocks = (async () => {
      while (!state.isStopped) {
        if (engine.mempool.length > AHEAD) engine.block();
        await turn();
      }
    })();
    const variables = { DATABASE_URL: url, GENESIS_FILE: genesisFile };
    while (acknowledged.length < CHUNK) await turn();
    for (let round = 1; round <= rounds; round += 1) {
      const before = acknowledged.length;
      const folder = path.join(parent, `gateway-${round}`);
      const taken = await txledger(['backup', '--out', folder], variables);
      const verified = await txledger(['verify', folder]);
      const target = await cluster.database();
      const restored = await txledger(['restore', folder], { DATABASE_URL: target });
      const codes = [taken, verified, restored].map(({ code }) => code);
      if (codes.some((code) => code !== 0)) {
        faults.push(
          `round ${round}: backup, verify and restore ended with ${codes.join(', ')}: ${taken.stderr}${verified.stderr}${restored.stderr}`,
        );
        break;
      }
      const database = new URL(target).pathname.slice(1);
      const there = new Set(
        (
          await cluster.query(
            "select upper(encode(hash, 'hex')) as hash from transfers union all select upper(encode(hash, 'hex')) from pending",
            database,
          )
        ).map(({ hash }) => hash),
      );
      const lost = acknowledged.slice(0, before).filter((hash) => !there.has(hash));
      if (lost.length > 0)
        faults.push(
          `round ${round}: ${lost.length} of ${before} transfers that were acknowledged before are not in the backup`,
        );
      // A restored database is one that a gateway opens, and follows its blocks on from.
      const again = await openPostgresStore({ url: target });
      const followed = await again.read((tx) => tx.follower());
      if (followed === undefined || followed.height > engine.height)
        faults.push(`round ${round}: the restored database follows from height ${followed?.height}`);
      await again.close();
      const refused = await txledger(['restore', folder], { DATABASE_URL: target });
      if (refused.code !== 2 || !refused.stderr.includes('is not empty'))
        faults.push(
          `round ${round}: a second restore into the same database ended with ${refused.code}: ${refused.stderr}`,
        );
    }
    state.isStopped = true;
    await Promise.all([...sending, blocks]);
    await core.close();
    await store.close();
    if (readdirSync(parent).some((name) => name.endsWith('.partial')))
      faults.push('a backup left a folder that is not finished');
    return { transfers: acknowledged.length, faults };
  } finally {
    await cluster.stop();
  }
}

/** Accepted before the first backup. */
const CHUNK = 2000;
