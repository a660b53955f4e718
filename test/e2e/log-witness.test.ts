/** A data folder that was put back as a whole, as by a snapshot of a disk, and the witness of its log that lies elsewhere. */
import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { chainOf } from './support/development.ts';
import { freePort, READY_MS_MAX, Server } from './support/server.ts';

let server: Server | undefined;
afterAll(async () => {
  await server?.stop('SIGKILL');
  await removeTemporaryFolders();
});

test(
  'a folder that was put back as a whole is refused by a witness that lies elsewhere, until the loss is consented to',
  async () => {
    const folder = await temporaryFolder('log-witness');
    const [dataDir, kept, elsewhere] = ['data', 'kept', 'elsewhere'].map((name) => path.join(folder, name));
    if (dataDir === undefined || kept === undefined || elsewhere === undefined) throw new Error('three were named');
    const file = path.join(elsewhere, 'witness.json');
    const running = (server = new Server({
      dataDir,
      port: await freePort(),
      variables: { BLOCK_INTERVAL_MS: '50', LOG_WITNESS_FILE: file },
    }));
    const refused = async (): Promise<string> => {
      const [code] = (await once(running.spawn(), 'close')) as [number | null];
      expect(code).toBe(2);
      return running.output;
    };
    expect(await refused()).toMatch(/LOG_WITNESS_FILE is .*witness\.json, and .*elsewhere is not there/);

    mkdirSync(elsewhere);
    await running.start();
    const pay = async (nonce: number): Promise<void> => {
      const chain = chainOf(running, await running.development());
      expect((await chain.submit(chain.signed(0, 1, 1n, nonce), { prefer: 'wait=10' })).status).toBe(201);
    };
    await pay(0);
    expect(await running.stop()).toBe(0);
    copyDataDir(dataDir, kept);
    await running.start();
    await pay(1);
    expect(await running.stop()).toBe(0);

    // With its own witness, and with the state of its validator, it looks like one that was stopped.
    rmSync(dataDir, { recursive: true });
    renameSync(kept, dataDir);
    expect(await refused()).toMatch(
      /log\.db is missing or an old copy: .*elsewhere\/witness\.json says that its last entry was .*; then remove .*witness\.json/,
    );
    rmSync(file);
    await running.start();
    expect(await running.stop()).toBe(0);
  },
  4 * READY_MS_MAX,
);
