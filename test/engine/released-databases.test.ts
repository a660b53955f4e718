/** Every file that a released version of the engines wrote is opened by this one, with all that was in it; chain.db and its forerunners: test/app/upgrade.test.ts. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

afterAll(removeTemporaryFolders);

test.each(['97c6cf1'])('the databases of %s', async (version) => {
  const folder = await temporaryFolder('released');
  execFileSync('tar', ['xzf', path.join(import.meta.dirname, 'fixtures', `databases-${version}.tar.gz`), '-C', folder]);

  const app = openSqliteAppStore(path.join(folder, 'app.db'));
  const state = app.load();
  const row = (leaf: number, balance: bigint) => ({ leaf, address: `address-${leaf}`, account: { balance, nonce: leaf, voids: BigInt(leaf) } });
  expect({ ...state, appHash: Buffer.from(state!.appHash), accounts: [...state!.accounts] }).toEqual({
    chain: { chainId: 'chain', addressPrefix: 'txl' },
    height: 5,
    appHash: Buffer.alloc(32, 5),
    governance: { operators: ['address-0'], validators: [{ publicKey: 'ab'.repeat(32), power: 10 }], sequence: 3 },
    accounts: [row(0, 9n), row(1, 2n ** 128n - 1n)],
  });
  app.close();

  const snapshots = openSqliteSnapshotStore(path.join(folder, 'snapshots.db'));
  expect(snapshots.list()).toEqual([{ height: 5, format: 1, chunks: 1, hash: Buffer.alloc(32, 6), metadata: Buffer.from('meta') }]);
  expect(snapshots.chunk(5, 1, 0)).toEqual(Buffer.from('chunk'));
  snapshots.close();

  const search = openSqliteSearchStore(path.join(folder, 'search.db'), { chainId: 'chain', genesisHash: 'AB' });
  expect([search.segments(), search.height(), search.blockAt(1)]).toEqual([[{ segment: 1, firstOrdinal: 0, transactions: 2 }], 7, { firstOrdinal: 0, height: 2 }]);
  expect([search.directory(1, 3), search.numbers(1, 3)]).toEqual([Buffer.from('directory'), Buffer.from('numbers')]);
  search.close();
});
