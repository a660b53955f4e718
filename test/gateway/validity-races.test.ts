/**
 * A thousand races of a validity against a block, in virtual time: whatever the block's time is, the transfer commits only in a block that is not later,
 * it ends either committed or expired, the service says nothing that does not stay true, and the sender's next transfer goes on.
 *
 * GATEWAY_FIRST_SEED runs other races.
 */
import { afterEach, expect, test } from '@jest/globals';
import type { TransactionDetail } from '../../server/gateway/index.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture, inputOf } from './support/fixture.ts';
import { Random } from './support/random.ts';

const ROUNDS = 125;
const SENDERS = 8;
const NS_PER_S = 1_000_000_000n;
const NS_PER_MS = 1_000_000;
/** Blocks after which every race is decided: one that is late, the void, and what waits behind it. */
const BLOCKS_TO_DECIDE = 4;
const REBROADCAST_MS = 11_000;
const CLOCK_BEHIND_MS = 86_400_000;

let fixture: Fixture;
afterEach(() => fixture.dispose());

interface Race {
  hash: string;
  validUntil: number;
  nonce: number;
}

const lastNs = (): bigint => fixture.engine.committed.at(-1)?.timeNs ?? 0n;

/** A moment around the end of the second that is raced for: mostly within two nanoseconds of it. */
function blockAround(random: Random, second: bigint): { afterMs: number; plusNs: number } {
  const around =
    random.pick([
      -1n,
      0n,
      0n,
      1n,
      1n,
      2n,
      -BigInt(random.below(700 * NS_PER_MS)),
      BigInt(random.below(1500 * NS_PER_MS)),
    ] as const) ?? 0n;
  const lastMs = lastNs() / BigInt(NS_PER_MS);
  const wanted = second * NS_PER_S + around;
  const atMs = wanted / BigInt(NS_PER_MS);
  return atMs > lastMs
    ? { afterMs: Number(atMs - lastMs), plusNs: Number(wanted % BigInt(NS_PER_MS)) }
    : { afterMs: 1, plusNs: 1 };
}

async function race(random: Random, sender: number): Promise<Race | undefined> {
  const account = await fixture.gateway.account(devAddress(sender));
  if (!account.ok) throw new Error(account.code);
  const validUntil = Number(lastNs() / NS_PER_S) + random.below(3);
  const signed = signedTransfer({
    from: sender,
    to: 9,
    nonce: account.nextNonce,
    amount: 1n,
    validUntil,
    reference: `race ${sender}`,
  });
  const answer = await fixture.gateway.submit(inputOf(signed), ALICE);
  const isOver = BigInt(validUntil) * NS_PER_S <= lastNs();
  expect({ validUntil, refused: answer.ok ? undefined : answer.code }).toEqual({
    validUntil,
    refused: isOver ? 'validity_passed' : undefined,
  });
  return answer.ok ? { hash: signed.hash, validUntil, nonce: account.nextNonce } : undefined;
}

const told = new Map<string, string>();

async function look({ hash }: Race): Promise<TransactionDetail> {
  const found = await fixture.detail(hash);
  if (found === undefined) throw new Error('an accepted transfer is not found');
  const before = told.get(hash) ?? 'pending';
  if (before !== 'pending') expect(found.status).toBe(before);
  if (before === 'validity_passed') expect(found.status).not.toBe('committed');
  told.set(hash, found.status);
  return found;
}

test('of a thousand', async () => {
  const random = new Random(Number(process.env['GATEWAY_FIRST_SEED'] ?? 1));
  fixture = await Fixture.open();
  await fixture.block();
  // Behind, so that blocks alone decide.
  fixture.clock.jump(-CLOCK_BEHIND_MS);
  const outcomes = new Map<string, number>();
  let races = 0;
  for (let round = 0; round < ROUNDS; round++) {
    fixture.engine.fate = () => random.pick(['take', 'take', 'take', 'lose'] as const) ?? 'take';
    const accepted: Race[] = [];
    for (let sender = 0; sender < SENDERS; sender++) {
      races += 1;
      const raced = await race(random, sender);
      if (raced !== undefined) accepted.push(raced);
      else outcomes.set('refused', (outcomes.get('refused') ?? 0) + 1);
    }
    const second = BigInt(random.pick(accepted)?.validUntil ?? 0);
    await fixture.block(blockAround(random, second));
    for (const raced of accepted) await look(raced);
    if (round % 25 === 24) await fixture.restart();
    fixture.engine.fate = () => 'take';
    for (let i = 0; i < BLOCKS_TO_DECIDE; i++) {
      await fixture.clock.advance(REBROADCAST_MS);
      await fixture.block(i === 0 ? blockAround(random, second + 1n) : {});
      for (const raced of accepted) await look(raced);
    }
    for (const raced of accepted) {
      const { status, blockTimeMs, history } = await look(raced);
      expect(['committed', 'expired']).toContain(status);
      const block = fixture.engine.committed.find(({ timeMs }) => timeMs === blockTimeMs);
      const isLate = (block?.timeNs ?? 0n) > BigInt(raced.validUntil) * NS_PER_S;
      expect({ status, isLate }).toEqual({ status, isLate: status === 'expired' });
      if (status === 'expired')
        expect(history.find(({ event }) => event === 'expiry_requested')?.reason).toBe('validity_passed');
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
    // Nobody is held up: nothing is pending, and the chain expects the nonce behind the last one of each sender.
    expect((await fixture.gateway.metrics()).pending).toBe(0);
  }
  expect(races).toBe(1000);
  for (const outcome of ['refused', 'committed', 'expired']) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(100);
}, 300_000);
