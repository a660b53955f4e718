/** Following the chain: only blocks settle, in order, once; and what contradicts the store stops the gateway. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Fixture, ALICE } from './support/fixture.ts';
import {
  devAddress,
  devSeed,
  DEV_BALANCE,
  operatorAddress,
  signedGovernance,
  signedTransfer,
} from '../ledger/support.ts';
import { settled } from './support/manual-clock.ts';
import { signedAgain } from './support/second-signature.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { WriteLane } from '../../server/gateway/write-lane.ts';
import { FaultyStore } from './support/faulty-store.ts';
import { onFollower } from './support/fixture-store.ts';
import { IdRanges } from '../../server/store/id-ranges.ts';
import type { Store } from '../../server/store/index.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

/** The same with another signature, which is none. */
function spoilt(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw);
  const at = bytes.indexOf('"signature":"') + 20;
  bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30;
  return bytes;
}

/** Every account as the gateway tells it, against the ledger. */
async function expectProjectionEqualsLedger(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const told = await fixture.gateway.account(devAddress(i));
    const account = fixture.engine.ledger.account(devAddress(i));
    expect(told).toMatchObject({ balance: account?.balance.toString(), nonce: account?.nonce });
  }
}

describe('settling', () => {
  test('no answer to a broadcast settles anything, neither yes nor no', async () => {
    fixture.engine.fate = (hash) => (hash < '8' ? 'lose' : 'refuse');
    const records = await Promise.all(Array.from({ length: 20 }, (_, nonce) => fixture.accept({ nonce })));
    await fixture.block();
    for (const { txHash } of records) expect(await fixture.status(txHash)).toBe('pending');
  });

  test('too little money is failed for good, with its nonce used', async () => {
    // The check state of a mempool would hold it back until the money comes; a block takes it.
    fixture.engine.checks = false;
    const { txHash } = await fixture.accept({ nonce: 1, amount: DEV_BALANCE });
    await fixture.block({ outsiders: [signedTransfer({ nonce: 0, amount: 1n, to: 2 }).raw] });
    await fixture.block();
    expect(await fixture.gateway.get(txHash)).toMatchObject({
      status: 'failed',
      reason: { code: 'insufficient_funds' },
      history: [{}, {}, { event: 'failed' }],
    });
    expect(await fixture.gateway.account(devAddress(0))).toMatchObject({ nonce: 2, nextNonce: 2 });
    await expectProjectionEqualsLedger();
  });

  test('another payment broadcast elsewhere supersedes, and is named', async () => {
    const { txHash } = await fixture.accept({ nonce: 0, amount: 5n });
    const outsider = signedTransfer({ nonce: 0, amount: 7n });
    fixture.engine.forget();
    await fixture.block({ outsiders: [outsider.raw] });
    expect(await fixture.gateway.get(txHash)).toMatchObject({
      status: 'failed',
      reason: { code: 'nonce_superseded', txHash: outsider.hash },
    });
    expect(await fixture.gateway.get(outsider.hash)).toMatchObject({
      status: 'committed',
      history: [{ event: 'seen_on_chain' }, { event: 'committed' }],
    });
    await expectProjectionEqualsLedger();
  });

  test('the same payment under another signature settles the row it is, listed once, found under either hash', async () => {
    const transfer = signedTransfer({ amount: 5n });
    const variant = signedAgain(transfer, devSeed(0));
    await fixture.submit(transfer);
    fixture.engine.forget();
    await fixture.block({ outsiders: [variant.raw] });
    const record = { txHash: transfer.hash, status: 'committed', executedAs: variant.hash };
    expect(await fixture.gateway.get(transfer.hash)).toMatchObject(record);
    expect(await fixture.gateway.get(variant.hash)).toMatchObject(record);
    expect(await fixture.gateway.list({ limit: 10 })).toMatchObject({ transactions: [record] });
    expect(await fixture.submit(variant)).toMatchObject({ ok: true, replayed: true, transaction: record });
  });

  onFollower.test(
    'bytes of a block that have no effect are ignored',
    'the embedded engine makes no such block',
    async () => {
      const gap = signedTransfer({ nonce: 5 });
      const { txHash } = await fixture.accept({ nonce: 5 });
      await fixture.block({
        exactly: [gap.raw, Buffer.from('no transaction'), signedTransfer({ chainId: 'another-1' }).raw],
      });
      expect(await fixture.status(txHash)).toBe('pending');
      await expectProjectionEqualsLedger();
    },
  );

  test('a change of the cancellers is followed', async () => {
    await fixture.block({
      outsiders: [signedGovernance({ action: 'canceller_add', subject: operatorAddress(1) }).raw],
    });
    await fixture.block({
      outsiders: [signedGovernance({ action: 'canceller_remove', subject: operatorAddress(0), sequence: 1 }).raw],
    });
    expect(fixture.engine.ledger.governance()).toMatchObject({ cancellers: [operatorAddress(1)], sequence: 2 });
    expect(fixture.logged.some(({ message }) => message.includes('operator key'))).toBe(true);
    const { txHash } = await fixture.accept({});
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('committed');
  });
});

