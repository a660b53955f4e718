/** The same blocks give the same statements, whichever engine they come through. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { enginePaths } from '../../server/engine/embedded/index.ts';
import { statementBlocks } from '../../server/engine/embedded/sqlite-statement-blocks.ts';
import { type StatementEntry, StatementReader } from '../../server/engine/statements/index.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import { devAddress } from '../ledger/support.ts';
import { genesis } from './support/fixture.ts';
import { ScriptedNetwork } from './support/scripted-nodes.ts';
import { OpenStatements } from './support/statement-chain.ts';

let network: ScriptedNetwork;
beforeEach(() => {
  network = new ScriptedNetwork();
});
afterEach(() => network.dispose());

const ACCOUNTS = genesis.accounts.map(({ address }) => address);

function entriesOf(reader: StatementReader): StatementEntry[][] {
  return ACCOUNTS.map((address) => reader.entries({ address, order: 'asc', limit: 1000 }));
}

test('statements through CometBFT nodes are those of the embedded engine, from the first block and while blocks come', async () => {
  await network.start(2);
  await network.makeBlocks(2);
  await network.send(
    { nonce: 0, amount: 5n, reference: 'order 1' },
    { nonce: 1, amount: 7n },
    { nonce: 2, to: devAddress(0) },
  );
  await network.makeBlocks(2);
  const path = join(network.fixture.dataDir, 'of-nodes.db');
  await network.open({ statementsFile: path });
  await network.send({ nonce: 3, amount: 11n, reference: 'order 2' });
  await network.makeBlocks(2);
  await network.advance(3_000);

  const sql = openChainReader(enginePaths(network.fixture.dataDir).chain);
  const own = new OpenStatements(join(network.fixture.dataDir, 'own'), statementBlocks(sql), genesis);
  await own.upTo(6);
  const reader = new StatementReader(path);
  try {
    expect(reader.height()).toBe(6);
    const entries = entriesOf(reader);
    expect(entries).toEqual(own.read(entriesOf));
    const [payer = [], receiver = []] = entries;
    expect(payer.map(({ height, direction, amount, reference }) => ({ height, direction, amount, reference }))).toEqual(
      [
        { height: 3, direction: 'out', amount: '5', reference: 'order 1' },
        { height: 3, direction: 'out', amount: '7', reference: undefined },
        expect.objectContaining({ height: 3, direction: 'out' }),
        expect.objectContaining({ height: 3, direction: 'in' }),
        { height: 5, direction: 'out', amount: '11', reference: 'order 2' },
      ],
    );
    expect(receiver.map(({ amount }) => amount)).toEqual(['5', '7', '11']);
    const state = network.fixture.engine.state;
    for (const [at, address] of ACCOUNTS.entries()) {
      expect(reader.accountAt(address, 6)).toMatchObject({
        balance: state.account(address)?.balance,
        nonce: state.account(address)?.nonce,
      });
      expect(entries[at]?.at(-1)?.balanceAfter ?? genesis.accounts[at]?.balance.toString()).toBe(
        state.account(address)?.balance.toString(),
      );
    }
  } finally {
    reader.close();
    own.index.close();
    sql.close();
  }
});
