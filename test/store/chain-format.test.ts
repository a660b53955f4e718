/** A gateway's database whose chain is of format 1: gateway.db as well as PostgreSQL, which no file's first bytes tell apart. */
import { expect, test } from '@jest/globals';
import { openStore } from '../../server/app/store-location.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { onEachDatabase, onPostgres } from './support/stores.ts';

onEachDatabase('a database of chain format 1', (fresh) => {
  test('is refused with what to do, and nothing in it changes', async () => {
    const database = await fresh();
    await (await database.open()).close();
    await database.run("update kysely_migration set name = '0001-initial' where name = '0001-chain-format-2'");
    const rows = () => database.run('select * from kysely_migration');
    const before = await rows();
    await expect(database.open()).rejects.toThrow(
      /^this is a chain of format 1, .* or run the version that made this one$/,
    );
    expect(await rows()).toEqual(before);
    await database.remove();
  });
});

onPostgres('a server that is given such a database', (cluster) => {
  test('ends with a sentence that names it, without its password', async () => {
    const url = await cluster().database();
    await (await openPostgresStore({ url })).close();
    await cluster().query(
      "update kysely_migration set name = '0001-initial' where name = '0001-chain-format-2'",
      new URL(url).pathname.slice(1),
    );
    await expect(openStore({ kind: 'postgres', url })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^The database postgres:.* \(DATABASE_URL\) cannot be used: this is a chain of format 1, /,
      ),
    });
  });
});
