/** A chain.db that another process holds: the service ends as it does otherwise, and the next start writes what is missing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { freePort, Server, txledger } from './support/server.ts';

const TEST_MS_MAX = 120_000;

const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-chain-held-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test(
  'SIGTERM while another process holds chain.db: it ends with a line, not cut off, and nothing is lost',
  async () => {
    const dataDir = path.join(scratch, 'data');
    const server = new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '50' } });
    await server.start();
    const other = new Database(path.join(dataDir, 'chain.db'));
    try {
      other.exec('BEGIN IMMEDIATE');
      const sent = await txledger(['send', '--to', 'dev-1', '--amount', '5', '--json'], { DATA_DIR: dataDir });
      expect(sent).toMatchObject({ code: 0 });
      const { txHash } = JSON.parse(sent.stdout) as { txHash: string };
      while (!server.output.includes('chain.db cannot be written')) await new Promise((go) => setTimeout(go, 20));
      expect(await server.stop()).toBe(0);
      expect(server.output).toContain('chain.db could not be written and stays behind log.db, which has everything');
      expect(server.output).not.toContain('cut off');
      other.close();
      await server.start();
      const shown = await txledger(['get', txHash, '--json'], { DATA_DIR: dataDir });
      expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'committed' });
    } finally {
      other.close();
      await server.stop();
    }
  },
  TEST_MS_MAX,
);
