/**
 * A chain with everything in it: empty blocks, transfers, new accounts, a failed transfer, cancels, governance, a block
 * of several parts. Made by the engine itself, on real files, under a virtual clock.
 */
import { createEmbeddedEngine, sqliteChainStore, validatorKeyFromSeed } from '../../../server/engine/embedded/index.ts';
import { encodeAddress, publicKeyOfSeed, type GenesisDocument } from '../../../server/ledger/index.ts';
import { signedCancel, signedGovernance, signedTransfer, testGenesis, validatorSeed } from '../../ledger/support.ts';
import { openChainFile } from './chain-file.ts';
import { VirtualClock } from './virtual-clock.ts';

const NEW_ACCOUNTS = 30;
/** More than one part of 64 KiB. */
const BIG_BLOCK_TRANSACTIONS = 400;

function newAddress(i: number): string {
  return encodeAddress(publicKeyOfSeed(Buffer.alloc(32, i + 1)), 'txlt');
}

/** Makes the chain in a directory that exists and is empty. */
export async function makeSampleChain(dataDir: string): Promise<{ genesis: GenesisDocument; height: number }> {
  const genesis = testGenesis({ genesisTime: '2026-11-21T09:00:00.123456789Z' });
  const clock = new VirtualClock(Date.parse('2026-11-21T09:01:00Z'));
  const { database, settle, close } = openChainFile(dataDir);
  const engine = await createEmbeddedEngine({
    genesis,
    dataDir,
    chain: sqliteChainStore(database),
    settle,
    validatorKey: validatorKeyFromSeed(validatorSeed(0)),
    blockIntervalMs: 1000,
    idleBlockMs: 10_000,
    clock,
    logger: { debug() {}, info() {}, warn() {}, error: (fields, message) => console.error(message, fields) },
  });
  await clock.advance(0);
  const blockOf = async (...transactions: { raw: Uint8Array }[]) => {
    const results = await engine.broadcast(transactions.map(({ raw }) => ({ raw })));
    const refused = results.find(({ code }) => code !== 0);
    if (refused) throw new Error(`a transaction of the sample chain was refused: ${refused.log}`);
    await clock.advance(1000);
  };

  await blockOf(signedTransfer({ from: 0, nonce: 0 }));
  await blockOf(
    ...Array.from({ length: NEW_ACCOUNTS }, (_, i) =>
      signedTransfer({ from: 0, nonce: 1 + i, to: newAddress(i), amount: BigInt(i + 1) }),
    ),
  );
  await clock.advance(30_000);
  // The cancel takes the money away that the second transfer counts on: it fails with code 1.
  await blockOf(
    signedTransfer({ from: 2, to: 3, amount: 10n ** 15n }),
    signedTransfer({ from: 3, to: 4, amount: 2n * 10n ** 15n }),
    signedCancel({ from: 2, nonce: 0 }),
    signedCancel({ from: 4, nonce: 700 }),
  );
  await blockOf(signedGovernance({ action: 'canceller_add' }), signedTransfer({ from: 5, nonce: 0 }));
  for (let sent = 0; sent < BIG_BLOCK_TRANSACTIONS; sent += 50) {
    // Fifty at a time, so that the engine never has to pause and the virtual clock need not move.
    await engine.broadcast(
      Array.from({ length: 50 }, (_, i) => ({ raw: signedTransfer({ from: 6, to: 7, nonce: sent + i }).raw })),
    );
  }
  await clock.advance(1000);
  await clock.advance(20_000);
  const { height } = await engine.status();
  await engine.close();
  close();
  return { genesis, height };
}