describe('the projection', () => {
  test('keeps every account, also those without a transfer here', async () => {
    await fixture.block({
      outsiders: [
        signedTransfer({ from: 3, to: 4, amount: 9n }).raw,
        signedTransfer({ from: 4, to: 5, amount: DEV_BALANCE + 9n }).raw,
      ],
    });
    await expectProjectionEqualsLedger();
    expect(await fixture.gateway.account(devAddress(4))).toMatchObject({ balance: '0', nonce: 1 });
  });

  test('answers an unknown address as an empty account, and refuses what is no address', async () => {
    expect(await fixture.gateway.account(operatorAddress(5))).toEqual({
      ok: true,
      address: operatorAddress(5),
      balance: '0',
      available: '0',
      pendingOut: '0',
      nonce: 0,
      nextNonce: 0,
      gaps: [],
      height: 0,
      blockTimeMs: Date.parse(fixture.engine.genesis.genesisTime),
    });
    expect(await fixture.gateway.account(devAddress(0, 'txl'))).toMatchObject({ ok: false, code: 'invalid_address' });
  });

  test('nextNonce is the lowest nonce that is neither held nor void: it never skips a hole', async () => {
    const next = async () => ((await fixture.gateway.account(devAddress(0))) as { nextNonce: number }).nextNonce;
    await fixture.accept({ nonce: 1 });
    const third = await fixture.accept({ nonce: 3 });
    expect(await next()).toBe(0);
    await fixture.accept({ nonce: 0 });
    expect(await next()).toBe(2);
    await fixture.gateway.cancel(third.txHash, ALICE, 0);
    await fixture.block();
    expect(await next()).toBe(2);
    await fixture.accept({ nonce: 2 });
    expect(await next()).toBe(4);
    await fixture.block();
    expect(await fixture.gateway.account(devAddress(0))).toMatchObject({ nonce: 4, nextNonce: 4 });
  });
});

onFollower.describe(
  'a block is applied once',
  'one process makes the blocks and writes them with what they settle: embedded-core.test.ts',
  () => {
    test('by two gateways on one store: whoever comes second reads again', async () => {
      await fixture.dispose();
      // Both run on this thread, where a writer that waits for the other inside SQLite would wait for itself.
      const turns = new WriteLane();
      const wrapStore = (real: Store): Store => {
        const write: Store['write'] = (work) => turns.run(() => real.write(work));
        return { ...real, write, ids: new IdRanges((counts) => write((tx) => tx.takeIds(counts))) };
      };
      fixture = await Fixture.open({ wrapStore });
      const first = fixture.gateway;
      await fixture.start();
      const second = fixture.gateway;
      const transfer = signedTransfer({ amount: 5n });
      await fixture.submit(transfer);
      const [a, b] = [first, second].map((gateway) => gateway.waitUntilSettled(transfer.hash, 10_000));
      for (let i = 0; i < 5; i++) await fixture.block();
      expect(await a).toMatchObject({ status: 'committed' });
      expect(await b).toMatchObject({ status: 'committed' });
      expect(await first.chain()).toMatchObject({ height: 5 });
      expect(await second.chain()).toMatchObject({ height: 5 });
      await expectProjectionEqualsLedger();
      expect(await first.readiness()).toMatchObject({ ready: true });
    });

    test('also when the process dies between any two of its writes', async () => {
      await fixture.dispose();
      const stores: FaultyStore[] = [];
      fixture = await Fixture.open({ wrapStore: (real) => stores[stores.push(new FaultyStore(real)) - 1]! });
      const { txHash } = await fixture.accept({ amount: 5n });
      let left = 0;
      // Each round lets one more call of the transaction through before it dies.
      for (let round = 0; round < 12; round++) {
        left = round;
        const store = stores.at(-1)!;
        store.wrap = (tx) =>
          new Proxy(tx, {
            // As those of a store, its calls do not throw but reject.
            get:
              (target, name) =>
              async (...parameters: never[]) => {
                if (left-- <= 0) throw new StoreUnavailableError('killed');
                return (target as any)[name](...parameters);
              },
          });
        await fixture.block();
        store.dead = true;
        fixture.engine.forget();
        await fixture.bury();
        await fixture.start();
      }
      await fixture.block();
      await fixture.clock.advance(20_000);
      await fixture.block();
      expect(await fixture.status(txHash)).toBe('committed');
      await expectProjectionEqualsLedger();
    });

    test('and is tried again when the store is away for a while', async () => {
      await fixture.dispose();
      let store!: FaultyStore;
      fixture = await Fixture.open({ wrapStore: (real) => (store = new FaultyStore(real)) });
      const { txHash } = await fixture.accept({});
      store.beforeCommit = () => {
        throw new StoreUnavailableError('the disk is full');
      };
      await fixture.block();
      await fixture.clock.advance(3000);
      expect(await fixture.status(txHash)).toBe('pending');
      store.beforeCommit = undefined;
      await fixture.clock.advance(1000);
      expect(await fixture.status(txHash)).toBe('committed');
    });
  },
);

onFollower.describe(
  'what contradicts the store stops the gateway and settles nothing',
  'it believes no block of others',
  () => {
    const cases: Record<string, (block: ReturnType<Fixture['engine']['block']>) => void> = {
      'a block with another parent': (block) => (block.parentHash = 'F'.repeat(64)),
      'a block of another chain': (block) => (block.chainId = 'another-1'),
      "a block whose outcome the ledger's rules do not give": (block) => (block.codes = [1]),
      'a block with an outcome missing': (block) => (block.codes = []),
      "a block with a stranger's transfer that nobody signed": (block) => {
        block.transactions.push(spoilt(signedTransfer({ from: 1 }).raw));
        block.codes.push(0);
      },
      'a block with a transfer of this store under a signature that is none': (block) =>
        (block.transactions = block.transactions.map(spoilt)),
      'a height that the engine no longer has': (block) => (block.height = 3),
    };
    for (const [name, tamper] of Object.entries(cases)) {
      test(name, async () => {
        await fixture.block();
        const { txHash } = await fixture.accept({});
        const [honest] = fixture.engine.committed;
        expect(honest?.height).toBe(1);
        const original = fixture.engine.blocks;
        fixture.engine.blocks = async (from, limit) => {
          const blocks = await original(from, limit);
          blocks.forEach(tamper);
          return blocks;
        };
        await fixture.block();
        expect(await fixture.status(txHash)).toBe('pending');
        const readiness = await fixture.gateway.readiness();
        expect(readiness).toMatchObject({ ready: false, code: 'engine_unavailable' });
        expect(await fixture.refusal({ nonce: 1 })).toMatchObject({ code: 'engine_unavailable' });
        fixture.engine.blocks = original;
        await fixture.clock.advance(60_000);
        await fixture.block();
        expect(await fixture.status(txHash)).toBe('pending');
        // A restart on an honest engine goes on where the last good block was.
        await fixture.restart();
        await settled();
        expect(await fixture.status(txHash)).toBe('committed');
      });
    }

    test('a store of another chain is not opened', async () => {
      await fixture.stop();
      Object.assign(fixture.engine.genesis, { hash: '0'.repeat(64) });
      await expect(fixture.start()).rejects.toThrow(/genesis/);
    });
  },
);

describe('waiting', () => {
  test('ends with the settlement, with the record as it is then', async () => {
    const { txHash } = await fixture.accept({});
    const waiting = fixture.gateway.waitUntilSettled(txHash, 30_000);
    await fixture.block();
    expect(await waiting).toMatchObject({ status: 'committed', height: 1 });
  });

  test('ends at its deadline, or when the caller hangs up, with the record as it stands', async () => {
    const { txHash } = await fixture.accept({ nonce: 3 });
    const hangUp = new AbortController();
    const aborted = fixture.gateway.waitUntilSettled(txHash, 30_000, hangUp.signal);
    const timed = fixture.gateway.waitUntilSettled(txHash, 2000);
    await settled();
    hangUp.abort();
    expect(await aborted).toMatchObject({ status: 'pending' });
    await fixture.clock.advance(2000);
    expect(await timed).toMatchObject({ status: 'pending', reason: { code: 'waiting_for_nonce' } });
  });

  test('misses no settlement that comes while the wait begins', async () => {
    await fixture.dispose();
    let look: Promise<void> | undefined;
    fixture = await Fixture.open({
      wrapStore: (real) => ({
        ...real,
        read: async (work) => {
          const found = await real.read(work);
          const held = look;
          look = undefined;
          await held;
          return found;
        },
      }),
    });
    const { txHash } = await fixture.accept({});
    let release = (): void => {};
    look = new Promise<void>((resolve) => (release = resolve));
    const waiting = fixture.gateway.waitUntilSettled(txHash, 30_000);
    await fixture.block();
    release();
    expect(await waiting).toMatchObject({ status: 'committed' });
  });

  test('never begins for what is settled or unknown', async () => {
    const { txHash } = await fixture.accept({});
    await fixture.block();
    expect(await fixture.gateway.waitUntilSettled(txHash, 30_000)).toMatchObject({ status: 'committed' });
    expect(await fixture.gateway.waitUntilSettled('0'.repeat(64), 30_000)).toBeUndefined();
  });
});
